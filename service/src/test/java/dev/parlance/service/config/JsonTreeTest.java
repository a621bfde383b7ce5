package dev.parlance.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonTreeTest {
  @Test
  void everyKindOfValue_isReadAsAMapperReadsIt() {
    String text = "{\"a\": [1, -2, 5000000000, 0.5, \"\\u00e9\", true, false, null, {}, []]}";
    JsonNode read = JsonTree.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    assertThat(read.equals(JsonMapper.shared().readTree(text))).as(read.toString()).isTrue();
  }
}
