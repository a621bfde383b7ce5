package dev.parlance.proxy.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.Issues;
import dev.parlance.service.config.Pointers;
import dev.parlance.service.config.YamlDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Our reading of the schema, against a validator from elsewhere. */
class SchemaOracleTest {
  private static final JsonNode TREE = ConfigLoader.SCHEMA.tree();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DOCUMENTS = 4_000;

  private static final Schema ORACLE =
      SchemaRegistry.withDefaultDialect(
              SpecificationVersion.DRAFT_2020_12,
              builder ->
                  builder.schemaRegistryConfig(
                      SchemaRegistryConfig.builder().pathType(PathType.JSON_POINTER).build()))
          .getSchema(TREE);

  private static Set<String> ours(JsonNode document) {
    Issues issues = new Issues(new YamlDocument(document, Map.of(), Map.of()));
    ConfigLoader.SCHEMA.check(document, issues);
    return issues.inOrder().stream().map(ConfigProblem::pointer).collect(Collectors.toSet());
  }

  private static Set<String> theirs(JsonNode document) {
    return ORACLE.validate(document).stream()
        .map(error ->
            error.getInstanceLocation()
                + (error.getProperty() == null ? "" : "/" + Pointers.escape(error.getProperty())))
        .collect(Collectors.toSet());
  }

  /** Whatever is made up from the schema and then damaged: the same places are wrong. */
  @Test
  void refusesTheSamePlaces() {
    SplittableRandom random = new SplittableRandom(20_261_122);
    int refused = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
      JsonNode document = made(TREE, random, i % 4 == 0 ? 0.0 : 0.02);
      Set<String> ours = ours(document);
      assertThat(ours).as("document %s", document).isEqualTo(theirs(document));
      refused += ours.isEmpty() ? 0 : 1;
    }
    assertThat(refused).isBetween(DOCUMENTS / 10, DOCUMENTS * 9 / 10);
  }

  private static JsonNode made(JsonNode rule, SplittableRandom random, double damage) {
    if (random.nextDouble() < damage) {
      return broken(random);
    }
    if (rule.has("enum")) {
      return rule.path("enum").path(random.nextInt(rule.path("enum").size()));
    }
    return switch (rule.path("type").asString("")) {
      case "object" -> object(rule, random, damage);
      case "array" -> {
        ArrayNode list = NODES.arrayNode();
        int items = random.nextInt(3);
        for (int i = 0; i < items; i++) {
          list.add(made(rule.path("items"), random, damage));
        }
        yield list;
      }
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      case "integer", "number" -> number(rule, random);
      default -> text(rule, random);
    };
  }

  private static ObjectNode object(JsonNode rule, SplittableRandom random, double damage) {
    ObjectNode object = NODES.objectNode();
    List<String> required = new ArrayList<>();
    rule.path("required").forEach(name -> required.add(name.stringValue()));
    rule.path("properties")
        .properties()
        .forEach(property -> {
          boolean wanted = required.contains(property.getKey()) && random.nextDouble() >= damage;
          if (wanted || random.nextInt(3) == 0) {
            object.set(property.getKey(), made(property.getValue(), random, damage));
          }
        });
    rule.path("patternProperties")
        .properties()
        .forEach(property ->
            object.set(
                random.nextDouble() < damage ? "Not Allowed" : "p1",
                made(property.getValue(), random, damage)));
    if (random.nextDouble() < damage / 4) {
      object.put("unknown", 1);
    }
    return object;
  }

  private static JsonNode number(JsonNode rule, SplittableRandom random) {
    long least = rule.path("minimum").asLong(0);
    long most = rule.path("maximum").asLong(least + 10);
    return switch (random.nextInt(40)) {
      case 0 -> NODES.numberNode(least - 1);
      case 1 -> NODES.numberNode(most + 1);
      case 2 -> NODES.numberNode(least + 0.5);
      case 3 -> NODES.numberNode((double) least);
      default ->
          rule.has("exclusiveMinimum")
              ? NODES.numberNode((least + most) / 2.0 + 0.01)
              : NODES.numberNode(random.nextBoolean() ? least : most);
    };
  }

  private static JsonNode text(JsonNode rule, SplittableRandom random) {
    String good = rule.path("examples").path(0).asString("text");
    return NODES.stringNode(
        switch (random.nextInt(60)) {
          case 0 -> good + "\n";
          case 1 -> good + "\u00e9";
          case 2 -> "";
          case 3 -> good.repeat(8);
          case 4 -> " " + good;
          default -> good;
        });
  }

  private static JsonNode broken(SplittableRandom random) {
    return switch (random.nextInt(7)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.numberNode(-1);
      case 2 -> NODES.stringNode("no");
      case 3 -> NODES.booleanNode(true);
      case 4 -> NODES.arrayNode().add(1);
      case 5 -> NODES.objectNode().put("x", 1);
      default -> NODES.numberNode(1e9);
    };
  }
}
