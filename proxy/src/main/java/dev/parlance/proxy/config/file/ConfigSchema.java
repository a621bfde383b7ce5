package dev.parlance.proxy.config.file;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import dev.parlance.proxy.config.Pointers;
import dev.parlance.service.config.Suggestion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON Schema of the configuration file. The validator says where and which keyword; the words
 * are ours, because they have to name the bad value and what was expected.
 */
final class ConfigSchema {
  /** Resource beside this class. */
  static final String RESOURCE = "parlance-config.schema.json";

  private static final ConfigSchema INSTANCE = new ConfigSchema();

  private final JsonNode tree;

  private ConfigSchema() {
    try (InputStream in = ConfigSchema.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("resource " + RESOURCE + " is not in the jar");
      }
      tree = JsonTree.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The validator; made for the first document that is not surely right. */
  private static final class Validator {
    static final Schema SCHEMA = schema();

    private static Schema schema() {
      SchemaRegistryConfig config =
          SchemaRegistryConfig.builder().pathType(PathType.JSON_POINTER).build();
      return SchemaRegistry.withDefaultDialect(
              SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaRegistryConfig(config))
          .getSchema(INSTANCE.tree);
    }
  }

  static ConfigSchema instance() {
    return INSTANCE;
  }

  /** The schema itself. */
  JsonNode tree() {
    return tree;
  }

  /** Adds a problem for everything in the document that the schema does not allow. */
  void check(JsonNode document, Issues issues) {
    if (!SchemaAccept.accepts(tree, document)) {
      validate(document, issues);
    }
  }

  /** As {@link #check}, without the quick yes. */
  void validate(JsonNode document, Issues issues) {
    for (Error error : Validator.SCHEMA.validate(withoutVast(tree, document))) {
      String at = error.getInstanceLocation().toString();
      JsonNode value = document.at(at);
      JsonNode rule = ruleAt(at);
      String keyword = error.getKeyword();
      String property = error.getProperty();
      if (keyword.equals("additionalProperties") && property != null) {
        issues.addAtKey(at + "/" + Pointers.escape(property), unknownKey(property, rule));
      } else if (keyword.equals("required") && property != null) {
        String missing = at + "/" + Pointers.escape(property);
        issues.addAtKey(
            missing, "missing, expected " + expected(rule.path("properties").path(property)));
      } else {
        issues.add(at, "got " + show(value) + ", expected " + expected(rule));
      }
    }
  }

  /**
   * The document with text in place of numbers of more than 64 bits where a whole number is asked
   * for: they are refused either way, and the validator fails on them instead of saying so.
   */
  private static JsonNode withoutVast(JsonNode rule, JsonNode value) {
    if (value.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      value
          .properties()
          .forEach(member ->
              copy.set(
                  member.getKey(), withoutVast(child(rule, member.getKey()), member.getValue())));
      return copy;
    }
    if (value.isArray()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode();
      value.forEach(item -> copy.add(withoutVast(rule.path("items"), item)));
      return copy;
    }
    boolean isVast = value.isDouble() && Math.abs(value.doubleValue()) >= 0x1p63;
    return isVast && rule.path("type").asString("").equals("integer")
        ? JsonNodeFactory.instance.stringNode("vast")
        : value;
  }

  /** What the schema says about the value at this place. */
  JsonNode ruleAt(String pointer) {
    JsonNode rule = tree;
    if (pointer.isEmpty()) {
      return rule;
    }
    for (String segment : pointer.substring(1).split("/", -1)) {
      rule = child(rule, Pointers.unescape(segment));
    }
    return rule;
  }

  private static JsonNode child(JsonNode rule, String name) {
    if (rule.has("items")) {
      return rule.path("items");
    }
    JsonNode property = rule.path("properties").path(name);
    if (!property.isMissingNode()) {
      return property;
    }
    for (Map.Entry<String, JsonNode> entry : rule.path("patternProperties").properties()) {
      if (Pattern.compile(entry.getKey()).matcher(name).find()) {
        return entry.getValue();
      }
    }
    return property;
  }

  private static String unknownKey(String name, JsonNode rule) {
    Optional<String> pattern = rule.path("patternProperties").propertyNames().stream().findFirst();
    if (pattern.isPresent()) {
      return "got name \"" + Pointers.shown(name) + "\", expected one like " + pattern.get();
    }
    List<String> known = new ArrayList<>(rule.path("properties").propertyNames());
    String suggestion = Suggestion.sentence(name, known);
    return "unknown key \""
        + Pointers.shown(name)
        + "\""
        + (suggestion.isEmpty() ? ", expected one of " + String.join(", ", known) : suggestion);
  }

  private static String show(JsonNode value) {
    if (value.isObject()) {
      return "a mapping";
    }
    if (value.isArray()) {
      return "a list of " + value.size();
    }
    if (value.isNull() || value.isMissingNode()) {
      return "nothing";
    }
    return value.isString()
        ? "\"" + Pointers.shown(value.stringValue()) + "\""
        : Pointers.shown(value.toString());
  }

  /** The rule in words: {@code a whole number from 1 to 65535}. */
  static String expected(JsonNode rule) {
    if (rule.has("enum")) {
      List<String> allowed = new ArrayList<>();
      rule.path("enum").forEach(value -> allowed.add(value.asString()));
      return allowed.size() == 1 ? allowed.getFirst() : "one of " + String.join(", ", allowed);
    }
    return switch (rule.path("type").asString("")) {
      case "integer" -> "a whole number" + range(rule);
      case "number" -> "a number" + range(rule);
      case "boolean" -> "true or false";
      case "array" ->
          "a list" + (rule.has("maxItems") ? " of at most " + rule.path("maxItems") : "");
      case "object" ->
          "a mapping"
              + (rule.has("maxProperties") ? " of at most " + rule.path("maxProperties") : "");
      case "string" -> text(rule);
      default -> "something else";
    };
  }

  private static String text(JsonNode rule) {
    if (rule.has("pattern")) {
      return "text like "
          + rule.path("examples").path(0)
          + " ("
          + rule.path("pattern").stringValue()
          + ")";
    }
    StringBuilder out = new StringBuilder("text");
    if (rule.has("minLength")) {
      out.append(" of at least ").append(rule.path("minLength")).append(" character");
    }
    if (rule.has("maxLength")) {
      out.append(rule.has("minLength") ? " and" : " of")
          .append(" at most ")
          .append(rule.path("maxLength"));
    }
    return out.toString();
  }

  private static String range(JsonNode rule) {
    StringBuilder out = new StringBuilder();
    if (rule.has("minimum")) {
      out.append(" from ").append(rule.path("minimum"));
    }
    if (rule.has("exclusiveMinimum")) {
      out.append(" above ").append(rule.path("exclusiveMinimum"));
    }
    if (rule.has("maximum")) {
      out.append(" to ").append(rule.path("maximum"));
    }
    if (rule.has("exclusiveMaximum")) {
      out.append(" below ").append(rule.path("exclusiveMaximum"));
    }
    return out.toString();
  }
}
