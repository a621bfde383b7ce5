package dev.parlance.service.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The JSON Schema of a configuration file: what may stand in it, and what holds where it says
 * nothing. It knows the keywords that our schemas use and names the bad value and what was expected
 * in our own words; a test holds it against a validator from elsewhere.
 */
public final class Schema {
  private final JsonNode tree;

  private Schema(JsonNode tree) {
    this.tree = tree;
  }

  /** Reads the resource beside a class. */
  public static Schema of(Class<?> beside, String resource) {
    try (InputStream in = beside.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource " + resource + " is not in the jar");
      }
      return new Schema(JsonTree.read(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The schema itself. */
  public JsonNode tree() {
    return tree;
  }

  /** Adds a problem for everything in the document that the schema does not allow. */
  public void check(JsonNode document, Issues issues) {
    check(tree, document, "", issues);
  }

  private void check(JsonNode given, JsonNode value, String at, Issues issues) {
    JsonNode rule = resolved(given);
    if (!isOf(rule, value) || !isInBounds(rule, value)) {
      issues.add(at, "got " + shown(value) + ", expected " + expected(rule));
    } else if (value.isObject() && (rule.has("type") || rule.has("oneOf"))) {
      members(mapping(rule), value, at, issues);
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        check(rule.path("items"), value.get(i), at + "/" + i, issues);
      }
    }
  }

  private void members(JsonNode rule, JsonNode value, String at, Issues issues) {
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      String name = member.getKey();
      String place = at + "/" + Pointers.escape(name);
      Optional<JsonNode> child = member(rule, name);
      if (child.isPresent()) {
        check(child.get(), member.getValue(), place, issues);
      } else {
        issues.addAtKey(place, unknownKey(name, rule));
      }
    }
    for (JsonNode name : rule.path("required")) {
      if (!value.has(name.stringValue())) {
        String place = at + "/" + Pointers.escape(name.stringValue());
        issues.addAtKey(place, missing(rule.path("properties").path(name.stringValue())));
      }
    }
  }

  /** What may stand under a name in a mapping; empty if nothing may. */
  private Optional<JsonNode> member(JsonNode rule, String name) {
    JsonNode property = rule.path("properties").path(name);
    if (!property.isMissingNode()) {
      return Optional.of(property);
    }
    for (Map.Entry<String, JsonNode> entry : rule.path("patternProperties").properties()) {
      if (matches(entry.getKey(), name)) {
        return Optional.of(entry.getValue());
      }
    }
    JsonNode others = rule.path("additionalProperties");
    return (others.isBoolean() && !others.booleanValue())
            || !matches(rule.path("propertyNames").path("pattern").asString(""), name)
        ? Optional.empty()
        : Optional.of(others.isObject() ? others : JsonNodeFactory.instance.objectNode());
  }

  private JsonNode resolved(JsonNode rule) {
    String reference = rule.path("$ref").asString("");
    return reference.isEmpty() ? rule : tree.at(reference.substring(1));
  }

  /** Where there are several ways to say it, the one that is a mapping. */
  private static JsonNode mapping(JsonNode rule) {
    for (JsonNode one : rule.path("oneOf")) {
      if (one.path("type").asString("").equals("object")) {
        return one;
      }
    }
    return rule;
  }

  private static boolean isOf(JsonNode rule, JsonNode value) {
    if (rule.has("oneOf")) {
      for (JsonNode one : rule.path("oneOf")) {
        if (isOf(one, value)) {
          return true;
        }
      }
      return false;
    }
    if (rule.has("enum") && !contains(rule.path("enum"), value)) {
      return false;
    }
    JsonNode types = rule.path("type");
    if (types.isArray()) {
      for (JsonNode type : types) {
        if (isOf(type.stringValue(), value)) {
          return true;
        }
      }
      return false;
    }
    return types.isMissingNode() || isOf(types.stringValue(), value);
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "boolean" -> value.isBoolean();
      case "integer" ->
          value.isIntegralNumber()
              || (value.isNumber()
                  && Math.rint(value.doubleValue()) == value.doubleValue()
                  && Math.abs(value.doubleValue()) < 0x1p63);
      case "number" -> value.isNumber();
      case "null" -> value.isNull();
      default -> throw new IllegalStateException("a schema with a type " + type);
    };
  }

  private static boolean contains(JsonNode allowed, JsonNode value) {
    for (JsonNode one : allowed) {
      boolean numbers = one.isNumber() && value.isNumber();
      if (numbers ? one.doubleValue() == value.doubleValue() : one.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isInBounds(JsonNode rule, JsonNode value) {
    if (value.isNumber()) {
      double number = value.doubleValue();
      return number >= bound(rule, "minimum", Double.NEGATIVE_INFINITY)
          && number <= bound(rule, "maximum", Double.POSITIVE_INFINITY)
          && (!rule.has("exclusiveMinimum") || number > bound(rule, "exclusiveMinimum", 0))
          && (!rule.has("exclusiveMaximum") || number < bound(rule, "exclusiveMaximum", 0));
    }
    if (value.isString()) {
      String text = value.stringValue();
      return isBetween(rule, "minLength", text.codePointCount(0, text.length()), "maxLength")
          && matches(rule.path("pattern").asString(""), text);
    }
    return value.isArray()
        ? isBetween(rule, "minItems", value.size(), "maxItems")
        : isBetween(rule, "minProperties", value.size(), "maxProperties");
  }

  private static double bound(JsonNode rule, String keyword, double otherwise) {
    return rule.has(keyword) ? rule.path(keyword).doubleValue() : otherwise;
  }

  private static boolean isBetween(JsonNode rule, String least, int size, String most) {
    return size >= bound(rule, least, 0) && size <= bound(rule, most, Integer.MAX_VALUE);
  }

  /** True if the pattern, as ECMAScript reads it, is found in the text; an empty one always is. */
  private static boolean matches(String pattern, String text) {
    if (pattern.isEmpty()) {
      return true;
    }
    boolean ends = pattern.endsWith("$") && !pattern.endsWith("\\$");
    String ours = ends ? pattern.substring(0, pattern.length() - 1) + "\\z" : pattern;
    try {
      return Pattern.compile(ours).matcher(text).find();
    } catch (StackOverflowError e) {
      return false; // repeated groups are matched recursively: a text as long as that is none
    }
  }

  /** What the schema says about the value at this place. */
  public JsonNode ruleAt(String pointer) {
    JsonNode rule = tree;
    if (!pointer.isEmpty()) {
      for (String segment : pointer.substring(1).split("/", -1)) {
        rule = child(rule, Pointers.unescape(segment));
      }
    }
    return rule;
  }

  /** What the schema says about a member of a mapping or an item of a list. */
  JsonNode child(JsonNode given, String name) {
    JsonNode rule = mapping(resolved(given));
    return resolved(
        rule.has("items")
            ? rule.path("items")
            : member(rule, name).orElse(JsonNodeFactory.instance.missingNode()));
  }

  private static String unknownKey(String name, JsonNode rule) {
    Optional<String> pattern = rule.path("patternProperties").propertyNames().stream().findFirst();
    if (pattern.isPresent() || rule.has("propertyNames")) {
      return "got name \""
          + Quoted.line(name)
          + "\", expected one like "
          + pattern.orElse(rule.path("propertyNames").path("pattern").asString(""));
    }
    List<String> known = new ArrayList<>(rule.path("properties").propertyNames());
    String suggestion = Suggestion.sentence(name, known);
    return "unknown key \""
        + Quoted.line(name)
        + "\""
        + (suggestion.isEmpty() ? ", expected one of " + String.join(", ", known) : suggestion);
  }

  /** What is said of a key that is not there. */
  String missing(JsonNode rule) {
    return "missing, expected " + expected(resolved(rule));
  }

  private static String shown(JsonNode value) {
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
        ? "\"" + Quoted.line(value.stringValue()) + "\""
        : Quoted.line(value.toString());
  }

  /** The rule in words: {@code a whole number from 1 to 65535}. */
  static String expected(JsonNode rule) {
    if (rule.has("x-expected")) {
      return rule.path("x-expected").stringValue();
    }
    if (rule.has("enum")) {
      List<String> allowed = new ArrayList<>();
      rule.path("enum").forEach(value -> allowed.add(value.asString()));
      return allowed.size() == 1 ? allowed.getFirst() : "one of " + String.join(", ", allowed);
    }
    JsonNode type = rule.path("type");
    return switch ((type.isArray() ? type.path(0) : type).asString("")) {
      case "integer" -> "a whole number" + range(rule);
      case "number" -> "a number" + range(rule);
      case "boolean" -> "true or false";
      case "array" -> "a list" + most(rule, "minItems", "maxItems");
      case "object" -> "a mapping" + most(rule, "minProperties", "maxProperties");
      case "string" -> text(rule);
      default -> "something else";
    };
  }

  private static String most(JsonNode rule, String least, String most) {
    return (rule.has(least) ? " of at least " + rule.path(least) : "")
        + (rule.has(least) && rule.has(most) ? " and" : rule.has(most) ? " of" : "")
        + (rule.has(most) ? " at most " + rule.path(most) : "");
  }

  private static String text(JsonNode rule) {
    if (rule.has("pattern")) {
      JsonNode example = rule.path("examples").path(0);
      return "text like "
          + (example.isMissingNode()
              ? rule.path("pattern").stringValue()
              : example + " (" + rule.path("pattern").stringValue() + ")");
    }
    return "text"
        + (rule.has("minLength") ? " of at least " + rule.path("minLength") + " character" : "")
        + most(rule, "-", "maxLength").replace(" of", rule.has("minLength") ? " and" : " of");
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
