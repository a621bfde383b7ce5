package dev.parlance.console.source;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Held messages of an admin API as the console's API shows them. */
final class ReviewView {
  private static final int EXCERPT_CHARACTERS = 512;
  private static final List<String> SAME =
      List.of(
          "id",
          "heldAtMs",
          "caller",
          "destination",
          "direction",
          "kind",
          "protocol",
          "routeRule",
          "reasons",
          "attempts",
          "decisionId",
          "textSha256");
  private static final List<String> SAME_OF_WHOLE =
      List.of("question", "answer", "contentType", "bodyBytes", "flow", "verdict");

  private ReviewView() {}

  /** An element of the queue's list. */
  static ObjectNode summary(String sidecar, String agent, String who, JsonNode item) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("sidecar", sidecar).put("agent", agent);
    copy(SAME, item, view);
    JsonNode review = item.path("review");
    view.put("state", state(item));
    view.put("sentence", DecisionView.sentence(item.path("reasons")));
    view.put("excerpt", excerpt(item.path("answer").asString("")));
    if (!item.path("asp").asString("").isEmpty()) {
      view.put("header", item.path("asp").asString());
    }
    DecisionView.measured(item.path("verdict"), view);
    claim(review.path("claim"), who, view);
    if (review.isObject()) {
      view.put("queue", review.path("queue").asString("default"));
      view.put("escalations", review.path("escalations").asInt(0));
      if (review.path("only").isString()) {
        view.put("only", review.path("only").asString());
      }
      view.put("people", Math.max(1, review.path("people").asInt(1)));
      view.put("opinions", review.path("voted").asInt(0));
    }
    decision(item, view);
    if (review.path("countsAtMs").isNumber()) {
      view.put("undoUntilMs", review.path("countsAtMs").asLong());
    }
    return view;
  }

  /** That an item has changed, and how it stands. */
  static ObjectNode change(String sidecar, JsonNode item) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("sidecar", sidecar).put("id", item.path("id").asString(""));
    view.put("state", state(item));
    if (item.path("review").path("claim").isObject()) {
      view.set("claim", item.path("review").path("claim").deepCopy());
    }
    return view;
  }

  /**
   * One item in whole.
   *
   * @param drafts the answer of {@code GET /review/ID/judgement}; a missing node where there is
   *     none
   */
  static ObjectNode whole(
      String sidecar, String agent, String who, JsonNode item, JsonNode drafts) {
    ObjectNode view = summary(sidecar, agent, who, item);
    copy(SAME_OF_WHOLE, item, view);
    ArrayNode shown = view.putArray("drafts");
    if (drafts.path("drafts").isArray()) {
      drafts.path("drafts").forEach(draft -> shown.add(draft(draft, drafts.path("evidence"))));
    } else {
      int attempt = 1;
      for (JsonNode earlier : item.path("drafts")) {
        shown
            .addObject()
            .put("attempt", attempt++)
            .put("answer", earlier.asString(""))
            .putArray("evidence");
      }
      ObjectNode held = shown.addObject().put("attempt", attempt);
      held.put("answer", item.path("answer").asString(""));
      held.set("evidence", evidence(item.path("evidence")));
    }
    JsonNode last =
        shown.isEmpty() ? JsonNodeFactory.instance.objectNode() : shown.get(shown.size() - 1);
    view.set("evidence", evidence(last.path("evidence")));
    if (last.path("judgement").isObject()) {
      view.set("judgement", last.path("judgement").deepCopy());
    }
    view.set("history", history(item));
    return view;
  }

  /**
   * One draft.
   *
   * @param shared what all drafts were held against that name no evidence of their own
   */
  private static ObjectNode draft(JsonNode draft, JsonNode shared) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("attempt", Math.max(1, draft.path("attempt").asInt(1)));
    view.put("answer", draft.path("answer").asString(""));
    view.set(
        "evidence", evidence(draft.path("evidence").isArray() ? draft.path("evidence") : shared));
    if (draft.path("judgement").isObject()) {
      view.set("judgement", draft.path("judgement").deepCopy());
    }
    return view;
  }

  private static ArrayNode evidence(JsonNode chunks) {
    return chunks.isArray() ? (ArrayNode) chunks.deepCopy() : JsonNodeFactory.instance.arrayNode();
  }

  /** What happened to an item, as far as the item says. */
  private static ArrayNode history(JsonNode item) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    all.addObject().put("what", "held").put("atMs", item.path("heldAtMs").asLong(0));
    for (JsonNode vote : item.path("review").path("votes")) {
      event(vote, all);
    }
    if (item.path("decision").isObject()) {
      ObjectNode made = ((ObjectNode) item.path("decision").deepCopy());
      if (!made.has("verdict")) {
        made.put(
            "verdict", item.path("state").asString("").equals("rejected") ? "reject" : "release");
      }
      event(made, all);
    }
    if (item.path("settledAtMs").isNumber()) {
      all.addObject()
          .put("what", item.path("state").asString(""))
          .put("atMs", item.path("settledAtMs").asLong());
    }
    return all;
  }

  private static void event(JsonNode made, ArrayNode all) {
    all.addObject()
        .put("what", made.path("verdict").asString("release"))
        .put("who", made.path("who").asString(""))
        .put("note", made.path("note").asString(""))
        .put("atMs", made.path("atMs").asLong(0));
  }

  /** Where it stands: waiting, decided in a way that can be undone, or what came of it. */
  static String state(JsonNode item) {
    return item.path("review").path("phase").asString("").equals("decided")
            && item.path("state").asString("").equals("pending")
        ? "decided"
        : item.path("state").asString("pending");
  }

  private static void claim(JsonNode claim, String who, ObjectNode view) {
    if (claim.isObject()) {
      view.putObject("claim")
          .put("who", claim.path("who").asString(""))
          .put("untilMs", claim.path("untilMs").asLong(0))
          .put("mine", claim.path("who").asString("").equals(who));
    }
  }

  private static void decision(JsonNode item, ObjectNode view) {
    JsonNode made = item.path("decision");
    JsonNode votes = item.path("review").path("votes");
    if (!made.isObject() && state(item).equals("decided") && !votes.isEmpty()) {
      made = votes.get(votes.size() - 1);
    }
    if (made.isObject()) {
      view.putObject("decision")
          .put("who", made.path("who").asString(""))
          .put("act", act(made, item))
          .put("note", made.path("note").asString(""))
          .put("atMs", made.path("atMs").asLong(0));
    }
  }

  private static String act(JsonNode made, JsonNode item) {
    String verdict = made.path("verdict").asString("");
    return !verdict.isEmpty()
        ? verdict
        : item.path("state").asString("").equals("rejected") ? "reject" : "release";
  }

  private static String excerpt(String answer) {
    return answer.length() <= EXCERPT_CHARACTERS + 3
        ? answer
        : answer.substring(0, EXCERPT_CHARACTERS) + "...";
  }

  private static void copy(List<String> names, JsonNode from, ObjectNode to) {
    for (String name : names) {
      if (from.has(name)) {
        to.set(name, from.path(name).deepCopy());
      }
    }
  }

  /** The facets of the admin API's list as distribution. */
  static ObjectNode distribution(String sidecar, JsonNode page) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    JsonNode facets = page.path("facets");
    ArrayNode grounding = view.putArray("grounding");
    JsonNode counts = facets.path("g").path("counts");
    for (int bucket = 0; bucket < 20; bucket++) {
      grounding.add(counts.path(bucket).asInt(0));
    }
    view.put("unknown", facets.path("g").path("unknown").asInt(0));
    counted(facets, "reason", "reasons", view);
    counted(facets, "route", "routes", view);
    counted(facets, "queue", "queues", view);
    counted(facets, "state", "states", view);
    view.putObject("sidecars").put(sidecar, page.path("total").asInt(0));
    return view;
  }

  private static void counted(JsonNode facets, String name, String as, ObjectNode view) {
    view.set(
        as,
        facets.path(name).isObject()
            ? facets.path(name).deepCopy()
            : JsonNodeFactory.instance.objectNode());
  }
}
