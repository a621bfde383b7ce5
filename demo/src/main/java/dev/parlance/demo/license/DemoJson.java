package dev.parlance.demo.license;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_ABSENT;

import dev.parlance.client.MessageSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON of the demonstration: its scripts, its report, and metadata of A2A messages. */
public final class DemoJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(MessageSerializer.module())
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .changeDefaultPropertyInclusion(use -> use.withValueInclusion(NON_ABSENT))
          .build();

  private DemoJson() {}

  /** The entries of a script: a JSON array beside the class that plays it. */
  public static <T> List<T> script(Class<?> beside, String name, Class<T[]> entries) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no script " + name);
      }
      return List.of(MAPPER.readValue(in, entries));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The members of a record in its order; those that are absent are left out. */
  public static Map<String, Object> members(Object record) {
    return MAPPER.convertValue(record, new TypeReference<Map<String, Object>>() {});
  }

  /** A record out of its members; empty if they are something else. */
  public static <T> Optional<T> read(@Nullable Object members, Class<T> type) {
    try {
      return members instanceof Map<?, ?>
          ? Optional.of(MAPPER.convertValue(members, type))
          : Optional.empty();
    } catch (JacksonException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A record out of JSON. */
  public static <T> T tree(JsonNode node, Class<T> type) {
    return MAPPER.treeToValue(node, type);
  }

  /** A report as indented text. */
  public static String text(Object report) {
    return MAPPER.writeValueAsString(report);
  }
}
