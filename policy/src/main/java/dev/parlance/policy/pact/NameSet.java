package dev.parlance.policy.pact;

import dev.parlance.policy.text.Confusables;
import dev.parlance.policy.text.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names that a clause lists, looked up by their bytes, too, without making a text of them.
 *
 * <p>Folded, names are compared as the guard compares terms: their letters and digits in lower case
 * and normal form, whatever stands between them, so that {@code birthDate} is {@code birth_date}.
 * Those that are denied are found by their looks as well: a Cyrillic letter makes no other name.
 */
public final class NameSet {
  /** No names. */
  static final NameSet NONE = new NameSet(Set.of(), false, false);

  private static final int CASE = 'a' - 'A';

  private final Set<String> names;

  /**
   * UTF-8, in the order of the bytes without sign: a search in it is fast whatever stands there.
   */
  private final byte[][] sorted;

  /** Of each name its letters and digits; none where names are compared as they are written. */
  private final byte[][] folded;

  /** What the names look like; none where looks do not count. */
  private final Set<String> looks;

  private NameSet(Set<String> names, boolean folds, boolean byLooks) {
    this.names = names;
    this.looks =
        byLooks
            ? names.stream()
                .map(NameSet::looks)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet())
            : Set.of();
    this.sorted =
        names.stream().map(NameSet::utf8).sorted(Arrays::compareUnsigned).toArray(byte[][]::new);
    this.folded =
        folds
            ? names.stream()
                .map(NameSet::fold)
                .filter(name -> name.length > 0)
                .toArray(byte[][]::new)
            : new byte[0][];
  }

  /** These names, as they are written. */
  public static NameSet of(Collection<String> names) {
    return new NameSet(Set.copyOf(names), false, false);
  }

  /** These names, folded. */
  public static NameSet folded(Collection<String> names) {
    return new NameSet(Set.copyOf(names), true, false);
  }

  /** These names, folded, and whatever looks like them. */
  public static NameSet denied(Collection<String> names) {
    return new NameSet(Set.copyOf(names), true, true);
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] fold(String name) {
    return utf8(joined(name));
  }

  private static String joined(String name) {
    return String.join("", Tokens.of(name));
  }

  private static String looks(String name) {
    return joined(Confusables.looks(name));
  }

  /** True if this is one of them. */
  public boolean has(String name) {
    if (names.contains(name)) {
      return true;
    }
    byte[] bytes = folded.length == 0 ? new byte[0] : fold(name);
    return (bytes.length > 0 && Arrays.stream(folded).anyMatch(one -> Arrays.equals(one, bytes)))
        || (!looks.isEmpty() && looks.contains(looks(name)));
  }

  /** True if a range of bytes of UTF-8 is one of them; of ASCII makes no objects. */
  public boolean has(byte[] bytes, int from, int to) {
    if (isWritten(bytes, from, to)) {
      return true;
    }
    if (folded.length == 0) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0) {
        return has(new String(bytes, from, to - from, StandardCharsets.UTF_8));
      }
    }
    for (byte[] name : folded) {
      if (isFoldedTo(name, bytes, from, to)) {
        return true;
      }
    }
    return false;
  }

  private boolean isWritten(byte[] bytes, int from, int to) {
    int low = 0;
    int high = sorted.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Arrays.compareUnsigned(bytes, from, to, sorted[middle], 0, sorted[middle].length);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return false;
  }

  /** True if the letters and digits of ASCII are those of a name; ends at the first other one. */
  private static boolean isFoldedTo(byte[] name, byte[] bytes, int from, int to) {
    int at = 0;
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      int lower = c >= 'A' && c <= 'Z' ? c + CASE : c;
      if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')) {
        if (at == name.length || name[at++] != lower) {
          return false;
        }
      }
    }
    return at == name.length;
  }
}
