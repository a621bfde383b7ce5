package dev.parlance.wire.json;

import dev.parlance.policy.text.Utf8Span;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells whether the member names in the data of one answer are names. Names are not judged, because
 * no evidence repeats them, so they are no place for sentences: neither one for each name, nor one
 * word after the other.
 *
 * <table>
 * <caption>Bounds of different names</caption>
 * <tr><td>a name of words</td><td>{@value #MAX_NAME_BYTES} bytes; an address is no words</td></tr>
 * <tr><td>all names of {@value #WORDS} words and more</td><td>{@value #MAX_WORDY_BYTES} bytes</td></tr>
 * <tr><td>all names</td><td>{@value #MAX_BYTES} bytes</td></tr>
 * </table>
 */
public final class DataNames {
  static final int MAX_NAME_BYTES = 64;
  static final int MAX_WORDY_BYTES = 128;
  static final int MAX_BYTES = 4096;
  static final int WORDS = 4;

  private final Set<Utf8Span> known = new HashSet<>();
  private int bytes;
  private int wordyBytes;
  private boolean exceeded;

  /** Adds a name; of a new one a copy is kept. */
  public void add(Utf8Span name) {
    if (exceeded || known.contains(name)) {
      return;
    }
    boolean wordy = words(name) >= WORDS;
    bytes += name.length();
    wordyBytes += wordy ? name.length() : 0;
    exceeded =
        bytes > MAX_BYTES
            || wordyBytes > MAX_WORDY_BYTES
            || (wordy && name.length() > MAX_NAME_BYTES);
    known.add(Utf8Span.of(name.toByteArray()));
  }

  /** True if there were more words than names have. */
  public boolean exceeded() {
    return exceeded;
  }

  /** Words of letters, whatever parts them; an address counts as one. */
  private static int words(Utf8Span name) {
    int words = 0;
    int letters = 0;
    for (int i = 0; i <= name.length(); i++) {
      int b = i < name.length() ? name.byteAt(i) : ' ';
      int lower = b | 0x20;
      if (b < 0 || (lower >= 'a' && lower <= 'z')) {
        letters++;
      } else {
        words += letters > 0 ? 1 : 0;
        letters = 0;
        if (b == ':' && i + 2 < name.length() && name.byteAt(i + 1) == '/') {
          return 1;
        }
      }
    }
    return words;
  }
}
