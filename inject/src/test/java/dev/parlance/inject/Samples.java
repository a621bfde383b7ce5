package dev.parlance.inject;

import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.inject.yaml.Yaml;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The shipped sample of the injector's file, and variants of it. */
public final class Samples {
  private Samples() {}

  /** The sample's text. */
  public static String text() {
    try (InputStream in =
        Objects.requireNonNull(SettingsReader.class.getResourceAsStream("injector-sample.yaml"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A YAML text that has to be right, as a tree. */
  public static ObjectNode tree(String yaml) {
    return switch (Yaml.read(yaml)) {
      case Yaml.Result.Read(JsonNode root) -> (ObjectNode) root;
      case Yaml.Result.Bad bad -> throw new AssertionError(bad + " in " + yaml);
    };
  }

  /** The sample with changes, a YAML mapping that is laid over it. */
  public static InjectorSettings settings(String changes) {
    ObjectNode tree = tree(text());
    merge(tree, tree(changes));
    return switch (SettingsReader.parse(Yaml.write(tree), Path.of("/etc/parlance"))) {
      case ConfigResult.Loaded<InjectorSettings>(InjectorSettings settings) -> settings;
      case ConfigResult.Refused<InjectorSettings> refused ->
          throw new AssertionError(refused.problems());
    };
  }

  private static void merge(ObjectNode into, ObjectNode from) {
    from.properties()
        .forEach(member -> {
          if (into.path(member.getKey()) instanceof ObjectNode old
              && member.getValue() instanceof ObjectNode added) {
            merge(old, added);
          } else {
            into.set(member.getKey(), member.getValue());
          }
        });
  }
}
