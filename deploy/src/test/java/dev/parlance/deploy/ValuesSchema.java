package dev.parlance.deploy;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes {@code values.schema.json}: the chart's own values, and below {@code sidecar.config} and
 * {@code controlPlane.config} the schemas of the files that these become. Nobody has to give a
 * whole file there, so what a file needs is not needed in values.
 */
final class ValuesSchema {
  /** Counts above 1000, which Helm's regular expressions do not have. */
  private static final Pattern LARGE_COUNT = Pattern.compile("\\{(\\d+),[1-9]\\d{3,}\\}");

  private ValuesSchema() {}

  /**
   * The schema.
   *
   * @param values the chart's own values
   */
  static ObjectNode make(JsonNode values) {
    ObjectNode schema = Schemas.values();
    needSections(schema, values);
    schema.put(
        "$comment",
        "Generated from values-base.schema.json and the schemas of the files; see"
            + " docs/kubernetes.md");
    ObjectNode definitions = schema.putObject("$defs");
    ObjectNode control = Schemas.control();
    // References inside it are to its own definitions, which so become the whole's.
    if (control.remove("$defs") instanceof ObjectNode own) {
      definitions.setAll(own);
    }
    put(schema, "controlPlane", control, "Further keys of the control plane's file.");
    put(schema, "sidecar", Schemas.sidecar(), "The sidecar's file.");
    return schema;
  }

  /**
   * Needs every section that the chart's values have: an empty one ({@code sidecar:}) takes away
   * what stands there, and templates would fail where nobody sees why.
   */
  private static void needSections(ObjectNode schema, JsonNode values) {
    ArrayNode needed = Schemas.JSON.createArrayNode();
    for (Map.Entry<String, JsonNode> section : schema.path("properties").properties()) {
      JsonNode value = values.path(section.getKey());
      if (section.getValue() instanceof ObjectNode rule
          && rule.path("properties").isObject()
          // resources as Kubernetes has them: to empty them is how limits are taken away
          && !rule.path("properties").has("limits")
          && value.isObject()) {
        needed.add(section.getKey());
        needSections(rule, value);
      }
    }
    if (!needed.isEmpty()) {
      schema.set("required", needed);
    }
  }

  private static void put(ObjectNode schema, String part, ObjectNode file, String description) {
    ObjectNode tree = file.deepCopy();
    tree.remove(List.of("$schema", "$id", "title"));
    tree.put("description", description);
    relax(tree);
    countless(tree);
    ((ObjectNode) schema.at("/properties/" + part + "/properties")).set("config", tree);
  }

  /** Whoever reads the file still counts; here the text may be longer. */
  private static void countless(JsonNode rule) {
    if (rule instanceof ObjectNode object && object.path("pattern").isString()) {
      String pattern = object.path("pattern").stringValue();
      object.put("pattern", LARGE_COUNT.matcher(pattern).replaceAll("{$1,}"));
    }
    rule.forEach(ValuesSchema::countless);
  }

  /** Takes away what is needed, down to lists: an item of a list is given whole or not at all. */
  private static void relax(JsonNode rule) {
    if (rule instanceof ObjectNode object) {
      object.remove(List.of("required", "default"));
      object.path("properties").forEach(ValuesSchema::relax);
      if (object.path("oneOf") instanceof ArrayNode choices) {
        choices.forEach(choice -> choice.path("properties").forEach(ValuesSchema::relax));
      }
    }
  }
}
