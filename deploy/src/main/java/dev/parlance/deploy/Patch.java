package dev.parlance.deploy;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The difference of two objects as a JSON patch (RFC 6902). Lists that differ are replaced. */
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
    if (!(from instanceof ObjectNode before) || !(to instanceof ObjectNode after)) {
      operation("replace", path).set("value", to);
      return;
    }
    for (String name : before.propertyNames()) {
      if (after.has(name)) {
        compare(path + "/" + escape(name), before.path(name), after.path(name));
      } else {
        operation("remove", path + "/" + escape(name));
      }
    }
    for (String name : after.propertyNames()) {
      if (!before.has(name)) {
        operation("add", path + "/" + escape(name)).set("value", after.path(name));
      }
    }
  }

  private ObjectNode operation(String name, String path) {
    return operations.addObject().put("op", name).put("path", path);
  }

  private static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
