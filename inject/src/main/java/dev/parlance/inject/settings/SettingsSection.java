package dev.parlance.inject.settings;

import dev.parlance.service.config.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One mapping of the file; what is asked of it becomes the list of its known keys. */
final class SettingsSection {
  private final JsonNode node;
  private final String path;
  private final SettingsProblems problems;
  private final Set<String> known = new TreeSet<>();

  SettingsSection(JsonNode node, String path, SettingsProblems problems) {
    this.node = node;
    this.path = path;
    this.problems = problems;
    if (!node.isMissingNode() && !node.isNull() && !node.isObject()) {
      problems.add(path, "got " + show(node) + ", expected a mapping");
    }
  }

  String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  void problem(String key, String message) {
    problems.add(path(key), message);
  }

  private JsonNode value(String key) {
    known.add(key);
    return node.path(key);
  }

  boolean has(String key) {
    JsonNode found = value(key);
    return !found.isMissingNode() && !found.isNull();
  }

  SettingsSection section(String key) {
    return new SettingsSection(value(key), path(key), problems);
  }

  Optional<String> text(String key) {
    JsonNode found = value(key);
    if (found.isMissingNode() || found.isNull()) {
      return Optional.empty();
    }
    if (found.isString()) {
      return Optional.of(found.stringValue()).filter(text -> !text.isEmpty());
    }
    // CPU and memory are quantities and may be written as numbers.
    if (found.isNumber()) {
      return Optional.of(found.asString());
    }
    problem(key, "got " + show(found) + ", expected text");
    return Optional.empty();
  }

  String text(String key, String otherwise) {
    return text(key).orElse(otherwise);
  }

  String needed(String key) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      problem(key, "missing, expected text");
    }
    return text.orElse("?");
  }

  boolean flag(String key, boolean otherwise) {
    JsonNode found = value(key);
    if (found.isMissingNode() || found.isNull()) {
      return otherwise;
    }
    if (!found.isBoolean()) {
      problem(key, "got " + show(found) + ", expected true or false");
    }
    return found.asBoolean(otherwise);
  }

  int number(String key, int otherwise, int min, int max) {
    JsonNode found = value(key);
    if (found.isMissingNode() || found.isNull()) {
      return otherwise;
    }
    if (!found.isInt() || found.intValue() < min || found.intValue() > max) {
      problem(key, "got " + show(found) + ", expected a whole number from " + min + " to " + max);
      return otherwise;
    }
    return found.intValue();
  }

  <T> T choice(String key, T otherwise, List<T> all, java.util.function.Function<T, String> code) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    List<String> codes = all.stream().map(code).toList();
    for (T one : all) {
      if (code.apply(one).equals(text.get())) {
        return one;
      }
    }
    problem(key, "got \"" + text.get() + "\", expected one of " + String.join(", ", codes));
    return otherwise;
  }

  List<String> texts(String key, List<String> otherwise) {
    JsonNode found = value(key);
    if (found.isMissingNode() || found.isNull()) {
      return otherwise;
    }
    if (!found.isArray()) {
      problem(key, "got " + show(found) + ", expected a list");
      return otherwise;
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode item : found) {
      if (item.isString()) {
        texts.add(item.stringValue());
      } else {
        problem(key, "got " + show(item) + " in the list, expected text");
      }
    }
    return texts;
  }

  List<Integer> numbers(String key, int min, int max) {
    JsonNode found = value(key);
    if (found.isMissingNode() || found.isNull()) {
      return List.of();
    }
    if (!found.isArray()) {
      problem(key, "got " + show(found) + ", expected a list");
      return List.of();
    }
    List<Integer> numbers = new ArrayList<>();
    for (JsonNode item : found) {
      if (item.isInt() && item.intValue() >= min && item.intValue() <= max) {
        numbers.add(item.intValue());
      } else {
        problem(key, "got " + show(item) + ", expected whole numbers from " + min + " to " + max);
      }
    }
    return numbers;
  }

  /** A mapping that somebody else reads. */
  ObjectNode tree(String key) {
    JsonNode found = value(key);
    if (found.isMissingNode() || found.isNull()) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (found instanceof ObjectNode object) {
      return object;
    }
    problem(key, "got " + show(found) + ", expected a mapping");
    return JsonNodeFactory.instance.objectNode();
  }

  /** Refuses what nobody asked for; called when everything has been asked for. */
  void refuseOthers() {
    if (node.isObject()) {
      for (String name : node.propertyNames()) {
        if (!known.contains(name)) {
          String meant = Suggestion.sentence(name, known);
          problems.add(
              path(name),
              "unknown key"
                  + (meant.isEmpty() ? ", expected one of " + String.join(", ", known) : meant));
        }
      }
    }
  }

  private static String show(JsonNode value) {
    return value.isObject() ? "a mapping" : value.isArray() ? "a list" : value.toString();
  }

  /** Everything that is wrong with one file. */
  static final class SettingsProblems {
    private final List<String> found = new ArrayList<>();

    void add(String path, String message) {
      found.add((path.isEmpty() ? "" : path + ": ") + message);
    }

    boolean isEmpty() {
      return found.isEmpty();
    }

    List<String> all() {
      return List.copyOf(found);
    }
  }
}
