package dev.parlance.policy.pact;

import dev.parlance.policy.text.Sha256;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * One predicate as a message carries it.
 *
 * @param id within the negotiation
 * @param category code of its category, as it was written
 * @param body its terms
 */
public record Predicate(String id, String category, String body) {
  /** By code points, which is the order of the UTF-8 bytes. */
  public static final Comparator<String> BYTE_ORDER =
      (a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());

  /** The category; empty if there is none of this name. */
  public Optional<PactCategory> kind() {
    return PactCategory.ofCode(category);
  }

  /** Hex SHA-256 of the canonical JSON of a list of predicates, in the order of their ids. */
  public static String hash(Collection<Predicate> predicates) {
    List<Predicate> sorted =
        predicates.stream().sorted(Comparator.comparing(Predicate::id, BYTE_ORDER)).toList();
    StringBuilder json = new StringBuilder("[");
    for (Predicate one : sorted) {
      json.append(json.length() > 1 ? ",{\"body\":" : "{\"body\":");
      quoteAscii(json, one.body);
      quoteAscii(json.append(",\"category\":"), one.category);
      quoteAscii(json.append(",\"id\":"), one.id);
      json.append('}');
    }
    return Sha256.hex(json.append(']').toString());
  }

  /** Appends a JSON string in ASCII. */
  public static void quoteAscii(StringBuilder json, String text) {
    quote(json, text, '~');
  }

  /** Appends a JSON string in which nothing is escaped that need not be. */
  public static void quote(StringBuilder json, String text) {
    quote(json, text, Character.MAX_VALUE);
  }

  private static void quote(StringBuilder json, String text, char last) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        case '\b' -> json.append("\\b");
        case '\f' -> json.append("\\f");
        default -> {
          if (c < ' ' || c > last) {
            json.append("\\u").append(HexFormat.of().toHexDigits(c));
          } else {
            json.append(c);
          }
        }
      }
    }
    json.append('"');
  }
}
