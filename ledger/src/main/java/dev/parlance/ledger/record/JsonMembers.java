package dev.parlance.ledger.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Members of a JSON object by name and type. Says nothing about order, blanks and extra members:
 * whoever reads writes what was read again and compares.
 */
final class JsonMembers {
  private static final int MAX_DEPTH = 4;
  private static final int MAX_NUMBER_LENGTH = 32;

  private static final JsonMapper ENTRIES = mapper(EntryCodec.MAX_BYTES);
  private static final JsonMapper DOCUMENTS = mapper(BoardNote.MAX_BYTES);

  private static JsonMapper mapper(int maxBytes) {
    return JsonMapper.builder(
            JsonFactory.builder()
                .streamReadConstraints(
                    StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxNumberLength(MAX_NUMBER_LENGTH)
                        .maxDocumentLength(maxBytes)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build())
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();
  }

  private final JsonNode node;

  private JsonMembers(JsonNode node) {
    this.node = node;
  }

  /** A member that is missing, or not of the type that it has. */
  static final class BadMember extends Exception {
    private static final long serialVersionUID = 1L;
    private final String code;

    BadMember(String code, String member) {
      // Bad bytes are a daily thing: no stack trace.
      super(code + ": " + member, null, false, false);
      this.code = code;
    }

    String code() {
      return code;
    }
  }

  /**
   * Reads an object.
   *
   * @throws tools.jackson.core.JacksonException where it is no JSON
   */
  static JsonMembers of(String text) {
    return new JsonMembers(ENTRIES.readTree(text));
  }

  /**
   * Reads an object that may be as large as a board.
   *
   * @throws tools.jackson.core.JacksonException where it is no JSON
   */
  static JsonMembers ofDocument(String text) {
    return new JsonMembers(DOCUMENTS.readTree(text));
  }

  boolean has(String name) {
    return node.has(name);
  }

  private JsonNode member(String name) throws BadMember {
    JsonNode member = node.get(name);
    if (member == null) {
      throw new BadMember("bad_member", name);
    }
    return member;
  }

  String text(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isString()) {
      throw new BadMember("bad_member", name);
    }
    return member.stringValue();
  }

  <T> T coded(String name, Function<String, Optional<T>> ofCode) throws BadMember {
    Optional<T> value = ofCode.apply(text(name));
    if (value.isEmpty()) {
      throw new BadMember("bad_member", name);
    }
    return value.get();
  }

  long number(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isIntegralNumber() || !member.canConvertToLong()) {
      throw new BadMember("bad_member", name);
    }
    return member.longValue();
  }

  int integer(String name) throws BadMember {
    long value = number(name);
    if (value != (int) value) {
      throw new BadMember("bad_member", name);
    }
    return (int) value;
  }

  double real(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isFloatingPointNumber()) {
      throw new BadMember("bad_member", name);
    }
    return member.doubleValue();
  }

  boolean truth(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isBoolean()) {
      throw new BadMember("bad_member", name);
    }
    return member.booleanValue();
  }

  List<String> texts(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isArray()) {
      throw new BadMember("bad_member", name);
    }
    List<String> texts = new ArrayList<>(member.size());
    for (JsonNode element : member) {
      if (!element.isString()) {
        throw new BadMember("bad_member", name);
      }
      texts.add(element.stringValue());
    }
    return texts;
  }

  SortedMap<String, String> map(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isObject()) {
      throw new BadMember("bad_member", name);
    }
    JsonMembers inner = new JsonMembers(member);
    SortedMap<String, String> map = new TreeMap<>();
    for (String key : member.propertyNames()) {
      map.put(key, inner.text(key));
    }
    return map;
  }

  /** A list of objects. */
  List<JsonMembers> objects(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isArray()) {
      throw new BadMember("bad_member", name);
    }
    List<JsonMembers> objects = new ArrayList<>(member.size());
    for (JsonNode element : member) {
      objects.add(new JsonMembers(element));
    }
    return objects;
  }
}
