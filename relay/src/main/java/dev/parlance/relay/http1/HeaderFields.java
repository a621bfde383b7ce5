package dev.parlance.relay.http1;

import dev.parlance.relay.http1.FieldName.FieldKind;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one message in the order they came: two arrays that are searched from the front. A
 * message has about ten fields, and most of what is asked for is not there, so this is less work
 * than a table of buckets, and a copy is two array copies. What is set from outside is validated;
 * what {@link HeadReader} adds has been. Every character fits in a byte.
 */
public final class HeaderFields extends HttpHeaders {
  private static final int FIRST_FIELDS = 10;

  private static final FieldName HOST = FieldName.of("host");
  private static final FieldName LENGTH = FieldName.of("content-length");
  private static final FieldName[] NO_NAMES = {};
  private static final String[] NO_VALUES = {};

  private FieldName[] names = NO_NAMES;
  private String[] values = NO_VALUES;
  private int size;

  /**
   * What stands between colon and line end, of fields that have other blanks around their value
   * than the usual one; not there if none has.
   */
  private @Nullable String @Nullable [] written;

  /** Before which field Content-Length stood, as it was spelt; -1 if there was none. */
  private int lengthAt = -1;

  private FieldName lengthName = LENGTH;

  /** What stood behind its colon, where that was more or less than usual. */
  private @Nullable String lengthWritten;

  /** True if the sender takes trailers. */
  private boolean takesTrailers;

  /** The fields behind the body that go on with it. */
  private @Nullable HeaderFields trailers;

  /** True if the body came in chunks. */
  private boolean inChunks;

  /** True if they go on as they came. */
  private boolean passedOn;

  /** Status and phrase of the head they came in, where the phrase is not the usual one. */
  private String statusLine = "";

  public HeaderFields() {}

  private HeaderFields(HeaderFields from) {
    names = Arrays.copyOf(from.names, from.names.length);
    values = Arrays.copyOf(from.values, from.values.length);
    size = from.size;
    written = from.written == null ? null : Arrays.copyOf(from.written, from.written.length);
    lengthAt = from.lengthAt;
    lengthName = from.lengthName;
    lengthWritten = from.lengthWritten;
    takesTrailers = from.takesTrailers;
    trailers = from.trailers;
    inChunks = from.inChunks;
    passedOn = from.passedOn;
    statusLine = from.statusLine;
  }

  /** The same fields as {@link HeaderFields}. */
  public static HeaderFields of(HttpHeaders headers) {
    if (headers instanceof HeaderFields fields) {
      return fields.copy();
    }
    HeaderFields copy = new HeaderFields();
    copy.add(headers);
    return copy;
  }

  /** These fields themselves if they are some of ours, else a copy. */
  public static HeaderFields from(HttpHeaders headers) {
    return headers instanceof HeaderFields fields ? fields : of(headers);
  }

  /** Adds a field that has been looked at: a token, and a value without line ends. */
  public void addChecked(FieldName name, String value) {
    if (size == names.length) {
      int more = Math.max(FIRST_FIELDS, size * 2);
      names = Arrays.copyOf(names, more);
      values = Arrays.copyOf(values, more);
      written = written == null ? null : Arrays.copyOf(written, more);
    }
    names[size] = name;
    values[size] = value;
    size++;
  }

  /**
   * Adds a field that has been looked at, and goes on as it was written.
   *
   * @param text what stands behind its colon
   */
  void addWritten(FieldName name, String text) {
    String value = text.strip();
    addChecked(name, value);
    if (text.length() != value.length() + 1 || text.charAt(0) != ' ') {
      lastWritten(text);
    }
  }

  /** Adds a field of others. */
  void addLike(HeaderFields others, int index) {
    addChecked(others.names[index], others.values[index]);
    String text = others.writtenAt(index);
    if (text != null) {
      lastWritten(text);
    }
  }

  /**
   * Says what stands behind the colon of the field that was added last.
   *
   * @param text the value with its blanks
   */
  void lastWritten(String text) {
    @Nullable String[] all = written == null ? new String[names.length] : written;
    all[size - 1] = text;
    written = all;
  }

  /** What stands behind the colon of a field, where that is not a blank and its value. */
  @Nullable String writtenAt(int index) {
    return written == null ? null : written[index];
  }

  public FieldName nameAt(int index) {
    return names[index];
  }

  public String valueAt(int index) {
    return values[index];
  }

  /** Says that the body came in chunks. */
  void cameInChunks() {
    inChunks = true;
  }

  /** True if the body came in chunks. */
  boolean isInChunks() {
    return inChunks;
  }

  /**
   * Has the head of a response go on as it came, without a date of ours.
   *
   * @param line its status and phrase where the phrase is not the usual one, else empty
   */
  public void passOn(String line) {
    passedOn = true;
    statusLine = line;
  }

  /** True if the head goes on as it came. */
  boolean isPassedOn() {
    return passedOn;
  }

  /** Its status and phrase, if the phrase goes on and is not the usual one; else empty. */
  String statusLine() {
    return statusLine;
  }

  /** Before which field a length is written; {@link #size} or more, or -1: behind all. */
  int lengthAt() {
    return lengthAt;
  }

  /** True if a length was declared. */
  boolean hadLength() {
    return lengthAt >= 0;
  }

  /** What stood behind the colon of a length, where that was not a blank and the length. */
  @Nullable String lengthWritten() {
    return lengthWritten;
  }

  /** True if who sent these fields takes trailers. */
  public boolean takesTrailers() {
    return takesTrailers || isTrailers(first(FieldKind.TE));
  }

  private static boolean isTrailers(@Nullable String codings) {
    if (codings != null) {
      for (String coding : codings.split(",", -1)) {
        if (coding.strip().equalsIgnoreCase("trailers")) {
          return true;
        }
      }
    }
    return false;
  }

  /** The fields behind the body that go on with it. */
  public HttpHeaders trailers() {
    return trailers == null ? EmptyHttpHeaders.INSTANCE : trailers;
  }

  /** Has these fields go on behind the body. */
  public void trail(HeaderFields behind) {
    trailers = behind.isEmpty() ? null : behind;
  }

  /** How the name of a length is spelt. */
  String lengthName() {
    return lengthName.text();
  }

  /** True if there is a field of this kind. */
  public boolean has(FieldKind kind) {
    for (int i = 0; i < size; i++) {
      if (names[i].kind() == kind) {
        return true;
      }
    }
    return false;
  }

  /** The first value of this kind. */
  public @Nullable String first(FieldKind kind) {
    for (int i = 0; i < size; i++) {
      if (names[i].kind() == kind) {
        return values[i];
      }
    }
    return null;
  }

  /** All values of this kind. */
  public List<String> all(FieldKind kind) {
    if (!has(kind)) {
      return List.of();
    }
    List<String> found = new ArrayList<>(2);
    for (int i = 0; i < size; i++) {
      if (names[i].kind() == kind) {
        found.add(values[i]);
      }
    }
    return found;
  }

  /**
   * Takes off every field of the connection and Content-Length, whose place is remembered, as is
   * whether trailers are taken; the others keep their order.
   *
   * @param named what Connection names, in lower case
   */
  public void keepEndToEnd(Set<String> named) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      FieldKind kind = names[i].kind();
      boolean passes = kind.passesOn() || (passedOn && kind == FieldKind.TRAILER);
      if (passes && !FieldRules.isNamed(named, names[i].text())) {
        kept = move(i, kept);
      } else if (kind == FieldKind.CONTENT_LENGTH) {
        lengthAt = kept;
        lengthName = names[i];
        lengthWritten = writtenAt(i);
      } else if (kind == FieldKind.TE) {
        takesTrailers |= isTrailers(values[i]);
      }
    }
    truncate(kept);
  }

  /** Has Host say this, before all others if there was none. */
  public void setHost(String value) {
    for (int i = 0; i < size; i++) {
      if (names[i].kind() == FieldKind.HOST) {
        if (!values[i].equals(value)) {
          values[i] = value;
          if (written != null) {
            written[i] = null;
          }
        }
        return;
      }
    }
    addChecked(HOST, value);
    if (written != null) {
      System.arraycopy(written, 0, written, 1, size - 1);
      written[0] = null;
    }
    System.arraycopy(names, 0, names, 1, size - 1);
    System.arraycopy(values, 0, values, 1, size - 1);
    names[0] = HOST;
    values[0] = value;
    lengthAt += lengthAt < 0 ? 0 : 1;
  }

  /** Takes off every field of this kind. */
  void remove(FieldKind kind) {
    int kept = 0;
    int before = lengthAt;
    for (int i = 0; i < size; i++) {
      if (names[i].kind() != kind) {
        kept = move(i, kept);
      } else if (i < before) {
        lengthAt--;
      }
    }
    truncate(kept);
  }

  /** Moves a field to the end of those that are kept, and counts it. */
  private int move(int from, int kept) {
    names[kept] = names[from];
    values[kept] = values[from];
    if (written != null) {
      written[kept] = written[from];
    }
    return kept + 1;
  }

  private void truncate(int kept) {
    if (kept < size) {
      Arrays.fill(names, kept, size, null);
      Arrays.fill(values, kept, size, null);
      if (written != null) {
        Arrays.fill(written, kept, size, null);
      }
      size = kept;
    }
  }

  @Override
  public @Nullable String get(String name) {
    for (int i = 0; i < size; i++) {
      if (names[i].is(name)) {
        return values[i];
      }
    }
    return null;
  }

  @Override
  public List<String> getAll(String name) {
    if (!contains(name)) {
      return List.of();
    }
    List<String> found = new ArrayList<>(2);
    for (int i = 0; i < size; i++) {
      if (names[i].is(name)) {
        found.add(values[i]);
      }
    }
    return found;
  }

  @Override
  public boolean contains(String name) {
    return get(name) != null;
  }

  @Override
  public @Nullable Integer getInt(CharSequence name) {
    return parsed(name, Integer::valueOf);
  }

  @Override
  public int getInt(CharSequence name, int defaultValue) {
    return Objects.requireNonNullElse(getInt(name), defaultValue);
  }

  @Override
  public @Nullable Short getShort(CharSequence name) {
    return parsed(name, Short::valueOf);
  }

  @Override
  public short getShort(CharSequence name, short defaultValue) {
    return Objects.requireNonNullElse(getShort(name), defaultValue);
  }

  @Override
  public @Nullable Long getTimeMillis(CharSequence name) {
    Date date = parsed(name, DateFormatter::parseHttpDate);
    return date == null ? null : Long.valueOf(date.toInstant().toEpochMilli());
  }

  @Override
  public long getTimeMillis(CharSequence name, long defaultValue) {
    return Objects.requireNonNullElse(getTimeMillis(name), defaultValue);
  }

  /** The first value of this name as something else than text; null if it is not that. */
  private <T> @Nullable T parsed(CharSequence name, Function<String, @Nullable T> parser) {
    String value = get(name);
    try {
      return value == null ? null : parser.apply(value);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Override
  public List<Map.Entry<String, String>> entries() {
    List<Map.Entry<String, String>> entries = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      entries.add(Map.entry(names[i].text(), values[i]));
    }
    return entries;
  }

  /** {@inheritDoc} */
  @Override
  @Deprecated
  public Iterator<Map.Entry<String, String>> iterator() {
    return new Entries<>();
  }

  @Override
  public Iterator<Map.Entry<CharSequence, CharSequence>> iteratorCharSequence() {
    return new Entries<>();
  }

  /**
   * Goes through the fields.
   *
   * @param <T> what names and values are taken for, which are texts
   */
  private final class Entries<T> implements Iterator<Map.Entry<T, T>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < size;
    }

    @Override
    @SuppressWarnings("unchecked") // T is String or CharSequence.
    public Map.Entry<T, T> next() {
      if (next >= size) {
        throw new NoSuchElementException();
      }
      Map.Entry<T, T> entry = Map.entry((T) names[next].text(), (T) values[next]);
      next++;
      return entry;
    }
  }

  @Override
  public boolean isEmpty() {
    return size == 0;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Set<String> names() {
    Set<String> all = new LinkedHashSet<>();
    for (int i = 0; i < size; i++) {
      all.add(names[i].text());
    }
    return all;
  }

  private static FieldName checkedName(String name) {
    HeadScratch scratch = HeadScratch.get();
    FieldName met = scratch.met(name);
    if (met != null) {
      return met;
    }
    if (name.isEmpty() || HttpHeaderValidationUtil.validateToken(name) >= 0) {
      throw new IllegalArgumentException("expected a token for the name of a field: " + name);
    }
    return scratch.meet(FieldName.of(name));
  }

  private static String checkedValue(Object value) {
    String text = value instanceof Date date ? DateFormatter.format(date) : value.toString();
    if (HttpHeaderValidationUtil.validateValidHeaderValue(text) >= 0) {
      throw new IllegalArgumentException("a character that the value of a field may not hold");
    }
    return latin(text);
  }

  /** What has no place in a head becomes a mark of its own, never half of itself. */
  public static String latin(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff) {
        return new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1);
      }
    }
    return text;
  }

  @Override
  public HeaderFields add(String name, Object value) {
    addChecked(checkedName(name), checkedValue(value));
    return this;
  }

  @Override
  public HeaderFields add(String name, Iterable<?> given) {
    for (Object value : given) {
      add(name, value);
    }
    return this;
  }

  @Override
  public HeaderFields addInt(CharSequence name, int value) {
    return add(name.toString(), Integer.toString(value));
  }

  @Override
  public HeaderFields addShort(CharSequence name, short value) {
    return add(name.toString(), Short.toString(value));
  }

  @Override
  public HeaderFields set(String name, Object value) {
    FieldName checkedName = checkedName(name);
    String checkedValue = checkedValue(value);
    remove(name);
    addChecked(checkedName, checkedValue);
    return this;
  }

  @Override
  public HeaderFields set(String name, Iterable<?> given) {
    remove(name);
    return add(name, given);
  }

  @Override
  public HeaderFields setInt(CharSequence name, int value) {
    return set(name.toString(), Integer.toString(value));
  }

  @Override
  public HeaderFields setShort(CharSequence name, short value) {
    return set(name.toString(), Short.toString(value));
  }

  @Override
  public HeaderFields remove(String name) {
    int kept = 0;
    int before = lengthAt;
    for (int i = 0; i < size; i++) {
      if (!names[i].is(name)) {
        kept = move(i, kept);
      } else if (i < before) {
        lengthAt--;
      }
    }
    truncate(kept);
    return this;
  }

  @Override
  public HeaderFields clear() {
    truncate(0);
    lengthAt = Math.min(lengthAt, 0);
    return this;
  }

  @Override
  public HeaderFields copy() {
    return new HeaderFields(this);
  }
}
