package dev.parlance.cli.offline;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads one input line of {@code score}: an object with {@code id}, {@code answer} (the only member
 * that must be there), {@code question}, {@code chunks:[{id,text}]}, {@code citations}, {@code E},
 * {@code confidence} and {@code profile}. Other members are ignored.
 */
final class ScoreReader {
  private ScoreReader() {}

  static ScoreInput read(byte[] line) {
    return switch (InputLine.read(line)) {
      case InputLine.Malformed(JsonNode id, LineFault fault, String message) ->
          new ScoreInput.Malformed(id, fault, message);
      case InputLine.Members(ObjectNode members) -> new Fields(members).toInput();
    };
  }

  /** Takes an object apart and keeps the first fault. */
  private static final class Fields {
    private final ObjectNode root;
    private Optional<LineFault> fault = Optional.empty();
    private String message = "";

    Fields(ObjectNode root) {
      this.root = root;
    }

    ScoreInput toInput() {
      JsonNode id = root.path("id");
      if (id.isMissingNode()) {
        id = InputLine.NO_ID;
      } else if (!InputLine.isId(id)) {
        refuse(
            LineFault.BAD_TYPE, "id: expected a string or an integer, got " + InputLine.kind(id));
        id = InputLine.NO_ID;
      }
      if (!root.has("answer")) {
        refuse(LineFault.MISSING_FIELD, "answer: expected a string, got nothing");
      }
      String answer = text("answer");
      String question = text("question");
      List<Chunk> chunks = chunks();
      List<String> citations = citations();
      int errors = errors();
      OptionalDouble confidence = confidence();
      Optional<String> profile = profile();
      if (fault.isPresent()) {
        return new ScoreInput.Malformed(id, fault.get(), message);
      }
      var evidence =
          new Evidence(
              chunks.isEmpty() ? EvidenceSource.NONE : EvidenceSource.DECLARED,
              chunks,
              citations,
              confidence,
              List.of());
      return new ScoreInput.Scorable(
          id,
          new AgentMessage(Utf8Span.of(answer), Utf8Span.of(question), evidence),
          errors,
          profile);
    }

    private void refuse(LineFault newFault, String newMessage) {
      if (fault.isEmpty()) {
        fault = Optional.of(newFault);
        message = newMessage;
      }
    }

    private String text(String name) {
      JsonNode node = root.path(name);
      return node.isMissingNode() ? "" : text(node, name);
    }

    private String text(JsonNode node, String where) {
      if (node.isMissingNode()) {
        refuse(LineFault.MISSING_FIELD, where + ": expected a string, got nothing");
        return "";
      }
      if (!node.isString()) {
        refuse(LineFault.BAD_TYPE, where + ": expected a string, got " + InputLine.kind(node));
        return "";
      }
      if (!InputLine.isText(node.stringValue())) {
        refuse(LineFault.BAD_JSON, where + ": a lone surrogate escape is no text");
        return "";
      }
      return node.stringValue();
    }

    private List<Chunk> chunks() {
      List<Chunk> chunks = new ArrayList<>();
      for (JsonNode chunk : array("chunks")) {
        String where = "chunks[" + chunks.size() + "]";
        if (!chunk.isObject()) {
          refuse(LineFault.BAD_TYPE, where + ": expected an object, got " + InputLine.kind(chunk));
          return List.of();
        }
        chunks.add(
            new Chunk(
                text(chunk.path("id"), where + ".id"),
                Utf8Span.of(text(chunk.path("text"), where + ".text"))));
      }
      return chunks;
    }

    private List<String> citations() {
      List<String> citations = new ArrayList<>();
      for (JsonNode citation : array("citations")) {
        citations.add(text(citation, "citations[" + citations.size() + "]"));
      }
      return citations;
    }

    private Iterable<JsonNode> array(String name) {
      JsonNode node = root.path(name);
      if (node.isMissingNode()) {
        return List.of();
      }
      if (!node.isArray()) {
        refuse(LineFault.BAD_TYPE, name + ": expected an array, got " + InputLine.kind(node));
        return List.of();
      }
      return node;
    }

    private int errors() {
      JsonNode node = root.path("E");
      if (node.isMissingNode()) {
        return 0;
      }
      if (!node.isIntegralNumber()) {
        refuse(LineFault.BAD_TYPE, "E: expected an integer, got " + InputLine.kind(node));
        return 0;
      }
      if (!node.canConvertToInt() || node.intValue() < 0) {
        refuse(LineFault.BAD_VALUE, "E: expected an integer from 0 to " + Integer.MAX_VALUE);
        return 0;
      }
      return node.intValue();
    }

    private OptionalDouble confidence() {
      JsonNode node = root.path("confidence");
      if (node.isMissingNode() || node.isNull()) {
        return OptionalDouble.empty();
      }
      if (!node.isNumber()) {
        refuse(LineFault.BAD_TYPE, "confidence: expected a number, got " + InputLine.kind(node));
        return OptionalDouble.empty();
      }
      double confidence = node.doubleValue();
      if (!Double.isFinite(confidence)) {
        refuse(LineFault.BAD_VALUE, "confidence: expected a finite number");
        return OptionalDouble.empty();
      }
      return OptionalDouble.of(Math.clamp(confidence, 0.0, 1.0)); // Eq. 3: @C = clamp(c_conf)
    }

    private Optional<String> profile() {
      JsonNode node = root.path("profile");
      return node.isMissingNode() || node.isNull()
          ? Optional.empty()
          : Optional.of(text(node, "profile"));
    }
  }
}
