package dev.parlance.wire.json;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Splicer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A scanned JSON body, as an index of where everything lies in it: one array, four numbers for each
 * node, in the order of the document. A node is an index; {@link #NONE} stands for "not there", and
 * every accessor takes it, so that paths can be followed without a check at each step.
 *
 * <pre>
 * node      kind | flags   start   end   skip
 * {"a":[1]}  0 object        0       9     4     skip: the node after the subtree
 *            1 name          1       4     2     a name's value is the next node
 *            2 array         5       8     4
 *            3 number        6       7     4
 * </pre>
 */
public final class JsonDocument {
  /** No node. */
  public static final int NONE = -1;

  static final int STRIDE = 4;
  static final int START = 1;
  static final int END = 2;
  static final int SKIP = 3;

  static final int OBJECT = 1;
  static final int ARRAY = 2;
  static final int STRING = 3;
  static final int NUMBER = 4;
  static final int TRUE = 5;
  static final int FALSE = 6;
  static final int NULL = 7;
  static final int NAME = 8;
  static final int KIND_MASK = 0xf;

  /** Flag of strings and names that hold a backslash. */
  static final int ESCAPED = 0x10;

  /** Flag of strings and names that hold a byte past ASCII. */
  static final int BEYOND_ASCII = 0x20;

  /** Either of them: what the bytes are is not yet what the text is, or not for everybody. */
  static final int ODD = ESCAPED | BEYOND_ASCII;

  /** A name has the code of its {@link MemberName} from this bit on. */
  static final int CODE_SHIFT = 8;

  private static final int CODE_MASK = 0x7f;
  private static final int SPELLING_MASK = CODE_MASK | MemberName.VARIANT;

  /** None: it has no nodes. */
  public static final JsonDocument EMPTY =
      new JsonDocument(PlainBody.none(), new int[] {NULL, 0, 0, 1}, 0);

  private final PlainBody plain;
  private final byte[] body;
  private final int[] tape;
  private final int nodes;

  JsonDocument(PlainBody plain, int[] tape, int nodes) {
    this.plain = plain;
    this.body = plain.array();
    this.tape = tape;
    this.nodes = nodes;
  }

  /** True if it is {@link #EMPTY}: a document that was scanned has a value. */
  public boolean isEmpty() {
    return nodes == 0;
  }

  /** The bytes that were scanned. */
  public PlainBody body() {
    return plain;
  }

  /** For what is made of the bytes. */
  public Arena memory() {
    return plain.memory();
  }

  /** The bytes with edits, in an array of their own. */
  public byte[] edited(List<Edit> edits) {
    return Splicer.applyToBytes(body, plain.length(), edits);
  }

  /** The outermost value. */
  public int root() {
    return 0;
  }

  /** One past the last node. */
  public int nodes() {
    return nodes;
  }

  private int kind(int node) {
    return node == NONE ? NONE : tape[node * STRIDE] & KIND_MASK;
  }

  public boolean isObject(int node) {
    return kind(node) == OBJECT;
  }

  public boolean isArray(int node) {
    return kind(node) == ARRAY;
  }

  public boolean isString(int node) {
    return kind(node) == STRING;
  }

  public boolean isNumber(int node) {
    return kind(node) == NUMBER;
  }

  public boolean isTrue(int node) {
    return kind(node) == TRUE;
  }

  public boolean isNull(int node) {
    return kind(node) == NULL;
  }

  public boolean isBoolean(int node) {
    return kind(node) == TRUE || kind(node) == FALSE;
  }

  public boolean isName(int node) {
    return kind(node) == NAME;
  }

  /** Offset of the node's first byte (of a string, its quote). */
  public int start(int node) {
    return tape[node * STRIDE + START];
  }

  /** Offset after the node's last byte. */
  public int end(int node) {
    return tape[node * STRIDE + END];
  }

  /** The node after this one and everything in it. */
  public int skip(int node) {
    return tape[node * STRIDE + SKIP];
  }

  /** First name of an object or first element of an array, if it has one. */
  public int first(int container) {
    int kind = kind(container);
    boolean hasChildren = (kind == OBJECT || kind == ARRAY) && skip(container) > container + 1;
    return hasChildren ? container + 1 : NONE;
  }

  /** First element of an array, if it is one and has one. */
  public int firstElement(int array) {
    return isArray(array) ? first(array) : NONE;
  }

  /** The name after this one in its object. */
  public int nextName(int object, int name) {
    int next = skip(name + 1);
    return next < skip(object) ? next : NONE;
  }

  /** The element after this one in its array. */
  public int nextElement(int array, int element) {
    int next = skip(element);
    return next < skip(array) ? next : NONE;
  }

  /** The code in the first number of a name, however it is spelt. */
  static int code(int word) {
    return word >> CODE_SHIFT & CODE_MASK;
  }

  /** The code of a name that holds an escape or a byte past ASCII. */
  static int codeOf(byte[] body, int from, int to) {
    byte[] unescaped = new byte[to - from];
    return MemberName.codeOf(unescaped, JsonStrings.unescape(body, from, to, unescaped, 0));
  }

  /** The code of a name node as it is spelt, {@link MemberName#UNKNOWN} included. */
  private int spelling(int name) {
    return tape[name * STRIDE] >> CODE_SHIFT & SPELLING_MASK;
  }

  /** True if a name node is this one. */
  public boolean is(int name, MemberName member) {
    return spelling(name) == member.code();
  }

  /** True if a name node is one of a {@linkplain MemberName#set set}. */
  public boolean isAmong(int name, long members) {
    int spelling = spelling(name);
    return spelling < Long.SIZE && (members >>> spelling & 1) != 0;
  }

  /** The name node of a member. */
  public int nameOf(int object, MemberName member) {
    if (!isObject(object)) {
      return NONE;
    }
    int end = skip(object);
    for (int at = object + 1; at < end; at = skip(at + 1)) {
      if (spelling(at) == member.code()) {
        return at;
      }
    }
    return NONE;
  }

  /** The value of a member. */
  public int member(int object, MemberName member) {
    int at = nameOf(object, member);
    return at == NONE ? NONE : at + 1;
  }

  /** As {@link #member(int, MemberName)}, where {@code null} counts as absent. */
  public int present(int object, MemberName member) {
    int value = member(object, member);
    return isNull(value) ? NONE : value;
  }

  /** As {@link #misspelt(int, Set)}, of a {@linkplain MemberName#set set}. */
  public Optional<MemberName> misspelt(int object, long members) {
    if (isObject(object)) {
      int end = skip(object);
      for (int at = object + 1; at < end; at = skip(at + 1)) {
        int spelling = spelling(at);
        if ((spelling & MemberName.VARIANT) != 0 && (members >>> (spelling & CODE_MASK) & 1) != 0) {
          return Optional.of(MemberName.ofCode(spelling & CODE_MASK));
        }
      }
    }
    return Optional.empty();
  }

  /** The name node of a member. */
  public int nameOf(int object, String name) {
    if (!isObject(object)) {
      return NONE;
    }
    for (int at = first(object); at != NONE; at = nextName(object, at)) {
      if (nameEquals(at, name)) {
        return at;
      }
    }
    return NONE;
  }

  /** The value of a member. */
  public int member(int object, String name) {
    int at = nameOf(object, name);
    return at == NONE ? NONE : at + 1;
  }

  /** The value of a member, where {@code null} counts as absent (as it does in ProtoJSON). */
  public int present(int object, String name) {
    int value = member(object, name);
    return isNull(value) ? NONE : value;
  }

  /** True if a name node is one of {@code names}. */
  public boolean isAmong(int name, Collection<String> names) {
    for (String candidate : names) {
      if (nameEquals(name, candidate)) {
        return true;
      }
    }
    return false;
  }

  /** True if a string reads so. */
  public boolean textEquals(int string, String text) {
    return nameEquals(string, text);
  }

  /** True if a name node reads so. */
  public boolean nameEquals(int node, String name) {
    int base = node * STRIDE;
    if ((tape[base] & ESCAPED) != 0) {
      return string(node).equals(name);
    }
    int from = tape[base + START] + 1;
    int length = tape[base + END] - 1 - from;
    if (length < name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c >= 0x80) {
        return string(node).equals(name);
      }
      if (body[from + i] != c) {
        return false;
      }
    }
    return length == name.length();
  }

  /**
   * The text of a string or name: a view where it has no escape, a copy in the body's memory where
   * it has.
   */
  public Utf8Span text(int node) {
    int base = node * STRIDE;
    int from = tape[base + START] + 1;
    int to = tape[base + END] - 1;
    return (tape[base] & ESCAPED) == 0
        ? Utf8Span.of(body, from, to - from)
        : unescaped(from, to, 0);
  }

  /** The offset in the body of the character that stands at a byte of a string's text. */
  public int offsetIn(int string, int textByte) {
    return JsonStrings.offsetOf(body, start(string) + 1, end(string) - 1, textByte);
  }

  /** True if the text of a string or name is a copy. */
  public boolean isEscaped(int node) {
    return (tape[node * STRIDE] & ESCAPED) != 0;
  }

  /**
   * The text of an escaped string or name, in an array whose first bytes are left free.
   *
   * @param room how many
   */
  public Utf8Span text(int node, int room) {
    return unescaped(start(node) + 1, end(node) - 1, room);
  }

  private Utf8Span unescaped(int from, int to, int room) {
    Arena memory = plain.memory();
    int at = memory.reserve(room + to - from) + room;
    int end = JsonStrings.unescape(body, from, to, memory.array(), at);
    memory.freeFrom(end);
    return Utf8Span.of(memory.array(), at, end - at);
  }

  /**
   * Gives back the memory of an escaped text that nobody looks at any more.
   *
   * @param text the latest that was asked for
   * @param room bytes that were left free in front of it
   */
  public void forget(Utf8Span text, int room) {
    plain.memory().freeFrom(text.arrayOffset() - room);
  }

  /** The text of a string or name. */
  public String string(int node) {
    Utf8Span text = text(node);
    String string = text.toString();
    if (isEscaped(node)) {
      forget(text, 0);
    }
    return string;
  }

  /** The text of a node that is a string. */
  public Optional<String> optionalString(int node) {
    return isString(node) ? Optional.of(string(node)) : Optional.empty();
  }

  /** The text of a string, or the digits of a number as they were sent. */
  public Optional<String> scalarText(int node) {
    return isNumber(node) ? Optional.of(raw(node)) : optionalString(node);
  }

  /** The bytes of a node as they were sent, without a copy. */
  public Utf8Span bytes(int node) {
    return Utf8Span.of(body, start(node), end(node) - start(node));
  }

  /** The bytes of a node as they were sent. */
  public String raw(int node) {
    return new String(body, start(node), end(node) - start(node), StandardCharsets.UTF_8);
  }

  /**
   * A name that differs from one of {@code names} only in case, and stands for itself. We read it
   * as unknown, a receiver that ignores case reads it as the other.
   */
  public Optional<String> misspelt(int object, Set<String> names) {
    if (!isObject(object)) {
      return Optional.empty();
    }
    for (int at = first(object); at != NONE; at = nextName(object, at)) {
      for (String name : names) {
        boolean variant = couldEqual(at, name) && string(at).equalsIgnoreCase(name);
        if (variant && !nameEquals(at, name)) {
          return Optional.of(name);
        }
      }
    }
    return Optional.empty();
  }

  private boolean couldEqual(int name, String expected) {
    // Variants outside ASCII (long s, Kelvin sign) take more bytes, never fewer.
    return (tape[name * STRIDE] & ESCAPED) != 0 || end(name) - start(name) - 2 >= expected.length();
  }
}
