package dev.parlance.cli;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads one input line of {@code score}: an object with {@code id}, {@code answer} (the only member
 * that must be there), {@code question}, {@code chunks:[{id,text}]}, {@code citations}, {@code E},
 * {@code confidence} and {@code profile}. Other members are ignored. UTF-8 is checked before JSON.
 */
final class ScoreReader {
  private static final JsonNode NO_ID = JsonNodeFactory.instance.nullNode();

  private ScoreReader() {}

  static ScoreInput read(byte[] line) {
    if (isBlank(line)) {
      return new ScoreInput.Malformed(
          NO_ID, LineFault.EMPTY_LINE, "expected a JSON object, got an empty line");
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)); // reports malformed input
    } catch (CharacterCodingException e) {
      return new ScoreInput.Malformed(NO_ID, LineFault.BAD_ENCODING, "not valid UTF-8");
    }
    if (line.length >= 3
        && line[0] == (byte) 0xEF
        && line[1] == (byte) 0xBB
        && line[2] == (byte) 0xBF) {
      return new ScoreInput.Malformed(
          NO_ID, LineFault.BAD_ENCODING, "a byte order mark stands before the JSON");
    }
    JsonNode root;
    try {
      root = Json.MAPPER.readTree(line);
    } catch (JacksonException e) {
      return new ScoreInput.Malformed(salvagedId(line), faultOf(e), place(e));
    }
    if (!root.isObject()) {
      return new ScoreInput.Malformed(
          NO_ID, LineFault.BAD_JSON, "expected a JSON object, got " + kind(root));
    }
    return new Fields(root).toInput();
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }

  private static LineFault faultOf(JacksonException problem) {
    if (problem instanceof StreamConstraintsException) {
      return LineFault.JSON_LIMIT;
    }
    return problem.getOriginalMessage().startsWith("Duplicate")
        ? LineFault.DUPLICATE_KEY
        : LineFault.BAD_JSON;
  }

  /** What is wrong and in which column; never text of the line, which may be anything. */
  private static String place(JacksonException problem) {
    String what =
        switch (faultOf(problem)) {
          case JSON_LIMIT ->
              "over a limit: depth "
                  + Json.DEPTH_MAX
                  + ", tokens "
                  + Json.TOKENS_MAX
                  + ", number 1000 digits";
          case DUPLICATE_KEY -> "a member name stands twice in one object";
          default -> "not JSON";
        };
    var location = problem.getLocation();
    return location == null || location.getColumnNr() < 1
        ? what
        : what + " (column " + location.getColumnNr() + ")";
  }

  /** The id of a line that breaks later on, or null. */
  private static JsonNode salvagedId(byte[] line) {
    try (JsonParser parser = Json.MAPPER.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return NO_ID;
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean isId = parser.currentName().equals("id");
        parser.nextToken();
        if (isId) {
          return scalarId(parser);
        }
        parser.skipChildren();
      }
      return NO_ID;
    } catch (JacksonException e) {
      return NO_ID; // it breaks before the id: then there is none to give back
    }
  }

  private static JsonNode scalarId(JsonParser parser) {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      return JsonNodeFactory.instance.numberNode(parser.getBigIntegerValue());
    }
    if (parser.currentToken() == JsonToken.VALUE_STRING && isText(parser.getString())) {
      return JsonNodeFactory.instance.stringNode(parser.getString());
    }
    return NO_ID;
  }

  private static boolean isId(JsonNode id) {
    return id.isNull() || id.isIntegralNumber() || (id.isString() && isText(id.stringValue()));
  }

  /** False if a lone surrogate stands in it: that is no Unicode text and would not survive. */
  private static boolean isText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  private static String kind(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "an array";
      case OBJECT, POJO -> "an object";
      case STRING -> "a string";
      case NUMBER -> node.isIntegralNumber() ? "an integer" : "a number";
      case BOOLEAN -> "a boolean";
      case NULL -> "null";
      case BINARY, MISSING -> "nothing";
    };
  }

  /** Takes an object apart and keeps the first fault. */
  private static final class Fields {
    private final JsonNode root;
    private Optional<LineFault> fault = Optional.empty();
    private String message = "";

    Fields(JsonNode root) {
      this.root = root;
    }

    ScoreInput toInput() {
      JsonNode id = root.path("id");
      if (id.isMissingNode()) {
        id = NO_ID;
      } else if (!isId(id)) {
        refuse(LineFault.BAD_TYPE, "id: expected a string or an integer, got " + kind(id));
        id = NO_ID;
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
        refuse(LineFault.BAD_TYPE, where + ": expected a string, got " + kind(node));
        return "";
      }
      if (!isText(node.stringValue())) {
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
          refuse(LineFault.BAD_TYPE, where + ": expected an object, got " + kind(chunk));
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
        refuse(LineFault.BAD_TYPE, name + ": expected an array, got " + kind(node));
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
        refuse(LineFault.BAD_TYPE, "E: expected an integer, got " + kind(node));
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
        refuse(LineFault.BAD_TYPE, "confidence: expected a number, got " + kind(node));
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
