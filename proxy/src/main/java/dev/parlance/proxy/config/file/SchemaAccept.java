package dev.parlance.proxy.config.file;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Says of a document that the schema surely allows it; where this does not, the validator decides.
 * Only a quick yes: a sidecar whose file is right starts without the validator and its classes. It
 * knows the keywords that this project's schema uses; any other, and any doubt (text past plain
 * ASCII, numbers that are not of the kind asked for), is no yes. A test holds that it never allows
 * what the validator refuses.
 */
final class SchemaAccept {
  /** Keywords that allow everything. */
  private static final Set<String> WORDS =
      Set.of("title", "description", "default", "examples", "$schema", "$id");

  private static final int FIRST_PLAIN = 0x20;
  private static final int LAST_PLAIN = 0x7e;

  /** Longer texts are for the validator: patterns are matched recursively. */
  private static final int LONGEST = 512;

  private SchemaAccept() {}

  /** True if the value is allowed by the rule; false if it may or may not be. */
  static boolean accepts(JsonNode rule, JsonNode value) {
    // asked first: the other keywords read the value as what it has turned out to be
    if (!rule.isObject() || !isOf(rule.path("type").asString(""), value)) {
      return false;
    }
    for (Map.Entry<String, JsonNode> keyword : rule.properties()) {
      if (!holds(keyword.getKey(), keyword.getValue(), rule, value)) {
        return false;
      }
    }
    return true;
  }

  private static boolean holds(String keyword, JsonNode bound, JsonNode rule, JsonNode value) {
    return switch (keyword) {
      case "type" -> true;
      case "enum" -> contains(bound, value);
      case "minimum" ->
          bound.isNumber() && value.isNumber() && value.doubleValue() >= bound.doubleValue();
      case "maximum" ->
          bound.isNumber() && value.isNumber() && value.doubleValue() <= bound.doubleValue();
      case "exclusiveMinimum" ->
          bound.isNumber() && value.isNumber() && value.doubleValue() > bound.doubleValue();
      case "exclusiveMaximum" ->
          bound.isNumber() && value.isNumber() && value.doubleValue() < bound.doubleValue();
      case "minLength" ->
          bound.isInt() && value.isString() && value.stringValue().length() >= bound.intValue();
      case "maxLength" ->
          bound.isInt() && value.isString() && value.stringValue().length() <= bound.intValue();
      case "pattern" ->
          bound.isString()
              && value.isString()
              && Pattern.compile(bound.stringValue()).matcher(value.stringValue()).find();
      case "maxItems", "maxProperties" -> bound.isInt() && value.size() <= bound.intValue();
      case "items" -> all(bound, value);
      case "required" -> hasAll(bound, value);
      case "properties", "patternProperties", "additionalProperties" -> membersAllowed(rule, value);
      default -> WORDS.contains(keyword);
    };
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString() && isPlain(value.stringValue());
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isInt() || value.isLong();
      case "number" -> value.isInt() || value.isLong() || value.isDouble();
      default -> false;
    };
  }

  private static boolean isPlain(String text) {
    return text.length() <= LONGEST
        && text.chars().allMatch(at -> at >= FIRST_PLAIN && at <= LAST_PLAIN);
  }

  private static boolean contains(JsonNode allowed, JsonNode value) {
    for (JsonNode one : allowed) {
      if (one.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean all(JsonNode rule, JsonNode list) {
    for (JsonNode item : list) {
      if (!accepts(rule, item)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasAll(JsonNode names, JsonNode value) {
    for (JsonNode name : names) {
      if (!value.has(name.asString(""))) {
        return false;
      }
    }
    return true;
  }

  private static boolean membersAllowed(JsonNode rule, JsonNode value) {
    JsonNode others = rule.path("additionalProperties");
    if (!others.isBoolean() || others.booleanValue()) {
      return false;
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      if (!memberAllowed(rule, member.getKey(), member.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** A member's value has to suit its own rule and that of every pattern its name matches. */
  private static boolean memberAllowed(JsonNode rule, String name, JsonNode value) {
    if (!isPlain(name)) {
      return false;
    }
    Set<JsonNode> rules = new HashSet<>();
    JsonNode named = rule.path("properties").path(name);
    if (!named.isMissingNode()) {
      rules.add(named);
    }
    Iterator<Map.Entry<String, JsonNode>> patterns =
        rule.path("patternProperties").properties().iterator();
    while (patterns.hasNext()) {
      Map.Entry<String, JsonNode> pattern = patterns.next();
      if (Pattern.compile(pattern.getKey()).matcher(name).find()) {
        rules.add(pattern.getValue());
      }
    }
    return !rules.isEmpty() && rules.stream().allMatch(one -> accepts(one, value));
  }
}
