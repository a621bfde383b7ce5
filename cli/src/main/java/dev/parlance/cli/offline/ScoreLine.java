package dev.parlance.cli.offline;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.CitationId;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an input line of {@code score} says. Its members are those of a message's evidence, under
 * the same names; one that is not known, a value out of its range and two texts under one id are
 * faults of the line, so that nothing is left out in silence.
 *
 * @param message the answer with its question and evidence
 * @param errors regenerations so far
 * @param profile the profile's name, if the line has one
 */
record ScoreLine(AgentMessage message, int errors, Optional<String> profile) {
  private static final Set<String> MEMBERS =
      Set.of(
          "id",
          "answer",
          "question",
          "chunks",
          "context",
          "citations",
          "confidence",
          "assumptions",
          "E",
          "profile",
          "set",
          "label",
          "kind",
          "doc");
  private static final Set<String> OF_CHUNK = Set.of("id", "text", "uri");
  private static final Set<String> OF_ASSUMPTION = Set.of("basis", "id");

  /** Reads a line, or throws a {@link LineFault.Problem}. */
  static ScoreLine read(ObjectNode line) {
    expectKnown(line, MEMBERS, "");
    String answer = InputLine.text(line.path("answer"), "answer");
    String question = line.has("question") ? InputLine.text(line.path("question"), "question") : "";
    List<Chunk> all = chunks(line);
    List<Chunk> chunks = all.subList(0, Math.min(all.size(), Evidence.MAX_CHUNKS));
    List<String> citations = new ArrayList<>();
    for (JsonNode citation : arrayIn(line, "citations")) {
      citations.add(InputLine.text(citation, "citations[" + citations.size() + "]"));
    }
    Evidence evidence =
        new Evidence(
            chunks.isEmpty() ? EvidenceSource.NONE : EvidenceSource.DECLARED,
            chunks,
            citations,
            confidence(line.path("confidence")),
            assumptions(line),
            Math.max(0, all.size() - Evidence.MAX_CHUNKS));
    return new ScoreLine(
        new AgentMessage(Utf8Span.of(answer), Utf8Span.of(question), evidence),
        errors(line.path("E")),
        line.hasNonNull("profile")
            ? Optional.of(InputLine.text(line.path("profile"), "profile"))
            : Optional.empty());
  }

  private static void expectKnown(JsonNode object, Set<String> known, String where) {
    for (String name : object.propertyNames()) {
      if (!known.contains(name)) {
        throw LineFault.UNKNOWN_MEMBER.problem(
            "unknown member %s%s; expected %s"
                .formatted(
                    where,
                    TerminalEscaper.shortened(name, 64),
                    String.join(", ", known.stream().sorted().toList())));
      }
    }
  }

  private static List<Chunk> chunks(ObjectNode line) {
    if (line.has("chunks") && line.has("context")) {
      throw LineFault.BAD_VALUE.problem("chunks and context: expected one of the two");
    }
    String name = line.has("context") ? "context" : "chunks";
    List<Chunk> chunks = new ArrayList<>();
    Map<String, Utf8Span> texts = new HashMap<>();
    int index = 0;
    for (JsonNode entry : arrayIn(line, name)) {
      Chunk chunk = chunk(entry, name + "[" + index++ + "]");
      String id = CitationId.canonical(chunk.id());
      if (id.isEmpty() || !texts.containsKey(id)) {
        texts.put(id, chunk.text());
        chunks.add(chunk);
      } else if (!chunk.text().equals(texts.get(id))) {
        throw LineFault.DUPLICATE_ID.problem(
            "%s[%d].id: two different texts have the id %s"
                .formatted(name, index - 1, TerminalEscaper.shortened(chunk.id(), 64)));
      }
    }
    return chunks;
  }

  /** An entry may be a text without id, as in a message. */
  private static Chunk chunk(JsonNode entry, String where) {
    if (entry.isString()) {
      return new Chunk("", Utf8Span.of(InputLine.text(entry, where)));
    }
    InputLine.expect(entry, JsonNode::isObject, where, "an object or a string");
    expectKnown(entry, OF_CHUNK, where + ".");
    JsonNode id = entry.path("id");
    boolean given = !id.isMissingNode() && !id.isNull();
    return new Chunk(
        !given ? "" : id.isIntegralNumber() ? id.asString() : InputLine.text(id, where + ".id"),
        Utf8Span.of(InputLine.text(entry.path("text"), where + ".text")));
  }

  private static Iterable<JsonNode> arrayIn(ObjectNode line, String name) {
    return line.has(name) ? InputLine.array(line.path(name), name) : List.of();
  }

  private static int errors(JsonNode node) {
    if (node.isMissingNode()) {
      return 0;
    }
    InputLine.expect(node, JsonNode::isIntegralNumber, "E", "an integer");
    if (!node.canConvertToInt() || node.intValue() < 0) {
      throw LineFault.BAD_VALUE.problem("E: expected an integer from 0 to " + Integer.MAX_VALUE);
    }
    return node.intValue();
  }

  private static OptionalDouble confidence(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return OptionalDouble.empty();
    }
    double given =
        InputLine.expect(node, JsonNode::isNumber, "confidence", "a number").doubleValue();
    if (!(given >= 0.0 && given <= 1.0)) {
      throw LineFault.BAD_VALUE.problem("confidence: expected a number from 0 to 1");
    }
    return OptionalDouble.of(given);
  }

  private static List<Assumption> assumptions(ObjectNode line) {
    List<Assumption> assumptions = new ArrayList<>();
    for (JsonNode entry : arrayIn(line, "assumptions")) {
      assumptions.add(assumption(entry, "assumptions[" + assumptions.size() + "]"));
    }
    return assumptions;
  }

  /** {@code {"basis":"K","id":"42"}} or {@code "K:42"}. */
  private static Assumption assumption(JsonNode entry, String where) {
    String basis;
    String id;
    if (entry.isString()) {
      String text = InputLine.text(entry, where);
      int colon = Math.max(0, text.indexOf(':'));
      basis = text.substring(0, colon).strip();
      id = text.substring(colon).replaceFirst("^:", "").strip();
    } else {
      InputLine.expect(entry, JsonNode::isObject, where, "an object or a string");
      expectKnown(entry, OF_ASSUMPTION, where + ".");
      basis = InputLine.text(entry.path("basis"), where + ".basis");
      id = InputLine.text(entry.path("id"), where + ".id");
    }
    for (Assumption.Basis known : Assumption.Basis.values()) {
      if (known.name().equals(basis) && Assumption.isId(id)) {
        return new Assumption(known, id);
      }
    }
    throw LineFault.BAD_VALUE.problem(
        "%s: expected a basis of %s and an id of [A-Za-z0-9][A-Za-z0-9._-]{0,63}"
            .formatted(
                where, List.of(Assumption.Basis.values()).toString().toUpperCase(Locale.ROOT)));
  }
}
