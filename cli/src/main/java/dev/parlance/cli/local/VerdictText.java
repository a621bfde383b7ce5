package dev.parlance.cli.local;

import static dev.parlance.client.SidecarClient.firstText;

import dev.parlance.cli.review.ReasonTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Lines of a decision log as sentences: what becomes of the message and why, in the words of the
 * table of reasons. What helps against a reason is said when it first occurs.
 */
final class VerdictText {
  private static final String NO_EVIDENCE = "no_evidence";
  private static final String PENDING = "review_pending";
  private static final Map<String, ReasonTable.Row> REASONS = ReasonTable.rows();

  private final String dataDir;
  private final Set<String> seen = new HashSet<>();
  private boolean explained;

  /**
   * @param dataDir of the sidecar, for the commands that are shown
   */
  VerdictText(String dataDir) {
    this.dataDir = dataDir;
  }

  /** What is to be said of a line; nothing of most that are no verdicts. */
  List<String> of(JsonNode line) {
    return switch (firstText(line, "type")) {
      case "decision" -> decision(line);
      case "rejection" -> rejection(line);
      case "review" -> review(line);
      default -> List.of();
    };
  }

  private List<String> decision(JsonNode line) {
    String route = firstText(line, "route");
    boolean isJudged = line.path("signals").isObject() || line.has("judgedBy");
    if (route.equals("execute") && !isJudged) {
      return List.of(); // what an agent's port is asked for beside messages
    }
    List<String> codes =
        line.path("reasons").valueStream().map(reason -> reason.asString("")).toList();
    if (codes.equals(List.of(PENDING)) && !seen.add(PENDING + firstText(line, "flow"))) {
      return List.of(); // its sender asks for it again and again
    }
    List<String> text = new ArrayList<>();
    text.add("%s %s: %s%s".formatted(message(line), fate(line), because(codes), signals(line)));
    if (!route.equals("execute")) {
      help(codes).ifPresent(text::add);
      if (codes.contains(NO_EVIDENCE) && firstText(line, "kind").equals("response")) {
        text.addAll(whatToAdd(firstText(line, "protocol")));
      }
      if (!explained) {
        explained = true;
        text.add(
            "  in full: parlance explain %s --data-dir %s"
                .formatted(firstText(line, "id"), dataDir));
      }
    }
    return text;
  }

  /** Which message it is. */
  private static String message(JsonNode line) {
    boolean isAnswer = firstText(line, "kind").equals("response");
    boolean isInbound = firstText(line, "direction").equals("inbound");
    String path = firstText(line, "method") + " " + firstText(line, "path");
    if (isAnswer) {
      return (isInbound ? "the agent's answer to " : "the answer that the agent got to ") + path;
    }
    return (isInbound ? "the question " : "what the agent asked, ") + path + ",";
  }

  /** What becomes of it, or would. */
  private static String fate(JsonNode line) {
    String route = firstText(line, "route");
    boolean isObserved = firstText(line, "mode").equals("observe");
    return switch (route) {
      case "execute" -> "passes";
      case "warn" -> isObserved ? "passes, with a warning if enforced" : "passes with a warning";
      case "regenerate" ->
          isObserved
              ? "passes; enforced, its author would be asked again"
              : firstText(line, "action").equals("ask_again")
                  ? "goes back to its author, draft " + line.path("attempt").asInt(1)
                  : "is refused";
      case "yield" ->
          isObserved ? "passes; enforced, it would wait for a person" : "waits for a person";
      default -> route;
    };
  }

  private static String because(List<String> codes) {
    return codes.stream()
        .map(code -> {
          ReasonTable.Row row = REASONS.get(code);
          return row == null ? code : row.sentence() + " (" + code + ")";
        })
        .collect(Collectors.joining("; "));
  }

  private static String signals(JsonNode line) {
    JsonNode signals = line.path("signals");
    return signals.isObject()
        ? String.format(
            Locale.ROOT,
            " [@G %.2f @S %.2f]",
            signals.path("grounding").asDouble(Double.NaN),
            signals.path("stochasticity").asDouble(Double.NaN))
        : "";
  }

  /** What helps against the first reason, once. */
  private Optional<String> help(List<String> codes) {
    ReasonTable.Row row = codes.isEmpty() ? null : REASONS.get(codes.getFirst());
    return row == null || row.fault().equals("none") || !seen.add(row.code())
        ? Optional.empty()
        : Optional.of("  helps: " + row.remedy());
  }

  /** What an answer of this protocol needs beside it, once. */
  private List<String> whatToAdd(String protocol) {
    if (!seen.add("what to add to " + protocol)) {
      return List.of();
    }
    if (protocol.startsWith("a2a")) {
      return List.of(
          "  add to the message, task or artifact what it rests on, and cite it in the text:"
              + " [Chunk c1]",
          "    \"metadata\": {\"https://w3id.org/parlance/ext/evidence/v1\":"
              + " {\"context\": [{\"id\": \"c1\", \"text\": \"THE PASSAGE\"}]}}");
    }
    return switch (protocol) {
      case "mcp" ->
          List.of(
              "  add to the result what it rests on, and cite it in the text: [Chunk c1]",
              "    \"_meta\": {\"org.w3id.parlance/evidence\":"
                  + " {\"context\": [{\"id\": \"c1\", \"text\": \"THE PASSAGE\"}]}}");
      case "openai" ->
          List.of(
              "  give the model what it is to rest on, in the system text or the question:",
              "    <documents><document id=\"c1\">THE PASSAGE</document></documents>");
      default ->
          List.of(
              "  name where request and answer hold question, text and sources: json.request and"
                  + " json.response of the route");
    };
  }

  private static List<String> rejection(JsonNode line) {
    String code = firstText(line, "code");
    ReasonTable.Row row = REASONS.get(code);
    return List.of(
        "refused before anybody judged it: "
            + (row == null
                ? code
                : "%s (%s); helps: %s".formatted(row.sentence(), code, row.remedy())));
  }

  private static List<String> review(JsonNode line) {
    String who = firstText(line, "who");
    return List.of(
        "held message %s: %s%s"
            .formatted(
                firstText(line, "reviewId"),
                firstText(line, "what"),
                who.isEmpty() ? "" : " by " + who));
  }
}
