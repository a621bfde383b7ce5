package dev.parlance.inject.patch;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON patch (RFC 6902) that makes one tree of another. It uses add, remove and replace only,
 * and of two lists it leaves alone what they have in common at their beginnings and ends, so that a
 * container put before or behind others moves none of them.
 */
public final class JsonPatch {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final ArrayNode operations = NODES.arrayNode();

  private JsonPatch() {}

  /** The operations in order; none if the trees are equal. */
  public static ArrayNode between(JsonNode from, JsonNode to) {
    JsonPatch patch = new JsonPatch();
    patch.value("", from, to);
    return patch.operations;
  }

  private void value(String pointer, JsonNode from, JsonNode to) {
    if (from.equals(to)) {
      return;
    }
    if (from instanceof ObjectNode old && to instanceof ObjectNode wanted) {
      object(pointer, old, wanted);
    } else if (from instanceof ArrayNode old && to instanceof ArrayNode wanted) {
      array(pointer, old, wanted);
    } else {
      operation("replace", pointer).set("value", to);
    }
  }

  private void object(String pointer, ObjectNode from, ObjectNode to) {
    for (String name : from.propertyNames()) {
      if (!to.has(name)) {
        operation("remove", pointer + "/" + escape(name));
      }
    }
    to.properties()
        .forEach(member -> {
          String at = pointer + "/" + escape(member.getKey());
          if (from.has(member.getKey())) {
            value(at, from.path(member.getKey()), member.getValue());
          } else {
            operation("add", at).set("value", member.getValue());
          }
        });
  }

  private void array(String pointer, ArrayNode from, ArrayNode to) {
    List<JsonNode> old = items(from);
    List<JsonNode> wanted = items(to);
    int shorter = Math.min(old.size(), wanted.size());
    int same = 0;
    while (same < shorter && alike(old.get(same), wanted.get(same))) {
      same++;
    }
    int tail = 0;
    while (tail < shorter - same
        && alike(old.get(old.size() - 1 - tail), wanted.get(wanted.size() - 1 - tail))) {
      tail++;
    }
    for (int i = 0; i < same; i++) {
      value(pointer + "/" + i, old.get(i), wanted.get(i));
    }
    int oldMiddle = old.size() - same - tail;
    int newMiddle = wanted.size() - same - tail;
    int both = Math.min(oldMiddle, newMiddle);
    for (int i = same; i < same + both; i++) {
      value(pointer + "/" + i, old.get(i), wanted.get(i));
    }
    for (int i = same + oldMiddle - 1; i >= same + both; i--) {
      operation("remove", pointer + "/" + i);
    }
    for (int i = same + both; i < same + newMiddle; i++) {
      operation("add", pointer + "/" + i).set("value", wanted.get(i));
    }
    for (int i = 0; i < tail; i++) {
      int at = wanted.size() - tail + i;
      value(pointer + "/" + at, old.get(old.size() - tail + i), wanted.get(at));
    }
  }

  /** Equal, or two versions of the thing of one name, as containers and volumes have. */
  private static boolean alike(JsonNode a, JsonNode b) {
    return a.equals(b) || (a.path("name").isString() && a.path("name").equals(b.path("name")));
  }

  private static List<JsonNode> items(ArrayNode array) {
    List<JsonNode> items = new ArrayList<>();
    array.forEach(items::add);
    return items;
  }

  private ObjectNode operation(String name, String pointer) {
    return operations.addObject().put("op", name).put("path", pointer);
  }

  private static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
