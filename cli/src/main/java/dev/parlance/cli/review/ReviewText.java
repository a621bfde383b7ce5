package dev.parlance.cli.review;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.client.SidecarClient;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Held messages for a person. Everything that comes from agents is made inert first. */
final class ReviewText {
  private static final int BLOCK_CHARACTERS_MAX = 4_000;
  private static final int CLAIMS_MAX = 5;

  private ReviewText() {}

  /** A page; {@code arguments} are repeated in the command that is suggested for the next one. */
  static void printList(PrintStream out, JsonNode body, long nowMs, String arguments) {
    JsonNode items = body.path("items");
    if (!items.isArray() || items.isEmpty()) {
      out.println("nothing is held that fits");
      return;
    }
    var table = new TextTable("", "ID, STATE, AGE, ROUTE, REASONS, ASP, QUESTION");
    for (JsonNode item : items) {
      table.add(
          shown(item, "id", 40),
          TerminalEscaper.shortened(state(item), 20),
          age(item, "heldAtMs", nowMs),
          shown(item, "routeRule", 20),
          TerminalEscaper.shortened(reasons(item), 30),
          shown(item, "asp", 40),
          shown(item, "question", 50));
    }
    table.print(out);
    out.println();
    String next = shown(body, "next", 200);
    out.println(
        items.size()
            + " of "
            + body.path("total").asInt(items.size())
            + (next.isEmpty()
                ? ""
                : "; all of them: --all; the next page: parlance review list --after "
                    + next
                    + arguments));
    body.path("facets")
        .forEachEntry((name, counts) ->
            fact(out, name, name.equals("g") ? grounding(counts) : counts(counts)));
  }

  /** How many there are in each twentieth of the range from 0 to 1. */
  private static String grounding(JsonNode facet) {
    List<String> counts = new ArrayList<>();
    int step = 0;
    for (JsonNode count : facet.path("counts")) {
      if (count.asInt(0) > 0) {
        counts.add(String.format(Locale.ROOT, "%.2f+: %d", step * 0.05, count.asInt(0)));
      }
      step++;
    }
    if (facet.path("unknown").asInt(0) > 0) {
      counts.add("not measured: " + facet.path("unknown").asInt(0));
    }
    return String.join(", ", counts);
  }

  /**
   * One item.
   *
   * @param arguments repeated in the commands that are suggested
   * @param who who would decide
   */
  static void printItem(
      Terminal terminal, JsonNode item, boolean full, long nowMs, String arguments, String who) {
    PrintStream out = terminal.out();
    fact(out, "id", shown(item, "id", 128));
    fact(out, "state", shown(item, "state", 20));
    fact(out, "held", age(item, "heldAtMs", nowMs) + " ago");
    JsonNode review = item.path("review");
    fact(out, "only for", shown(review, "only", 100));
    if (review.path("claim").isObject()) {
      fact(out, "claimed by", shown(review.path("claim"), "who", 200));
    }
    int people = review.path("people").asInt(1);
    if (people > 1) {
      fact(out, "people", review.path("voted").asInt(0) + " of " + people + " have decided");
    }
    if (review.path("escalations").asInt(0) > 0) {
      fact(out, "escalated", "to " + shown(review, "queue", 200));
    }
    fact(out, "reasons", TerminalEscaper.line(reasons(item)));
    fact(out, "header", shown(item, "asp", 400));
    fact(out, "attempts", item.path("attempts").asString(""));
    fact(
        out,
        "what",
        "%s %s, %s"
            .formatted(
                shown(item, "direction", 20), shown(item, "kind", 20), shown(item, "protocol", 20))
            .strip());
    fact(out, "route", shown(item, "routeRule", 40));
    fact(out, "from", shown(item, "caller", 200));
    fact(out, "to", shown(item, "destination", 200));
    fact(out, "flow", shown(item, "flow", 200));
    fact(out, "decision", shown(item, "decisionId", 128));
    JsonNode decision = item.path("decision");
    if (decision.isObject()) {
      fact(out, "decided by", shown(decision, "who", 200));
      fact(out, "decided", age(decision, "atMs", nowMs) + " ago");
      fact(out, "note", shown(decision, "note", 2_000));
    }
    if (SidecarClient.firstText(item, "state").equals("expired")) {
      fact(out, "expired", age(item, "settledAtMs", nowMs) + " ago; nobody collected it in time");
    }
    block(out, "question", SidecarClient.firstText(item, "question"), full);
    // What a term means is held against no evidence.
    JsonNode drafts =
        SidecarClient.firstText(item, "kind").equals("term")
            ? MissingNode.getInstance()
            : item.path("judged");
    for (int i = 0; i < item.path("drafts").size(); i++) {
      String text = item.path("drafts").path(i).asString("");
      draft(terminal, "draft " + (i + 1), text, drafts.path(i), full);
    }
    JsonNode held = drafts.path(drafts.size() - 1);
    draft(terminal, "answer", SidecarClient.firstText(item, "answer"), held, full);
    why(out, held.path("judgement"), item.path("evidence"));
    for (JsonNode chunk : item.path("evidence")) {
      block(
          out, "evidence " + shown(chunk, "id", 60), SidecarClient.firstText(chunk, "text"), full);
    }
    if (item.path("evidenceCut").asBoolean()) {
      out.println("  (there was more evidence than the sidecar keeps: review.evidenceBytes)");
    }
    String id = shown(item, "id", 128);
    if (SidecarClient.firstText(item, "state").equals("pending")) {
      out.println();
      String person = " --who " + quoted(who.isEmpty() ? "NAME" : who);
      out.println("let it pass:  parlance review release " + id + person + arguments);
      out.println("refuse it:    parlance review reject " + id + person + arguments);
      out.println("ask again:    parlance review send-back " + id + person + arguments);
    }
    String decisionId = shown(item, "decisionId", 128);
    if (!decisionId.isEmpty()) {
      out.println("why:          parlance explain " + decisionId + arguments);
    }
  }

  /** A draft with its unsupported words marked, if the sidecar has said which they are. */
  private static void draft(
      Terminal terminal, String name, String text, JsonNode judged, boolean full) {
    boolean marks = judged.path("answer").asString("").equals(text) && !text.isEmpty();
    if (marks && (full || text.length() <= BLOCK_CHARACTERS_MAX)) {
      terminal.out().println();
      terminal.out().println(name + ":");
      MarkedText.of(terminal, judged)
          .lines()
          .forEach(line -> terminal.out().println("  | " + line));
    } else {
      block(terminal.out(), name, text, full);
    }
  }

  /** Why it is here, in sentences, and the sentences of it that the evidence carries least. */
  private static void why(PrintStream out, JsonNode judgement, JsonNode evidence) {
    if (judgement.path("reasons").isEmpty()) {
      return;
    }
    out.println();
    out.println("as it is judged now: " + shown(judgement, "route", 20));
    for (JsonNode reason : judgement.path("reasons")) {
      out.println("  - " + shown(reason, "sentence", 300));
    }
    int told = 0;
    for (JsonNode claim : judgement.path("claims")) {
      JsonNode nearest = claim.path("nearest");
      if (claim.path("weak").asBoolean() && nearest.isObject() && told++ < CLAIMS_MAX) {
        JsonNode chunk = evidence.path(nearest.path("chunk").asInt());
        byte[] text = SidecarClient.firstText(chunk, "text").getBytes(StandardCharsets.UTF_8);
        int from = Math.clamp(nearest.path("from").asInt(), 0, text.length);
        int to = Math.clamp(nearest.path("to").asInt(), from, text.length);
        out.println(
            "  nearest in %s: %s"
                .formatted(
                    shown(chunk, "id", 60),
                    TerminalEscaper.shortened(
                        new String(text, from, to - from, StandardCharsets.UTF_8), 300)));
      }
    }
  }

  /** A verb as what was done. */
  static String past(String verb) {
    return switch (verb) {
      case "release" -> "released";
      case "reject" -> "rejected";
      default -> "sent back";
    };
  }

  /** What a person has decided, and until when it can be undone. */
  static void printDecided(
      PrintStream out, JsonNode item, String id, String verb, String who, String arguments) {
    JsonNode review = item.path("review");
    out.println(TerminalEscaper.line(id + " " + past(verb) + " by " + who));
    if (SidecarClient.firstText(item, "kind").equals("term")) {
      out.println(
          verb.equals("release") ? "agents are shown it from now on" : "it is off its board");
    } else if (SidecarClient.firstText(review, "phase").equals("decided")) {
      long leftMs = review.path("countsAtMs").asLong(0) - System.currentTimeMillis();
      out.println(
          "it counts in "
              + Math.max(0, (leftMs + 999) / 1000)
              + " s; until then: parlance review undo "
              + TerminalEscaper.line(id)
              + " --who "
              + quoted(who)
              + (item.path("identical").isObject() ? " --identical" : "")
              + arguments);
    } else if (SidecarClient.firstText(item, "state").equals("pending")
        && review.path("people").asInt(1) > 1) {
      out.println(
          "it waits for others: "
              + review.path("voted").asInt(0)
              + " of "
              + review.path("people").asInt(1)
              + " have decided, or they disagree");
    }
    if (verb.equals("release") && !SidecarClient.firstText(item, "kind").equals("term")) {
      out.println("it is delivered when its sender asks for it, or sends the same again");
    }
    printIdentical(out, item);
  }

  /** What became of the others that say the same, if they were meant as well. */
  static void printIdentical(PrintStream out, JsonNode item) {
    JsonNode identical = item.path("identical");
    if (identical.isObject()) {
      out.println("with it " + identical.path("decided").size() + " that say the same");
      for (JsonNode failed : identical.path("failed")) {
        out.println(shown(failed, "id", 128) + ": " + shown(failed, "code", 40));
      }
    }
  }

  /** How the queue and its reviewers do. */
  static void printStats(PrintStream out, JsonNode stats) {
    fact(out, "waiting", stats.path("waiting").asString(""));
    fact(out, "oldest", TimeText.of(stats.path("oldestAgeMs").asLong(0)));
    fact(out, "phases", counts(stats.path("phases")));
    fact(out, "queues", counts(stats.path("queues")));
    fact(out, "decided", counts(stats.path("decided")));
    if (stats.has("medianDecisionMs")) {
      fact(out, "median", TimeText.of(stats.path("medianDecisionMs").asLong(0)));
    }
    fact(out, "escalations", stats.path("escalations").asString(""));
    JsonNode agreement = stats.path("agreement");
    fact(out, "reviewed by several", agreement.path("items").asString(""));
    figure(out, "agree", agreement, "observed");
    figure(out, "Cohen's kappa", agreement, "cohenKappa");
    figure(out, "Fleiss' kappa", agreement, "fleissKappa");
    for (JsonNode pair : agreement.path("pairs")) {
      out.println(
          shown(pair, "one", 40)
              + ", "
              + shown(pair, "other", 40)
              + ": "
              + pair.path("items").asInt(0)
              + (pair.has("kappa")
                  ? String.format(Locale.ROOT, ", kappa %.2f", pair.path("kappa").asDouble(0))
                  : ""));
    }
    for (JsonNode reviewer : stats.path("reviewers")) {
      out.println(
          shown(reviewer, "who", 40)
              + ": "
              + reviewer.path("votes").asInt(0)
              + " decided, "
              + reviewer.path("inMajority").asInt(0)
              + " as it came to be");
    }
  }

  private static void figure(PrintStream out, String name, JsonNode object, String member) {
    if (object.has(member)) {
      fact(out, name, String.format(Locale.ROOT, "%.3f", object.path(member).asDouble(0)));
    }
  }

  private static String counts(JsonNode object) {
    List<String> counts = new ArrayList<>();
    object.forEachEntry((name, count) -> counts.add(name + " " + count.asInt(0)));
    return TerminalEscaper.line(String.join(", ", counts));
  }

  /** A claim, or a decision that can be undone, says more than that it waits. */
  private static String state(JsonNode item) {
    String phase = SidecarClient.firstText(item.path("review"), "phase");
    return phase.isEmpty() || phase.equals("open") ? SidecarClient.firstText(item, "state") : phase;
  }

  /** What was decided of several, for a person. */
  static void printDecided(PrintStream out, JsonNode body, String verb, String who) {
    out.println(
        TerminalEscaper.line(body.path("decided").size() + " " + past(verb) + " by " + who));
    for (JsonNode failed : body.path("failed")) {
      out.println(shown(failed, "id", 128) + ": " + shown(failed, "message", 400));
    }
  }

  /** A word of a shell. */
  static String quoted(String word) {
    String inert = TerminalEscaper.line(word);
    return inert.matches("[A-Za-z0-9._@-]+") ? inert : "'" + inert.replace("'", "'\\''") + "'";
  }

  private static void fact(PrintStream out, String name, String value) {
    if (!value.isBlank()) {
      out.println(String.format(Locale.ROOT, "%-11s %s", name, value));
    }
  }

  private static void block(PrintStream out, String name, String text, boolean full) {
    if (text.isEmpty()) {
      return;
    }
    boolean cut = !full && text.length() > BLOCK_CHARACTERS_MAX;
    String shown =
        cut
            ? text.substring(
                0, text.offsetByCodePoints(0, text.codePointCount(0, BLOCK_CHARACTERS_MAX)))
            : text;
    out.println();
    out.println(name + ":");
    TerminalEscaper.block(shown).lines().forEach(line -> out.println("  | " + line));
    if (cut) {
      out.println(
          "  (" + (text.length() - shown.length()) + " more characters; --full prints them)");
    }
  }

  private static String shown(JsonNode object, String name, int maxCodePoints) {
    return TerminalEscaper.shortened(SidecarClient.firstText(object, name), maxCodePoints);
  }

  private static String reasons(JsonNode item) {
    List<String> reasons = new ArrayList<>();
    for (JsonNode reason : item.path("reasons")) {
      reasons.add(reason.asString(""));
    }
    return String.join(", ", reasons);
  }

  private static String age(JsonNode item, String member, long nowMs) {
    return item.path(member).isIntegralNumber()
        ? TimeText.since(item.path(member).longValue(), nowMs)
        : "";
  }
}
