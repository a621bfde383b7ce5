package dev.parlance.wire.json;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Finds repeated member names by comparing the folded texts of all of them. */
final class ReferenceNames {
  private static final int MAX_NORMALISED_CHARS = 128;

  private final byte[] body;

  ReferenceNames(byte[] body) {
    this.body = body;
  }

  /** The node of a name that repeats an earlier one of the object, or {@link JsonDocument#NONE}. */
  int firstRepeated(int[] tape, int object, int end) {
    Set<String> seen = new HashSet<>();
    int name = object + 1;
    while (name < end) {
      int base = name * JsonDocument.STRIDE;
      int from = tape[base + JsonDocument.START] + 1;
      int to = tape[base + JsonDocument.END] - 1;
      if (!seen.add(folded(JsonStrings.unescape(body, from, to)))) {
        return name;
      }
      name = tape[(name + 1) * JsonDocument.STRIDE + JsonDocument.SKIP];
    }
    return JsonDocument.NONE;
  }

  /** ASCII is lower-cased first, and what is longer then is not normalised. */
  private static String folded(byte[] unescaped) {
    StringBuilder text = new StringBuilder(new String(unescaped, StandardCharsets.UTF_8));
    boolean ascii = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      ascii &= c < 0x80;
      if (c >= 'A' && c <= 'Z') {
        text.setCharAt(i, (char) (c | 0x20));
      }
    }
    if (ascii) {
      return text.toString();
    }
    String lower = text.toString();
    return (lower.length() <= MAX_NORMALISED_CHARS
            ? Normalizer.normalize(lower, Normalizer.Form.NFKC)
            : lower)
        .toLowerCase(Locale.ROOT);
  }
}
