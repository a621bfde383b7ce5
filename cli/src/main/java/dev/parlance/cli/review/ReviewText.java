package dev.parlance.cli.review;

import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TimeText;
import dev.parlance.client.SidecarClient;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Held messages for a person. Everything that comes from agents is made inert first. */
final class ReviewText {
  private static final int BLOCK_CHARACTERS_MAX = 4_000;
  private static final String[] COLUMNS = {
    "ID", "STATE", "AGE", "ROUTE", "REASONS", "ASP", "QUESTION"
  };

  private ReviewText() {}

  /** A page; {@code arguments} are repeated in the command that is suggested for the next one. */
  static void printList(PrintStream out, JsonNode body, long nowMs, String arguments) {
    JsonNode items = body.path("items");
    if (!items.isArray() || items.isEmpty()) {
      out.println("nothing is held that fits");
      return;
    }
    List<String[]> rows = new ArrayList<>();
    rows.add(COLUMNS);
    for (JsonNode item : items) {
      rows.add(
          new String[] {
            shown(item, "id", 40),
            shown(item, "state", 10),
            age(item, "heldAtMs", nowMs),
            shown(item, "routeRule", 20),
            TerminalEscaper.shortened(reasons(item), 30),
            shown(item, "asp", 40),
            shown(item, "question", 50)
          });
    }
    int[] widths = new int[COLUMNS.length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
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
  }

  /**
   * One item.
   *
   * @param arguments repeated in the commands that are suggested
   * @param who who would decide
   */
  static void printItem(
      PrintStream out, JsonNode item, boolean full, long nowMs, String arguments, String who) {
    fact(out, "id", shown(item, "id", 128));
    fact(out, "state", shown(item, "state", 20));
    fact(out, "held", age(item, "heldAtMs", nowMs) + " ago");
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
    block(out, "answer", SidecarClient.firstText(item, "answer"), full);
    String id = shown(item, "id", 128);
    if (SidecarClient.firstText(item, "state").equals("pending")) {
      out.println();
      String person = " --who " + quoted(who.isEmpty() ? "NAME" : who);
      out.println("let it pass:  parlance review release " + id + person + arguments);
      out.println("refuse it:    parlance review reject " + id + person + arguments);
    }
    String decisionId = shown(item, "decisionId", 128);
    if (!decisionId.isEmpty()) {
      out.println("why:          parlance explain " + decisionId + arguments);
    }
  }

  static void printDecided(PrintStream out, JsonNode item, String id, String verb, String who) {
    boolean isReleased = verb.equals("release");
    out.println(TerminalEscaper.line(id + (isReleased ? " released by " : " rejected by ") + who));
    if (SidecarClient.firstText(item, "kind").equals("term")) {
      out.println(isReleased ? "agents are shown it from now on" : "it is off its board");
    } else if (isReleased) {
      out.println("it is delivered when its sender asks for it, or sends the same again");
    }
  }

  /** What was decided of several, for a person. */
  static void printDecided(PrintStream out, JsonNode body, String verb, String who) {
    String done = verb.equals("release") ? " released by " : " rejected by ";
    out.println(TerminalEscaper.line(body.path("decided").size() + done + who));
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
