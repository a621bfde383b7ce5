package dev.parlance.proxy.config.file;

import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.service.config.Issues;
import dev.parlance.service.config.Section;
import dev.parlance.service.config.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Reads the profiles: each from the one that it extends, in whatever order they stand. */
final class ProfileReader {
  private static final String EXTENDS = "extends";

  private final Section section;
  private final Issues issues;
  private final Map<String, Profile> known = new LinkedHashMap<>();
  private final Set<String> underWay = new LinkedHashSet<>();
  private final Set<String> failed = new LinkedHashSet<>();
  private final List<String> names;

  private ProfileReader(Section section) {
    this.section = section;
    this.issues = section.binder().issues();
    for (Profile builtIn : Profiles.builtIn()) {
      known.put(builtIn.name(), builtIn);
    }
    names = new ArrayList<>();
    for (String name : section.names()) {
      if (known.containsKey(name)) {
        issues.addAtKey(
            section.pointer(name), "\"" + name + "\" is built in, expected another name");
      } else if (section.has(name)) {
        names.add(name);
      }
    }
  }

  /** All profiles by name; one that is wrong stands in as the default so that reading goes on. */
  static Map<String, Profile> read(Section section) {
    ProfileReader reader = new ProfileReader(section);
    reader.names.forEach(reader::resolve);
    reader.failed.forEach(name -> reader.known.put(name, Profiles.DEFAULT));
    return reader.known;
  }

  private Optional<Profile> resolve(String name) {
    Profile done = known.get(name);
    if (done != null) {
      return Optional.of(done);
    }
    if (failed.contains(name)) {
      return Optional.empty();
    }
    underWay.add(name);
    Optional<Profile> profile = base(name).flatMap(base -> derive(name, base));
    underWay.remove(name);
    profile.ifPresentOrElse(good -> known.put(name, good), () -> failed.add(name));
    return profile;
  }

  private Optional<Profile> base(String name) {
    Section own = section.section(name);
    String wanted = own.text(EXTENDS).orElseThrow();
    if (!known.containsKey(wanted) && !names.contains(wanted)) {
      Set<String> all = new LinkedHashSet<>(known.keySet());
      all.addAll(names);
      own.problem(
          EXTENDS,
          "unknown profile \""
              + wanted
              + "\", expected one of "
              + String.join(", ", all)
              + Suggestion.sentence(wanted, all));
      return Optional.empty();
    }
    if (underWay.contains(wanted)) {
      own.problem(
          EXTENDS, "profile \"" + wanted + "\" extends itself: " + String.join(" -> ", underWay));
      return Optional.empty();
    }
    return resolve(wanted);
  }

  /**
   * The settings are tried together, because they may depend on one another. A complaint about
   * several of them is a list, and each entry goes to the setting that it names.
   */
  private Optional<Profile> derive(String name, Profile base) {
    Section own = section.section(name);
    Map<String, Object> settings = new LinkedHashMap<>();
    Map<String, Object> baseSettings = base.settings();
    JsonNode all = section.value(name);
    for (Map.Entry<String, JsonNode> entry : all.properties()) {
      String key = entry.getKey();
      Object like = baseSettings.get(key);
      if (like != null) {
        setting(entry.getValue(), like).ifPresent(value -> settings.put(key, value));
      }
    }
    try {
      return Optional.of(Profiles.derive(name, base, settings));
    } catch (IllegalArgumentException e) {
      for (String complaint : String.valueOf(e.getMessage()).split("; ", -1)) {
        named(settings.keySet(), complaint)
            .ifPresentOrElse(
                setting -> issues.replace(own.pointer(setting), complaint),
                () -> issues.add(section.pointer(name), complaint));
      }
      return Optional.empty();
    }
  }

  /** The value in the type that the setting has; empty where the schema has refused it. */
  private static Optional<Object> setting(JsonNode value, Object like) {
    if (like instanceof Boolean) {
      return value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
    }
    if (like instanceof String) {
      return value.isString() ? Optional.of(value.asString()) : Optional.empty();
    }
    if (!value.isNumber()) {
      return Optional.empty();
    }
    if (like instanceof Double) {
      return Optional.of(value.doubleValue());
    }
    return value.isIntegralNumber() && value.canConvertToLong()
        ? Optional.of(value.longValue())
        : Optional.empty();
  }

  /** The setting whose name stands first in the message. */
  private static Optional<String> named(Set<String> settings, String message) {
    Optional<String> best = Optional.empty();
    int bestIndex = Integer.MAX_VALUE;
    for (String setting : settings) {
      int index = message.indexOf(setting);
      boolean longer = best.isPresent() && setting.length() > best.get().length();
      if (index >= 0 && (index < bestIndex || (index == bestIndex && longer))) {
        best = Optional.of(setting);
        bestIndex = index;
      }
    }
    return best;
  }
}
