package dev.parlance.console;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** openapi.yaml, as what answers are held against. */
final class Contract {
  private static final String REF = "$ref";

  private final ObjectNode document;

  private Contract(ObjectNode document) {
    this.document = document;
  }

  static Contract load() {
    try (InputStream in = Contract.class.getResourceAsStream("openapi.yaml")) {
      return new Contract((ObjectNode) new YAMLMapper().readTree(in));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  JsonNode paths() {
    return document.path("paths");
  }

  /** The operation, with what its path says for all of them. */
  JsonNode operation(String method, String template) {
    return paths().path(template).path(method.toLowerCase(java.util.Locale.ROOT));
  }

  JsonNode resolve(JsonNode node) {
    String ref = node.path(REF).asString("");
    return ref.isEmpty() ? node : resolve(document.at(ref.substring(1)));
  }

  /** What is wrong with an answer; also members that the contract does not name. */
  List<String> complaints(String method, String template, int status, JsonNode answer) {
    JsonNode responses = operation(method, template).path("responses");
    JsonNode response = resolve(responses.path(Integer.toString(status)));
    if (response.isMissingNode()) {
      response = resolve(responses.path("default"));
    }
    JsonNode schema = response.path("content").path(0).path("schema");
    for (Map.Entry<String, JsonNode> type : response.path("content").properties()) {
      schema = type.getValue().path("schema");
    }
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.set("components", closed(document.path("components"), false));
    whole.setAll((ObjectNode) closed(schema, false));
    Schema compiled =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(whole);
    return compiled.validate(answer).stream().map(Error::toString).toList();
  }

  /** The same schemas without room for members that they do not name. */
  private JsonNode closed(JsonNode node, boolean extended) {
    if (node.isArray()) {
      var copy = JsonNodeFactory.instance.arrayNode();
      node.forEach(one -> copy.add(closed(one, extended)));
      return copy;
    }
    if (!node.isObject()) {
      return node;
    }
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    node.properties()
        .forEach(member ->
            copy.set(
                member.getKey(),
                member.getKey().equals("schemas")
                    ? components(member.getValue())
                    : closed(member.getValue(), member.getKey().equals("allOf"))));
    boolean names = copy.path("properties").isObject();
    boolean refersToNames =
        copy.has(REF) && resolve(copy).path("properties").isObject() && !extended;
    if ((names || refersToNames) && !copy.has("additionalProperties")) {
      copy.put("unevaluatedProperties", false);
    }
    return copy;
  }

  /** Named schemas stay open, because others extend them; who refers to one closes it. */
  private JsonNode components(JsonNode schemas) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    schemas
        .properties()
        .forEach(one -> {
          ObjectNode schema = (ObjectNode) closed(one.getValue(), false);
          schema.remove("unevaluatedProperties");
          copy.set(one.getKey(), schema);
        });
    return copy;
  }
}
