package dev.parlance.service.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One mapping of the document. A value that is absent, or that has been refused already, reads as
 * the default of the schema, so that the checks that follow can go on and find what else is wrong.
 */
public final class Section {
  private final JsonNode node;
  private final String pointer;
  private final JsonNode rule;
  private final Binder binder;

  Section(JsonNode node, String pointer, JsonNode rule, Binder binder) {
    this.node = node;
    this.pointer = pointer;
    this.rule = rule;
    this.binder = binder;
  }

  /** The record that this mapping says; empty if there is a problem in it. */
  public <R> Optional<R> bind(Class<R> type) {
    return binder.bind(this, type);
  }

  /** The record that a member says; the section's defaults if there is no such member. */
  public <R> Optional<R> bind(String key, Class<R> type) {
    return section(key).bind(type);
  }

  /** The record that a member says, if there is one. */
  public <R> Optional<R> bindIfThere(String key, Class<R> type) {
    return has(key) ? bind(key, type) : Optional.empty();
  }

  /** The value of a member or its default, in the type of a component; empty if it is neither. */
  public <T> Optional<T> get(String key, Class<T> type) {
    return binder.value(this, key, type).map(type::cast);
  }

  /** The items of a list; empty if there is a problem in it. */
  public <T> Optional<List<T>> list(String key, Class<T> type) {
    return binder.items(this, key, type).map(all -> all.stream().map(type::cast).toList());
  }

  /** A constant by its code. */
  public <E extends Enum<E>> E constant(String key, Class<E> type) {
    String code = text(key).orElseThrow(() -> without(key));
    for (E one : type.getEnumConstants()) {
      if (binder.types().code(one).equals(code)) {
        return one;
      }
    }
    throw new IllegalStateException("the schema allows " + code + " at " + pointer(key));
  }

  /** What holds where the file says nothing here, because it hangs on what else it says. */
  public void setDefault(String key, JsonNode value) {
    binder.defaults().put(pointer(key), value);
  }

  public void setDefault(String key, String value) {
    setDefault(key, JsonNodeFactory.instance.stringNode(value));
  }

  /** An item of a list of mappings that says nothing, under a name that no item has. */
  public Section unsaid(String key, String name) {
    return new Section(
        JsonNodeFactory.instance.objectNode(),
        pointer(key) + "/" + name,
        binder.schema().child(rule(key), name),
        binder);
  }

  public Binder binder() {
    return binder;
  }

  /** The place of this mapping. */
  public String pointer() {
    return pointer;
  }

  public String pointer(String key) {
    return pointer + "/" + Pointers.escape(key);
  }

  public void problem(String key, String message) {
    binder.issues().add(pointer(key), message);
  }

  public void problem(Item item, String message) {
    binder.issues().add(item.pointer(), message);
  }

  /** Says that a key is not there that is needed. */
  public void missing(String key) {
    binder.issues().addAtKey(pointer(key), binder.schema().missing(rule(key)));
  }

  /** True if there is a problem with this value. */
  public boolean isBad(String key) {
    return binder.issues().isBad(pointer(key));
  }

  /** True if the file has a mapping there. */
  public boolean has(String key) {
    return node.path(key).isObject();
  }

  public boolean isAbsent(String key) {
    return node.path(key).isMissingNode();
  }

  public Section section(String key) {
    JsonNode given = node.path(key);
    return new Section(given.isContainer() ? given : value(key), pointer(key), rule(key), binder);
  }

  /** The mappings in a list. */
  public List<Section> sections(String key) {
    List<Section> found = new ArrayList<>();
    JsonNode list = node.path(key);
    for (int i = 0; i < list.size(); i++) {
      if (list.isArray() && list.get(i).isObject()) {
        String at = pointer(key) + "/" + i;
        found.add(new Section(list.get(i), at, binder.schema().child(rule(key), "" + i), binder));
      }
    }
    return found;
  }

  /** What stands there; where it is no mapping or list, that or its default. */
  public JsonNode node() {
    return node;
  }

  /** The names of the members whose value is fit to read. */
  public List<String> names() {
    return node.propertyNames().stream().filter(name -> !isBad(name)).toList();
  }

  private JsonNode rule(String key) {
    return binder.schema().child(rule, key);
  }

  private boolean isGood(String key) {
    return !isAbsent(key) && !node.path(key).isNull() && !isBad(key);
  }

  /** The value, or that of the schema; a missing node if there is neither. */
  public JsonNode value(String key) {
    if (isGood(key)) {
      return node.path(key);
    }
    JsonNode dependent = binder.defaults().get(pointer(key));
    if (dependent != null) {
      return dependent;
    }
    JsonNode own = rule.path("properties").path(key).path("default");
    return own.isMissingNode() ? rule(key).path("default") : own;
  }

  private Optional<JsonNode> known(String key) {
    return Optional.of(value(key)).filter(value -> !value.isMissingNode());
  }

  private IllegalStateException without(String key) {
    return new IllegalStateException("a schema without a default of " + pointer(key));
  }

  /** A text, or the number or word that stands where it may. */
  public Optional<String> text(String key) {
    return known(key).filter(JsonNode::isValueNode).map(JsonNode::asString);
  }

  /** The text that the file has there, whatever the default. */
  public Optional<String> given(String key) {
    return isGood(key) ? text(key) : Optional.empty();
  }

  /** One item in the type of a list's items. */
  public <T> Optional<T> read(Item item, Class<T> type) {
    return binder.read(type, item.text(), item.pointer()).map(type::cast);
  }

  /** A path, from the folder of the file on; empty for an empty text too. */
  public Optional<Path> path(String key) {
    return path(key, "");
  }

  /** A path that may have a prefix before it. */
  public Optional<Path> path(String key, String prefix) {
    Optional<String> text =
        text(key)
            .filter(given -> !given.isEmpty())
            .map(given -> given.startsWith(prefix) ? given.substring(prefix.length()) : given);
    try {
      return text.map(given -> binder.baseDir().resolve(given).normalize());
    } catch (InvalidPathException e) {
      problem(key, "got \"" + Quoted.line(e.getInput()) + "\", expected a path: " + e.getReason());
      return Optional.empty();
    }
  }

  public int number(String key) {
    return known(key)
        .filter(JsonNode::canConvertToInt)
        .map(JsonNode::intValue)
        .orElseThrow(() -> without(key));
  }

  public long bigNumber(String key) {
    return known(key)
        .filter(JsonNode::canConvertToLong)
        .map(JsonNode::longValue)
        .orElseThrow(() -> without(key));
  }

  /** A number that need not be there. */
  public OptionalDouble decimal(String key) {
    JsonNode value = value(key);
    return value.isNumber() ? OptionalDouble.of(value.doubleValue()) : OptionalDouble.empty();
  }

  public double fraction(String key) {
    return decimal(key).orElseThrow(() -> without(key));
  }

  public boolean flag(String key) {
    return known(key)
        .filter(JsonNode::isBoolean)
        .map(JsonNode::booleanValue)
        .orElseThrow(() -> without(key));
  }

  /** The text items of a list that are fit to read, each with its place. */
  public List<Item> items(String key) {
    return items(value(key), pointer(key));
  }

  /** The same of this value, where it is a list. */
  public List<Item> items() {
    return items(node, pointer);
  }

  private List<Item> items(JsonNode list, String place) {
    List<Item> found = new ArrayList<>();
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      String at = place + "/" + i;
      if (list.get(i).isString() && !binder.issues().isBad(at)) {
        found.add(new Item(at, list.get(i).stringValue()));
      }
    }
    return found;
  }

  /** The texts of a list. */
  public List<String> texts(String key) {
    return items(key).stream().map(Item::text).toList();
  }

  /** The whole numbers of a list that are fit to read. */
  public List<Integer> numbers(String key) {
    List<Integer> found = new ArrayList<>();
    JsonNode list = value(key);
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      if (list.get(i).canConvertToInt() && !binder.issues().isBad(pointer(key) + "/" + i)) {
        found.add(list.get(i).intValue());
      }
    }
    return found;
  }

  /**
   * One item of a list.
   *
   * @param pointer where it is
   * @param text what it says
   */
  public record Item(String pointer, String text) {}
}
