package dev.parlance.wire.proto;

import java.util.List;
import java.util.Optional;

/**
 * A protobuf message type, as far as the sidecar knows it: enough to find every field that holds
 * agent text, verdicts or ids, and the names that those have in JSON.
 */
public final class ProtoType {
  /** What a field holds. */
  public enum Kind {
    /** UTF-8 text. */
    STRING(2),
    /** Bytes, base64 in JSON. */
    BYTES(2),
    /** A nested message. */
    MESSAGE(2),
    /** True or false. */
    BOOL(0),
    /** A number of at most 32 bits. */
    INT32(0),
    /** A number of at most 64 bits. */
    INT64(0),
    /** A name from a list. */
    ENUM(0),
    /** A double. */
    DOUBLE(1);

    private final int wireType;

    Kind(int wireType) {
      this.wireType = wireType;
    }

    /** How it is written: 0 varint, 1 eight bytes, 2 length and bytes. */
    int wireType() {
      return wireType;
    }
  }

  /**
   * One field.
   *
   * @param number its number, 1 to {@value #MAX_NUMBER}
   * @param name its name in JSON
   * @param kind what it holds
   * @param repeated true if it may stand more than once
   * @param choice true if it is a member of the type's oneof, of which only one may stand
   * @param type the type of a nested message
   * @param names the names of an enum, by number
   */
  public record Field(
      int number,
      String name,
      Kind kind,
      boolean repeated,
      boolean choice,
      Optional<ProtoType> type,
      List<String> names) {
    /** Highest number that a known field has. */
    static final int MAX_NUMBER = 31;

    /** Refuses what no schema here has. */
    public Field {
      names = List.copyOf(names);
      if (number < 1 || number > MAX_NUMBER || (kind == Kind.MESSAGE) != type.isPresent()) {
        throw new IllegalArgumentException("no field is like this: " + number + " " + name);
      }
    }

    /** The nested type of a field that is a message. */
    public ProtoType nested() {
      return type.orElseThrow();
    }
  }

  private final String name;
  private final boolean opaque;
  private final Optional<Field>[] fields = slots();

  private ProtoType(String name, boolean opaque) {
    this.name = name;
    this.opaque = opaque;
  }

  /** A type whose fields are added next. */
  public static ProtoType of(String name) {
    return new ProtoType(name, false);
  }

  /** A type nobody looks into: control data, which holds no agent text. */
  public static ProtoType opaque(String name) {
    return new ProtoType(name, true);
  }

  @SuppressWarnings("unchecked") // an array of Optional cannot be made otherwise
  private static Optional<Field>[] slots() {
    Optional<Field>[] slots = (Optional<Field>[]) new Optional<?>[Field.MAX_NUMBER + 1];
    java.util.Arrays.fill(slots, Optional.empty());
    return slots;
  }

  private ProtoType put(Field field) {
    fields[field.number()] = Optional.of(field);
    return this;
  }

  public ProtoType string(int number, String member) {
    return scalar(number, member, Kind.STRING);
  }

  public ProtoType strings(int number, String member) {
    return put(plain(number, member, Kind.STRING, true, false));
  }

  public ProtoType scalar(int number, String member, Kind kind) {
    return put(plain(number, member, kind, false, false));
  }

  /** A scalar of the type's oneof. */
  public ProtoType choice(int number, String member, Kind kind) {
    return put(plain(number, member, kind, false, true));
  }

  public ProtoType enumeration(int number, String member, List<String> names) {
    return put(new Field(number, member, Kind.ENUM, false, false, Optional.empty(), names));
  }

  public ProtoType message(int number, String member, ProtoType type) {
    return put(nested(number, member, type, false, false));
  }

  public ProtoType messages(int number, String member, ProtoType type) {
    return put(nested(number, member, type, true, false));
  }

  /** A message of the type's oneof. */
  public ProtoType choice(int number, String member, ProtoType type) {
    return put(nested(number, member, type, false, true));
  }

  private static Field plain(
      int number, String member, Kind kind, boolean repeated, boolean choice) {
    return new Field(number, member, kind, repeated, choice, Optional.empty(), List.of());
  }

  private static Field nested(
      int number, String member, ProtoType type, boolean repeated, boolean choice) {
    return new Field(number, member, Kind.MESSAGE, repeated, choice, Optional.of(type), List.of());
  }

  /** The field of that number, if the sidecar knows it. */
  public Optional<Field> field(int number) {
    return number < fields.length ? fields[number] : Optional.empty();
  }

  /** The number of the field that has this name in JSON; 0 if there is none. */
  public int number(String member) {
    for (Optional<Field> field : fields) {
      if (field.isPresent() && field.get().name().equals(member)) {
        return field.get().number();
      }
    }
    return 0;
  }

  /** True if nothing in it is looked at. */
  public boolean isOpaque() {
    return opaque;
  }

  @Override
  public String toString() {
    return name;
  }
}
