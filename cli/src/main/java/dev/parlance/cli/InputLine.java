package dev.parlance.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line of JSON Lines that is to hold one object. UTF-8 is checked before JSON, and where the
 * line is malformed its id is given back if it can be read at all.
 */
public sealed interface InputLine {
  /** What stands for an id where there is none. */
  JsonNode NO_ID = JsonNodeFactory.instance.nullNode();

  /**
   * One object.
   *
   * @param members what is in it
   */
  record Members(ObjectNode members) implements InputLine {}

  /**
   * Something else.
   *
   * @param id its id; JSON null if none could be read
   * @param fault the stable code
   * @param message what is wrong and what was expected; never text of the line
   */
  record Malformed(JsonNode id, LineFault fault, String message) implements InputLine {}

  /** Reads a line without its line feed. */
  static InputLine read(byte[] line) {
    if (isBlank(line)) {
      return new Malformed(
          NO_ID, LineFault.EMPTY_LINE, "expected a JSON object, got an empty line");
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)); // reports malformed input
    } catch (CharacterCodingException e) {
      return new Malformed(NO_ID, LineFault.BAD_ENCODING, "not valid UTF-8");
    }
    if (line.length >= 3
        && line[0] == (byte) 0xEF
        && line[1] == (byte) 0xBB
        && line[2] == (byte) 0xBF) {
      return new Malformed(
          NO_ID, LineFault.BAD_ENCODING, "a byte order mark stands before the JSON");
    }
    JsonNode root;
    try {
      root = Json.MAPPER.readTree(line);
    } catch (JacksonException e) {
      return new Malformed(salvagedId(line), faultOf(e), place(e));
    }
    if (!root.isObject()) {
      return new Malformed(NO_ID, LineFault.BAD_JSON, "expected a JSON object, got " + kind(root));
    }
    return new Members((ObjectNode) root);
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
              "over a limit: depth %s, tokens %s, number 1000 digits"
                  .formatted(Json.DEPTH_MAX, Json.TOKENS_MAX);
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

  /** True for what may be an id: null, an integer, a string. */
  static boolean isId(JsonNode id) {
    return id.isNull() || id.isIntegralNumber() || (id.isString() && isText(id.stringValue()));
  }

  /** False if a lone surrogate stands in it: that is no Unicode text and would not survive. */
  static boolean isText(String text) {
    return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  /** What a value is, in words. */
  static String kind(JsonNode node) {
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

  /** The node, if it is what is expected; else a {@link LineFault.Problem}. */
  static JsonNode expect(JsonNode node, Predicate<JsonNode> isSo, String where, String expected) {
    if (isSo.test(node)) {
      return node;
    }
    LineFault fault = node.isMissingNode() ? LineFault.MISSING_FIELD : LineFault.BAD_TYPE;
    throw fault.problem(where + ": expected " + expected + ", got " + kind(node));
  }

  /** A string that must be there. */
  static String text(JsonNode node, String where) {
    String text = expect(node, JsonNode::isString, where, "a string").stringValue();
    if (!isText(text)) {
      throw LineFault.BAD_JSON.problem(where + ": a lone surrogate escape is no text");
    }
    return text;
  }

  /** An array that must be there. */
  static JsonNode array(JsonNode node, String where) {
    return expect(node, JsonNode::isArray, where, "an array");
  }
}
