package dev.parlance.ledger.pact;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The golden vectors of pacts, and changed copies of what stands in them. */
final class GoldenPacts {
  private static final JsonMapper MAPPER = new JsonMapper();

  private GoldenPacts() {}

  /** A vector; its text names it in reports. */
  record Vector(String id, String tag, JsonNode in, JsonNode out) {
    @Override
    public String toString() {
      return id + " " + tag;
    }
  }

  static Stream<Vector> vectors(String suite) {
    Path here = Path.of("").toAbsolutePath();
    String file = "policy/src/test/resources/golden/" + suite + ".json";
    Path beside = here.resolve("..").resolve(file);
    JsonNode root = MAPPER.readTree(Files.exists(beside) ? beside : here.resolve(file));
    List<Vector> vectors = new ArrayList<>();
    for (JsonNode one : root.path("vectors")) {
      vectors.add(
          new Vector(
              one.path("id").stringValue(),
              one.path("tag").stringValue(),
              one.path("in"),
              one.path("out")));
    }
    assertThat(vectors).hasSize(root.path("count").intValue()).isNotEmpty();
    return vectors.stream();
  }

  static JsonNode json(String text) {
    return MAPPER.readTree(text);
  }

  /** Canonical, but that half a surrogate pair, which no note can hold, is escaped. */
  static String text(JsonNode node) {
    return PactJson.rfc8785(node).replace("\ud800", "\\ud800");
  }

  /** Every copy of an object in which one member, at any depth, is another value. */
  static List<JsonNode> changed(JsonNode object, List<JsonNode> values) {
    List<JsonNode> all = new ArrayList<>();
    int places = count(object);
    for (int place = 0; place < places; place++) {
      for (JsonNode value : values) {
        JsonNode copy = object.deepCopy();
        replace(copy, new int[] {place}, value);
        all.add(copy);
      }
    }
    return all;
  }

  /** Values of every type. */
  static List<JsonNode> values() {
    JsonNodeFactory make = JsonNodeFactory.instance;
    List<JsonNode> values = new ArrayList<>();
    values.add(make.nullNode());
    values.add(make.booleanNode(true));
    values.add(make.numberNode(-1));
    values.add(make.numberNode(1.5));
    values.add(make.numberNode(Long.MIN_VALUE));
    values.add(make.numberNode(new java.math.BigInteger("9".repeat(25))));
    values.add(make.stringNode(""));
    values.add(make.stringNode("\ud800"));
    values.add(make.stringNode("no name"));
    values.add(make.arrayNode().add(1));
    ObjectNode object = make.objectNode();
    object.put("a", 1);
    values.add(object);
    return values;
  }

  private static int count(JsonNode node) {
    int places = node.size();
    for (JsonNode child : node) {
      places += count(child);
    }
    return places;
  }

  private static boolean replace(JsonNode node, int[] place, JsonNode value) {
    if (node instanceof ObjectNode object) {
      for (String name : List.copyOf(object.propertyNames())) {
        if (place[0]-- == 0) {
          object.set(name, value);
          return true;
        }
        if (replace(object.path(name), place, value)) {
          return true;
        }
      }
    } else if (node instanceof tools.jackson.databind.node.ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (place[0]-- == 0) {
          array.set(i, value);
          return true;
        }
        if (replace(array.path(i), place, value)) {
          return true;
        }
      }
    }
    return false;
  }
}
