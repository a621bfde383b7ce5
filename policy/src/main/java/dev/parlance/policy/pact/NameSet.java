package dev.parlance.policy.pact;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;

/** Names that a clause lists, looked up by their bytes, too, without making a text of them. */
public final class NameSet {
  /** No names. */
  static final NameSet NONE = new NameSet(Set.of());

  private final Set<String> names;

  /**
   * UTF-8, in the order of the bytes without sign: a search in it is fast whatever stands there.
   */
  private final byte[][] sorted;

  private NameSet(Set<String> names) {
    this.names = names;
    this.sorted =
        names.stream()
            .map(name -> name.getBytes(StandardCharsets.UTF_8))
            .sorted(Arrays::compareUnsigned)
            .toArray(byte[][]::new);
  }

  /** These names. */
  public static NameSet of(Collection<String> names) {
    return new NameSet(Set.copyOf(names));
  }

  /** True if this is one of them. */
  public boolean has(String name) {
    return names.contains(name);
  }

  /** True if a range of bytes of UTF-8 is one of them; makes no objects. */
  public boolean has(byte[] bytes, int from, int to) {
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
}
