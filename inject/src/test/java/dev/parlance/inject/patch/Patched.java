package dev.parlance.inject.patch;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Applies JSON patches as RFC 6902 has it, written for the tests alone: add, remove, replace. */
public final class Patched {
  private Patched() {}

  /** The document after all operations; fails where the standard says that one has to fail. */
  public static JsonNode apply(JsonNode document, ArrayNode operations) {
    JsonNode root = document.deepCopy();
    for (JsonNode operation : operations) {
      String path = operation.path("path").stringValue();
      if (path.isEmpty()) {
        root = operation.path("value").deepCopy();
        continue;
      }
      int slash = path.lastIndexOf('/');
      JsonNode parent = root.at(path.substring(0, slash));
      String last = path.substring(slash + 1).replace("~1", "/").replace("~0", "~");
      JsonNode value = operation.path("value").deepCopy();
      switch (operation.path("op").stringValue()) {
        case "add" -> {
          switch (parent) {
            case ObjectNode object -> object.set(last, value);
            case ArrayNode array -> {
              int at = Integer.parseInt(last);
              if (at > array.size()) {
                throw new IllegalArgumentException("beyond the end: " + path);
              }
              array.insert(at, value);
            }
            default -> throw new IllegalArgumentException("no parent: " + path);
          }
        }
        case "remove" -> {
          demand(parent, last, path);
          switch (parent) {
            case ObjectNode object -> object.remove(last);
            case ArrayNode array -> array.remove(Integer.parseInt(last));
            default -> throw new IllegalArgumentException("no parent: " + path);
          }
        }
        case "replace" -> {
          demand(parent, last, path);
          switch (parent) {
            case ObjectNode object -> object.set(last, value);
            case ArrayNode array -> array.set(Integer.parseInt(last), value);
            default -> throw new IllegalArgumentException("no parent: " + path);
          }
        }
        default -> throw new IllegalArgumentException("unexpected " + operation);
      }
    }
    return root;
  }

  private static void demand(JsonNode parent, String last, String path) {
    boolean there = parent.isArray() ? parent.has(Integer.parseInt(last)) : parent.has(last);
    if (!there) {
      throw new IllegalArgumentException("not there: " + path);
    }
  }
}
