package dev.parlance.console;

import dev.parlance.console.RequestBody.Unfit;
import dev.parlance.console.login.ConsoleRole;
import dev.parlance.console.login.ConsoleSession;
import dev.parlance.console.source.AgentSource;
import dev.parlance.console.source.AgentSource.ActResult;
import dev.parlance.console.source.Feature;
import dev.parlance.console.source.ItemRef;
import dev.parlance.service.Result;
import dev.parlance.service.http.HttpReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls about held messages.
 *
 * @param linkUrl the address that opens a signed link's token
 */
record HeldMessageApi(AgentSource agents, Function<String, String> linkUrl) {
  private static final int NOTE_CHARACTERS = 4_000;
  private static final int TEXT_CHARACTERS = 1 << 20;
  private static final int MAX_ITEMS = 200;
  private static final int MAX_MINUTES = 43_200;
  private static final long DEFAULT_MINUTES = 1_440;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,128}");
  private static final Set<String> STATES =
      Set.of("pending", "decided", "released", "rejected", "delivered", "expired", "sent_back");

  HttpReply search(ConsoleSession session, String text) throws Unfit {
    RequestBody body =
        RequestBody.parse(
            text,
            Set.of(
                "state",
                "sidecar",
                "route",
                "reason",
                "peer",
                "text",
                "sinceMs",
                "minGrounding",
                "maxGrounding",
                "queue",
                "textSha256",
                "mine",
                "after",
                "limit"));
    Optional<String> state = body.text("state", 20);
    if (state.isPresent() && !STATES.contains(state.get())) {
      throw new Unfit("expected state: one of " + STATES);
    }
    for (String name :
        List.of("sidecar", "route", "reason", "peer", "text", "queue", "textSha256")) {
      body.text(name, 200);
    }
    body.text("after", 300);
    body.whole("sinceMs", 0, Long.MAX_VALUE);
    body.whole("limit", 1, MAX_ITEMS);
    body.checkShare("minGrounding");
    body.checkShare("maxGrounding");
    return ConsoleReply.of(
        agents
            .search(session.who(), body.object())
            .then(page -> {
              countIdentical(page.path("items").valueStream().toList());
              return Result.done(page);
            }));
  }

  HttpReply item(ConsoleSession session, ItemRef ref) {
    return ConsoleReply.of(
        agents
            .item(session.who(), ref)
            .then(item -> {
              String text = item.path("textSha256").asString("");
              if (waits(item) && !text.isEmpty()) {
                long alike =
                    identical(session, text).stream().filter(HeldMessageApi::waits).count();
                item.put("identical", Math.max(1, alike));
              }
              return Result.done(acts(session, item));
            }));
  }

  /** How many of these wait and have the same text, each one among them. */
  private static void countIdentical(List<JsonNode> rows) {
    Map<String, Integer> counts = new HashMap<>();
    rows.stream()
        .filter(HeldMessageApi::waits)
        .forEach(row -> counts.merge(row.path("textSha256").asString(""), 1, Integer::sum));
    for (JsonNode row : rows) {
      String text = row.path("textSha256").asString("");
      if (waits(row) && !text.isEmpty() && row instanceof ObjectNode shown) {
        shown.put("identical", counts.getOrDefault(text, 1));
      }
    }
  }

  /** True if it was escalated to others alone. */
  private static boolean isForOthers(ConsoleSession session, ObjectNode item) {
    String only = item.path("only").asString("");
    return !only.isEmpty() && !only.equals(session.who()) && !session.as().contains(only);
  }

  /** What the session may do about an item now. */
  private ObjectNode acts(ConsoleSession session, ObjectNode item) {
    ArrayNode acts = item.putArray("acts");
    if (!session.hasAny(ConsoleRole.REVIEWER)) {
      return item;
    }
    Set<Feature> features = agents.features();
    JsonNode claim = item.path("claim");
    boolean mine = claim.path("mine").asBoolean(false);
    boolean taken = (claim.isObject() && !mine) || (!mine && isForOthers(session, item));
    switch (item.path("state").asString("")) {
      case "pending" -> {
        if (features.contains(Feature.CLAIMS) && !taken) {
          acts.add(mine ? "unclaim" : "claim");
        }
        if (!taken) {
          acts.add("release").add("reject");
        }
        if (!taken
            && features.contains(Feature.SEND_BACK)
            && item.path("kind").asString("").equals("response")) {
          acts.add("send-back");
        }
      }
      case "decided" -> {
        if (item.path("decision").path("who").asString("").equals(session.who())) {
          acts.add("undo");
        }
      }
      default -> {}
    }
    return item;
  }

  HttpReply act(ConsoleSession session, ItemRef ref, String act, String text) throws Unfit {
    String note = RequestBody.parse(text, Set.of("note")).text("note", NOTE_CHARACTERS).orElse("");
    if (act.equals("send-back") && note.isBlank()) {
      throw new Unfit("expected note: what the author is to do otherwise");
    }
    return switch (agents.act(session.who(), session.as(), ref, act, note)) {
      case ActResult.Done(ObjectNode item) -> ConsoleReply.json(acts(session, item));
      case ActResult.Refused refused -> ConsoleReply.problem(problem(session, refused));
    };
  }

  private ObjectNode problem(ConsoleSession session, ActResult.Refused refused) {
    return ConsoleReply.problemBody(
        ConsoleReply.status(refused.kind()),
        refused.code(),
        refused.message(),
        refused.item().map(item -> acts(session, item)));
  }

  HttpReply actOnMany(ConsoleSession session, String text) throws Unfit {
    RequestBody body = RequestBody.parse(text, Set.of("act", "note", "items"));
    String act = body.text("act", 20).orElse("");
    if (!ApiCall.ACTS.contains(act)) {
      throw new Unfit("expected act: one of " + ApiCall.ACTS);
    }
    String note = body.text("note", NOTE_CHARACTERS).orElse("");
    if (act.equals("send-back") && note.isBlank()) {
      throw new Unfit("expected note: what the author is to do otherwise");
    }
    List<ItemRef> items = items(body.object().path("items"));
    if (!sayTheSame(session, items)) {
      return ConsoleReply.problem(
          409, "not_identical", "several items at once must have the very same text");
    }
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode results = answer.putArray("results");
    for (ItemRef ref : items) {
      ObjectNode result = results.addObject();
      result.putObject("item").put("sidecar", ref.sidecar()).put("id", ref.id());
      switch (agents.act(session.who(), session.as(), ref, act, note)) {
        case ActResult.Done _ -> result.put("done", true);
        case ActResult.Refused refused -> {
          result.put("done", false);
          ObjectNode problem = problem(session, refused);
          problem.remove("item");
          result.set("problem", problem);
        }
      }
    }
    return ConsoleReply.json(answer);
  }

  /** True if the items that are there have one text. */
  private boolean sayTheSame(ConsoleSession session, List<ItemRef> items) {
    Set<String> texts = new HashSet<>();
    Set<ItemRef> alike = new HashSet<>();
    for (ItemRef ref : items) {
      if (!alike.contains(ref)
          && agents.item(session.who(), ref) instanceof Result.Done(ObjectNode item)) {
        String text = item.path("textSha256").asString("");
        if (texts.add(text)) {
          identical(session, text).forEach(row -> alike.add(ref(row)));
        }
      }
    }
    return texts.size() <= 1 && !texts.contains("");
  }

  /** Those that wait with this text, as far as one page holds them. */
  private List<JsonNode> identical(ConsoleSession session, String text) {
    ObjectNode filter =
        JsonNodeFactory.instance
            .objectNode()
            .put("state", "pending")
            .put("textSha256", text)
            .put("limit", MAX_ITEMS);
    return agents.search(session.who(), filter) instanceof Result.Done(ObjectNode page)
        ? page.path("items").valueStream().toList()
        : List.of();
  }

  private static ItemRef ref(JsonNode row) {
    return new ItemRef(row.path("sidecar").asString(""), row.path("id").asString(""));
  }

  private static boolean waits(JsonNode row) {
    return row.path("state").asString("").equals("pending");
  }

  private static List<ItemRef> items(JsonNode array) throws Unfit {
    List<ItemRef> items = new ArrayList<>();
    for (JsonNode one : array) {
      String sidecar = one.path("sidecar").asString("");
      String id = one.path("id").asString("");
      if (one.size() != 2 || !ID.matcher(sidecar).matches() || !ID.matcher(id).matches()) {
        throw new Unfit("expected items: objects with sidecar and id");
      }
      items.add(new ItemRef(sidecar, id));
    }
    if (!array.isArray() || items.isEmpty() || items.size() > MAX_ITEMS) {
      throw new Unfit("expected items: 1 to " + MAX_ITEMS);
    }
    return items;
  }

  HttpReply link(ConsoleSession session, ItemRef ref, String text) throws Unfit {
    RequestBody body = RequestBody.parse(text, Set.of("role", "minutes"));
    String role = body.text("role", 20).orElse("auditor");
    if (!role.equals("auditor") && !role.equals("reviewer")) {
      throw new Unfit("expected role: auditor or reviewer");
    }
    long minutes = body.whole("minutes", 1, MAX_MINUTES).orElse(DEFAULT_MINUTES);
    return ConsoleReply.of(
        agents
            .link(session.who(), ref, role, TimeUnit.MINUTES.toMillis(minutes))
            .then(link ->
                Result.done(
                    JsonNodeFactory.instance
                        .objectNode()
                        .put("url", linkUrl.apply(link.path("token").asString("")))
                        .put("expiresAtMs", link.path("expiresAtMs").asLong(0)))));
  }

  HttpReply judge(ConsoleSession session, String text) throws Unfit {
    RequestBody body =
        RequestBody.parse(
            text, Set.of("sidecar", "review", "answer", "question", "evidence", "route"));
    String sidecar = body.text("sidecar", 128).orElse("");
    Optional<String> item = body.text("review", 128);
    if (!ID.matcher(sidecar).matches()
        || item.filter(id -> !ID.matcher(id).matches()).isPresent()) {
      throw new Unfit("expected sidecar, and review or nothing: their ids");
    }
    if (body.text("answer", TEXT_CHARACTERS).isEmpty()) {
      throw new Unfit("expected answer: the words to be judged");
    }
    body.text("question", TEXT_CHARACTERS);
    body.text("route", 200);
    for (JsonNode chunk : body.object().path("evidence")) {
      if (!chunk.path("id").isString() || !chunk.path("text").isString() || chunk.size() != 2) {
        throw new Unfit("expected evidence: objects with id and text");
      }
    }
    if (item.isPresent() && !session.readsWords()) {
      return ConsoleReply.problem(
          403, "role_missing", "the evidence of a held message is for reviewers");
    }
    return ConsoleReply.of(agents.judge(session.who(), body.object()));
  }
}
