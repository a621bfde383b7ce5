package dev.parlance.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A suite of golden vectors as the lines that an offline command reads. */
public record GoldenLines(JsonNode suite) {
  /** The suite of that name. */
  public static GoldenLines of(String name) {
    Path here = Path.of("").toAbsolutePath();
    String file = "policy/src/test/resources/golden/" + name + ".json";
    Path beside = here.resolve("..").resolve(file);
    return new GoldenLines(
        Json.MAPPER.readTree((Files.exists(beside) ? beside : here.resolve(file)).toFile()));
  }

  /** All lines. */
  public String input() {
    StringBuilder input = new StringBuilder();
    suite.path("vectors").forEach(one -> input.append(Json.text(line(one))).append('\n'));
    return input.toString();
  }

  /** The line of one vector. */
  public ObjectNode line(String id) {
    for (JsonNode vector : suite.path("vectors")) {
      if (vector.path("id").asString().equals(id)) {
        return line(vector);
      }
    }
    throw new AssertionError("no vector " + id);
  }

  private static ObjectNode line(JsonNode vector) {
    ObjectNode line = (ObjectNode) vector.path("in").deepCopy();
    line.set("id", vector.path("id"));
    return line;
  }

  /** Every line is what its vector says, numbers with a point within the tolerance. */
  public void assertSame(List<JsonNode> lines, double tolerance) {
    assertThat(lines).hasSize(suite.path("count").intValue());
    for (int i = 0; i < lines.size(); i++) {
      JsonNode vector = suite.path("vectors").path(i);
      ObjectNode expected = (ObjectNode) vector.path("out").deepCopy();
      expected.set("id", vector.path("id"));
      same(expected, lines.get(i), tolerance);
    }
  }

  private static void same(JsonNode expected, JsonNode found, double tolerance) {
    if (expected.isFloatingPointNumber()) {
      assertThat(found.isNumber()).isTrue();
      assertThat(found.doubleValue()).isCloseTo(expected.doubleValue(), within(tolerance));
    } else if (expected.isObject()) {
      assertThat(found.propertyNames())
          .as("%s against %s", found, expected)
          .containsExactlyInAnyOrderElementsOf(expected.propertyNames());
      expected
          .properties()
          .forEach(one -> same(one.getValue(), found.path(one.getKey()), tolerance));
    } else if (expected.isArray()) {
      assertThat(found.size()).as("%s against %s", found, expected).isEqualTo(expected.size());
      for (int i = 0; i < expected.size(); i++) {
        same(expected.path(i), found.path(i), tolerance);
      }
    } else {
      assertThat(found).isEqualTo(expected);
    }
  }

  /** Every copy in which one member or element is something else. */
  public static List<JsonNode> changed(JsonNode line) {
    List<String> values =
        List.of(
            "null",
            "true",
            "-1",
            "1.5",
            "1e999",
            "\"\"",
            "\"NaN\"",
            "\"\\ud800\"",
            "[1]",
            "{}",
            "123456789012345678901234567890");
    List<JsonNode> all = new ArrayList<>();
    int places = places(line);
    for (int place = 0; place < places; place++) {
      for (String value : values) {
        JsonNode copy = line.deepCopy();
        replace(copy, new int[] {place}, Json.MAPPER.readTree(value));
        all.add(copy);
      }
    }
    return all;
  }

  private static int places(JsonNode node) {
    int places = node.size();
    for (JsonNode child : node) {
      places += places(child);
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
    } else if (node instanceof ArrayNode array) {
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
