package dev.parlance.ledger.pact;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Members of a JSON object by name and type. One that is null counts as missing. */
final class PactMembers {
  private final JsonNode node;
  private final String where;

  private PactMembers(JsonNode node, String where) {
    this.node = node;
    this.where = where;
  }

  /** A member that is missing, not of the type that it has, or out of its range. */
  static final class BadMember extends Exception {
    private static final long serialVersionUID = 1L;

    BadMember(String what) {
      // Bad bytes are a daily thing: no stack trace.
      super(what, null, false, false);
    }

    /** The member and what was expected. */
    String what() {
      return String.valueOf(getMessage());
    }
  }

  /** Of an object. */
  static PactMembers of(JsonNode node) throws BadMember {
    return of(node, "");
  }

  private static PactMembers of(JsonNode node, String where) throws BadMember {
    if (!node.isObject()) {
      throw new BadMember((where.isEmpty() ? "it" : where) + ": expected an object");
    }
    return new PactMembers(node, where);
  }

  boolean has(String name) {
    return node.hasNonNull(name);
  }

  private BadMember bad(String name, String expected) {
    return new BadMember(where + (where.isEmpty() ? "" : ".") + name + ": expected " + expected);
  }

  /** A text that must be there. */
  String text(String name) throws BadMember {
    return optionalText(name).orElseThrow(() -> bad(name, "a text"));
  }

  Optional<String> optionalText(String name) throws BadMember {
    if (!has(name)) {
      return Optional.empty();
    }
    JsonNode member = node.path(name);
    if (!member.isString()) {
      throw bad(name, "a text");
    }
    return Optional.of(member.stringValue());
  }

  /** A whole number of 53 bits that must be there. */
  long number(String name) throws BadMember {
    return optionalNumber(name).orElseThrow(() -> bad(name, "a whole number of 53 bits"));
  }

  OptionalLong optionalNumber(String name) throws BadMember {
    return has(name) ? OptionalLong.of(number(node.path(name), name)) : OptionalLong.empty();
  }

  private long number(JsonNode member, String name) throws BadMember {
    if (!PactJson.isWhole(member)) {
      throw bad(name, "a whole number of 53 bits");
    }
    return member.longValue();
  }

  /** True or false; false if it is missing. */
  boolean flag(String name) throws BadMember {
    if (has(name) && !node.path(name).isBoolean()) {
      throw bad(name, "true or false");
    }
    return node.path(name).asBoolean(false);
  }

  private Iterable<JsonNode> list(String name) throws BadMember {
    JsonNode member = node.path(name);
    if (has(name) && !member.isArray()) {
      throw bad(name, "a list");
    }
    return member;
  }

  /** A list of texts; none if it is missing. */
  List<String> texts(String name) throws BadMember {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : list(name)) {
      if (!element.isString()) {
        throw bad(name, "a list of texts");
      }
      texts.add(element.stringValue());
    }
    return texts;
  }

  /** A list of whole numbers; none if it is missing. */
  List<Long> numbers(String name) throws BadMember {
    List<Long> numbers = new ArrayList<>();
    for (JsonNode element : list(name)) {
      numbers.add(number(element, name));
    }
    return numbers;
  }

  /** A list of objects; none if it is missing. */
  List<PactMembers> objects(String name) throws BadMember {
    List<PactMembers> objects = new ArrayList<>();
    for (JsonNode element : list(name)) {
      objects.add(of(element, at(name) + "[" + objects.size() + "]"));
    }
    return objects;
  }

  Optional<PactMembers> object(String name) throws BadMember {
    return has(name) ? Optional.of(of(node.path(name), at(name))) : Optional.empty();
  }

  private String at(String name) {
    return where + (where.isEmpty() ? "" : ".") + name;
  }

  /** Names of the members, in their order. */
  List<String> names() {
    return List.copyOf(node.propertyNames());
  }

  /** An object of texts; none if it is missing. */
  SortedMap<String, String> textByName(String name) throws BadMember {
    SortedMap<String, String> texts = new TreeMap<>();
    Optional<PactMembers> object = object(name);
    if (object.isPresent()) {
      for (String key : object.get().names()) {
        texts.put(key, object.get().text(key));
      }
    }
    return texts;
  }
}
