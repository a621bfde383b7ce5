package dev.parlance.deploy;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The difference of two objects as a JSON patch (RFC 6902). Lists of different lengths are
 * replaced.
 */
final class Patch {
  private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

  private Patch() {}

  static ArrayNode between(JsonNode from, JsonNode to) {
    Patch patch = new Patch();
    patch.compare("", from, to);
    return patch.operations;
  }

  private void compare(String path, JsonNode from, JsonNode to) {
    if (from.equals(to)) {
      return;
    }
    if (from instanceof ArrayNode && to instanceof ArrayNode && from.size() == to.size()) {
      for (int i = 0; i < from.size(); i++) {
        compare(path + "/" + i, from.path(i), to.path(i));
      }
      return;
    }
    if (!(from instanceof ObjectNode before) || !(to instanceof ObjectNode after)) {
      operation("replace", path, to);
      return;
    }
    for (String name : before.propertyNames()) {
      if (after.has(name)) {
        compare(path + "/" + escape(name), before.path(name), after.path(name));
      } else {
        operations.addObject().put("path", path + "/" + escape(name)).put("op", "remove");
      }
    }
    for (String name : after.propertyNames()) {
      if (!before.has(name)) {
        operation("add", path + "/" + escape(name), after.path(name));
      }
    }
  }

  /** The name comes last: kustomize cuts white space off the end, which may be a text's own. */
  private void operation(String name, String path, JsonNode value) {
    ObjectNode operation = operations.addObject().put("path", path);
    operation.set("value", value);
    operation.put("op", name);
  }

  private static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
