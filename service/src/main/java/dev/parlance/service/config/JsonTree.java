package dev.parlance.service.config;

import java.io.InputStream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a JSON text of ours into a tree. A mapper would do the same and brings some hundred classes
 * with it, which a process would load at every start for this one file.
 */
public final class JsonTree {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonTree() {}

  /** The one value of the text. */
  public static JsonNode read(InputStream in) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), in)) {
      parser.nextToken();
      return value(parser);
    }
  }

  private static JsonNode value(JsonParser at) {
    return switch (at.currentToken()) {
      case START_OBJECT -> {
        ObjectNode object = NODES.objectNode();
        while (at.nextToken() != JsonToken.END_OBJECT) {
          String name = at.currentName();
          at.nextToken();
          object.set(name, value(at));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        while (at.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(at));
        }
        yield array;
      }
      case VALUE_STRING -> NODES.stringNode(at.getString());
      case VALUE_NUMBER_INT -> integer(at.getLongValue());
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(at.getDoubleValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("no JSON value: " + at.currentToken());
    };
  }

  private static JsonNode integer(long value) {
    return value == (int) value ? NODES.numberNode((int) value) : NODES.numberNode(value);
  }
}
