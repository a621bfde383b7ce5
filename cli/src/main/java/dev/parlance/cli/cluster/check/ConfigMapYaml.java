package dev.parlance.cli.cluster.check;

import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Files in ConfigMaps. */
final class ConfigMapYaml {
  private static final YAMLMapper MAPPER = YAMLMapper.builder().build();

  private ConfigMapYaml() {}

  /** Its tree; a missing node if there is no text. */
  static JsonNode parse(String text) throws IOException {
    try {
      return text.isBlank() ? JsonNodeFactory.instance.missingNode() : MAPPER.readTree(text);
    } catch (JacksonException e) {
      throw new IOException("a file in a ConfigMap is no YAML: " + e.getOriginalMessage(), e);
    }
  }
}
