package dev.parlance.proxy.config.file;

import dev.parlance.proxy.config.Pointers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One mapping of the document. A value that is absent, or that the schema has refused already,
 * reads as its default, so that the checks that follow can go on and find what else is wrong.
 */
final class Section {
  private final JsonNode node;
  private final String pointer;
  private final Issues issues;

  Section(JsonNode node, String pointer, Issues issues) {
    this.node = node;
    this.pointer = pointer;
    this.issues = issues;
  }

  String pointer(String key) {
    return pointer + "/" + Pointers.escape(key);
  }

  void problem(String key, String message) {
    issues.add(pointer(key), message);
  }

  void problem(Item item, String message) {
    issues.add(item.pointer(), message);
  }

  boolean has(String key) {
    return node.path(key).isObject();
  }

  Section section(String key) {
    return new Section(node.path(key), pointer(key), issues);
  }

  /** The mappings in a list. */
  List<Section> sections(String key) {
    List<Section> found = new ArrayList<>();
    JsonNode list = node.path(key);
    for (int i = 0; i < list.size(); i++) {
      if (list.isArray() && list.get(i).isObject()) {
        found.add(new Section(list.get(i), pointer(key) + "/" + i, issues));
      }
    }
    return found;
  }

  /** The names of the members whose value is fit to read. */
  List<String> names() {
    return node.propertyNames().stream().filter(name -> !issues.isBad(pointer(name))).toList();
  }

  private Optional<JsonNode> good(String key) {
    JsonNode value = node.path(key);
    return value.isMissingNode() || value.isNull() || issues.isBad(pointer(key))
        ? Optional.empty()
        : Optional.of(value);
  }

  Optional<String> text(String key) {
    return good(key).filter(JsonNode::isString).map(JsonNode::stringValue);
  }

  String text(String key, String byDefault) {
    return text(key).orElse(byDefault);
  }

  Optional<JsonNode> value(String key) {
    return good(key);
  }

  int number(String key, int byDefault) {
    return good(key).filter(JsonNode::canConvertToInt).map(JsonNode::intValue).orElse(byDefault);
  }

  double fraction(String key, double byDefault) {
    return good(key).filter(JsonNode::isNumber).map(JsonNode::doubleValue).orElse(byDefault);
  }

  long bigNumber(String key, long byDefault) {
    return good(key).filter(JsonNode::canConvertToLong).map(JsonNode::longValue).orElse(byDefault);
  }

  boolean flag(String key, boolean byDefault) {
    return good(key).filter(JsonNode::isBoolean).map(JsonNode::booleanValue).orElse(byDefault);
  }

  /** The text items of a list that are fit to read, each with its pointer. */
  List<Item> items(String key) {
    List<Item> found = new ArrayList<>();
    JsonNode list = node.path(key);
    for (int i = 0; i < list.size(); i++) {
      String at = pointer(key) + "/" + i;
      if (list.get(i).isString() && !issues.isBad(at)) {
        found.add(new Item(at, list.get(i).stringValue()));
      }
    }
    return found;
  }

  /** The whole numbers of a list that are fit to read. */
  List<Integer> numbers(String key) {
    List<Integer> found = new ArrayList<>();
    JsonNode list = node.path(key);
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i).canConvertToInt() && !issues.isBad(pointer(key) + "/" + i)) {
        found.add(list.get(i).intValue());
      }
    }
    return found;
  }

  /** Says that a key is not there that is needed. */
  void missing(String key) {
    String at = pointer(key);
    issues.addAtKey(
        at, "missing, expected " + ConfigSchema.expected(ConfigSchema.instance().ruleAt(at)));
  }

  boolean isAbsent(String key) {
    return node.path(key).isMissingNode();
  }

  /**
   * One item of a list.
   *
   * @param pointer where it is
   * @param text what it says
   */
  record Item(String pointer, String text) {}
}
