package dev.parlance.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The one file of attributes' names. */
class SpanFieldTest {
  /** Namespaces of conventions that others keep, and ours. */
  private static final Set<String> NAMESPACES =
      Set.of("a2a", "error", "gen_ai", "http", "mcp", "parlance", "server", "service", "url");

  /** What protocols have a name for, and others have none. */
  private static final Set<SpanField> OF_PROTOCOLS =
      Set.of(
          SpanField.OPERATION,
          SpanField.VERSION,
          SpanField.CONVERSATION,
          SpanField.TASK,
          SpanField.MESSAGE);

  @Test
  void everyField_hasOneAttribute_inANamespaceOfItsKeepers() throws IOException {
    Properties file = new Properties();
    try (InputStream bytes = SpanField.class.getResourceAsStream("attributes.properties")) {
      file.load(bytes);
    }
    SpanField.Names names = SpanField.Names.read();
    List<String> common =
        Arrays.stream(SpanField.values())
            .filter(field -> !OF_PROTOCOLS.contains(field))
            .map(names::of)
            .toList();
    assertThat(common).doesNotHaveDuplicates();
    assertThat(file.values().stream().map(name -> name.toString().split("\\.", 2)[0]))
        .isSubsetOf(NAMESPACES);
    assertThat(file.stringPropertyNames().stream().map(key -> key.split("\\.", 2)[0]))
        .containsAll(
            OF_PROTOCOLS.stream().map(SpanField::key).collect(Collectors.toUnmodifiableSet()));
  }

  @Test
  void protocols_haveTheirOwnWords_orNone() {
    SpanField.Names names = SpanField.Names.read();
    assertThat(names.of(SpanField.OPERATION, "a2a")).contains("a2a.method.name");
    assertThat(names.of(SpanField.OPERATION, "mcp")).contains("mcp.method.name");
    assertThat(names.of(SpanField.OPERATION, "openai")).contains("gen_ai.operation.name");
    assertThat(names.of(SpanField.OPERATION, "json")).isEmpty();
    assertThat(names.of(SpanField.TOOL, "mcp")).contains("gen_ai.tool.name");
  }
}
