package dev.parlance.relay.http2;

import dev.parlance.relay.http1.HeaderFields;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one header block, pseudo-fields among them, in the order in which they came or will
 * go: two arrays, as in {@link HeaderFields}. Unchecked. Only what is declared here may be asked of
 * it; what Netty's own book of headers has beyond that stays empty.
 */
public final class H2Fields extends DefaultHttp2Headers {
  private static final int FIRST_FIELDS = 16;

  private CharSequence[] names = new CharSequence[FIRST_FIELDS];
  private CharSequence[] values = new CharSequence[FIRST_FIELDS];
  private int size;
  private boolean sawRegular;
  private boolean latePseudoField;

  H2Fields() {
    super(false, 2);
  }

  @Override
  public Http2Headers add(CharSequence name, CharSequence value) {
    if (isPseudo(name)) {
      latePseudoField |= sawRegular;
    } else {
      sawRegular = true;
    }
    if (size == names.length) {
      names = Arrays.copyOf(names, size * 2);
      values = Arrays.copyOf(values, size * 2);
    }
    names[size] = name;
    values[size] = value;
    size++;
    return this;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean isEmpty() {
    return size == 0;
  }

  /** Bytes of all names and values. */
  public int bytes() {
    int bytes = 0;
    for (int i = 0; i < size; i++) {
      bytes += names[i].length() + values[i].length();
    }
    return bytes;
  }

  /** The name of a field, counted from 0. */
  CharSequence nameAt(int index) {
    return names[index];
  }

  CharSequence valueAt(int index) {
    return values[index];
  }

  /** The first value of this name. */
  @Override
  public @Nullable CharSequence get(CharSequence name) {
    for (int i = 0; i < size; i++) {
      if (same(names[i], name)) {
        return values[i];
      }
    }
    return null;
  }

  /** Every value of this name as it came. */
  @Override
  public List<CharSequence> getAll(CharSequence name) {
    List<CharSequence> found = List.of();
    for (int i = 0; i < size; i++) {
      if (same(names[i], name)) {
        if (found.isEmpty()) {
          found = new ArrayList<>(1);
        }
        found.add(values[i]);
      }
    }
    return found;
  }

  @Override
  public boolean contains(CharSequence name) {
    return get(name) != null;
  }

  @Override
  public Set<CharSequence> names() {
    return new LinkedHashSet<>(Arrays.asList(names).subList(0, size));
  }

  @Override
  public Iterator<Map.Entry<CharSequence, CharSequence>> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < size;
      }

      @Override
      public Map.Entry<CharSequence, CharSequence> next() {
        if (next >= size) {
          throw new NoSuchElementException();
        }
        next++;
        return Map.entry(names[next - 1], values[next - 1]);
      }
    };
  }

  /**
   * Does nothing: Netty's decoder would put one content-length in the place of several that are
   * equal, and whoever asks here wants them as they came.
   */
  @Override
  public Http2Headers setLong(CharSequence name, long value) {
    return this;
  }

  /** Every content-length as it came. */
  List<CharSequence> contentLengths() {
    return getAll(HttpHeaderNames.CONTENT_LENGTH);
  }

  private static boolean same(CharSequence name, CharSequence other) {
    int length = name.length();
    if (length != other.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name.charAt(i) != other.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  static boolean isPseudo(CharSequence name) {
    return name.length() > 0 && name.charAt(0) == ':';
  }

  /** True if a pseudo-field stood behind a regular field. */
  boolean latePseudoField() {
    return latePseudoField;
  }
}
