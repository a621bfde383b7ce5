package dev.parlance.deploy;

import dev.parlance.proxy.config.StartupSetting;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Every key of the sidecar's file, from its schema. */
final class SettingKeys {
  /** Parts of {@code control} that follow a changed file at once. */
  private static final List<String> FOLLOWING =
      List.of("control.maxStalenessMs", "control.peers", "control.rounds");

  private SettingKeys() {}

  /**
   * One key; lists and mappings with free names are one.
   *
   * @param path such as {@code limits.bodyBytes}
   * @param rule what the schema says of it
   * @param needed whether its section cannot be without it
   */
  record Key(String path, JsonNode rule, boolean needed) {
    /** Default as the table shows it. */
    String shownDefault() {
      JsonNode value = rule.path("default");
      if (!value.isMissingNode()) {
        return value.isString() && value.stringValue().isEmpty() ? "empty" : "`" + value + "`";
      }
      return needed ? "needed" : "none";
    }

    /** True if a sidecar has to be started anew for it. */
    boolean needsRestart() {
      if (FOLLOWING.stream().anyMatch(prefix -> isIn(path, prefix))) {
        return false;
      }
      for (StartupSetting setting : StartupSetting.values()) {
        // The agent's address may change; a listener's may not.
        if (setting != StartupSetting.INBOUND_AGENT
            && isIn(path, setting.pointer().substring(1).replace('/', '.'))) {
          return true;
        }
      }
      return false;
    }

    private static boolean isIn(String path, String prefix) {
      return path.equals(prefix) || path.startsWith(prefix + ".");
    }
  }

  /** All keys, in the order of the schema. */
  static List<Key> all() {
    List<Key> found = new ArrayList<>();
    collect("", Schemas.sidecar(), found);
    return found;
  }

  private static void collect(String prefix, JsonNode rule, List<Key> found) {
    List<String> needed = new ArrayList<>();
    rule.path("required").forEach(name -> needed.add(name.stringValue()));
    rule.path("properties")
        .properties()
        .forEach(property -> {
          String path = prefix + property.getKey();
          JsonNode inner = property.getValue();
          if (inner.has("properties")) {
            collect(path + ".", inner, found);
          } else {
            found.add(new Key(path, inner, needed.contains(property.getKey())));
          }
        });
  }
}
