package dev.parlance.ledger.pact;

import dev.parlance.policy.pact.Predicate;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON of pacts. Read strictly: no name twice, nothing behind the value, bounded depth. Written
 * canonically in two forms: ASCII as {@code pact-1} hashes it, and after RFC 8785 as {@code
 * pact-note-1} signs it. Both know whole numbers only, since two writers differ in others.
 */
final class PactJson {
  /** Largest whole number that every reader of JSON takes exactly. */
  static final long MAX_NUMBER = (1L << 53) - 1;

  /** Deepest nesting that is read. */
  static final int MAX_DEPTH = 8;

  private static final int MAX_NUMBER_LENGTH = 32;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER_LENGTH)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private PactJson() {}

  /**
   * Reads a value.
   *
   * @throws tools.jackson.core.JacksonException where it is no JSON, or over a limit
   */
  static JsonNode read(String text) {
    return MAPPER.readTree(text);
  }

  /** True if the value has one canonical form: Unicode texts, whole numbers of 53 bits. */
  static boolean isCanonical(JsonNode node) {
    if (node.isString()) {
      return isText(node.stringValue());
    }
    if (node.isNumber()) {
      return isWhole(node);
    }
    for (String name : node.propertyNames()) {
      if (!isText(name)) {
        return false;
      }
    }
    for (JsonNode child : node) {
      if (!isCanonical(child)) {
        return false;
      }
    }
    return true;
  }

  static boolean isWhole(JsonNode node) {
    return node.isIntegralNumber()
        && node.canConvertToLong()
        && Math.abs(node.longValue()) <= MAX_NUMBER
        && node.longValue() != Long.MIN_VALUE;
  }

  /** False if half of a surrogate pair stands in it. */
  static boolean isText(String text) {
    return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  /** In ASCII, names by code point: the form that a negotiation's history binds. */
  static String ascii(JsonNode node) {
    StringBuilder out = new StringBuilder();
    write(out, node, Predicate.BYTE_ORDER, Predicate::quoteAscii);
    return out.toString();
  }

  /** After RFC 8785: names by UTF-16 unit, nothing escaped that need not be. */
  static String rfc8785(JsonNode node) {
    StringBuilder out = new StringBuilder();
    write(out, node, Comparator.naturalOrder(), Predicate::quote);
    return out.toString();
  }

  private static void write(
      StringBuilder out,
      JsonNode node,
      Comparator<String> order,
      BiConsumer<StringBuilder, String> quote) {
    if (node.isObject()) {
      List<String> names = node.propertyNames().stream().sorted(order).toList();
      out.append('{');
      for (String name : names) {
        quote.accept(out.charAt(out.length() - 1) == '{' ? out : out.append(','), name);
        write(out.append(':'), node.path(name), order, quote);
      }
      out.append('}');
    } else if (node.isArray()) {
      out.append('[');
      for (int i = 0; i < node.size(); i++) {
        write(i == 0 ? out : out.append(','), node.path(i), order, quote);
      }
      out.append(']');
    } else if (node.isString()) {
      quote.accept(out, node.stringValue());
    } else {
      out.append(node); // a whole number, true, false, null
    }
  }
}
