package dev.parlance.service.config;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * One YAML document as JSON, with the place of every key and value.
 *
 * @param root the document
 * @param values JSON Pointer to the place of the value
 * @param keys JSON Pointer to the place of the key; only members of mappings have one
 */
public record YamlDocument(
    JsonNode root, Map<String, Position> values, Map<String, Position> keys) {
  /** A document that could not be read at all. */
  public static final YamlDocument NOTHING =
      new YamlDocument(MissingNode.getInstance(), Map.of(), Map.of());

  /** The place of the value, or of the nearest thing around it that the file does hold. */
  public Position at(String pointer) {
    String here = pointer;
    while (true) {
      Position value = values.get(here);
      if (value != null) {
        return value;
      }
      int slash = here.lastIndexOf('/');
      if (slash < 0) {
        return Position.START;
      }
      here = here.substring(0, slash);
    }
  }

  /** The place of the key, or of the nearest value around it. */
  Position atKey(String pointer) {
    Position key = keys.get(pointer);
    return key == null ? at(pointer) : key;
  }
}
