package dev.parlance.inject.pod;

import dev.parlance.proxy.config.file.ConfigLoader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The keys of the sidecar's file that an annotation can set, by path ({@code limits.bodyBytes}). A
 * list and a mapping with free names are one key each, and its value is YAML.
 */
public final class ConfigKeys {
  private static final Map<String, JsonNode> RULES = read();

  private ConfigKeys() {}

  private static Map<String, JsonNode> read() {
    try (InputStream in = ConfigLoader.class.getResourceAsStream("parlance-config.schema.json")) {
      if (in == null) {
        throw new IllegalStateException("the sidecar's schema is not in the jar");
      }
      Map<String, JsonNode> rules = new LinkedHashMap<>();
      collect("", JsonMapper.shared().readTree(in), rules);
      return Collections.unmodifiableMap(rules);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void collect(String prefix, JsonNode rule, Map<String, JsonNode> rules) {
    rule.path("properties")
        .properties()
        .forEach(member -> {
          String path = prefix + member.getKey();
          if (member.getValue().has("properties")) {
            collect(path + ".", member.getValue(), rules);
          } else {
            rules.put(path, member.getValue());
          }
        });
  }

  /** Path of the key to what the schema says of its value, in the order of the schema. */
  public static Map<String, JsonNode> all() {
    return RULES;
  }
}
