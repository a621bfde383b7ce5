package dev.parlance.ledger.record;

import dev.parlance.ledger.record.JsonMembers.BadMember;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.RecordShape;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The members of a record's JSON object: one a component, by its name and in its order. So the form
 * of an entry is the declaration of its record, and a component that is renamed or moved changes
 * every digest; golden vectors hold it.
 *
 * <pre>
 * String, constant          text; the code of the constant
 * int, long, double         number
 * boolean                   true, false
 * List of String            list of texts
 * List of records           list of objects
 * SortedMap                 object
 * Optional, OptionalDouble  no member where it is empty
 * Meaning                   vector (16-bit numbers in base64), or fault (its code)
 * RoundSpec                 members, faults, encoder, dim, cosMin, extraMargin, fallback,
 *                           agreement (none for vectors)
 * any other record          its own members, in place
 * </pre>
 */
final class RecordForm {
  private static final String FALLBACK_VERDICT = "verdict";
  private static final String FALLBACK_NONE = "none";

  private RecordForm() {}

  /** Writes the record's members. */
  static JsonLine write(JsonLine line, Record record) {
    RecordShape.of(record.getClass())
        .parts()
        .forEach(part -> write(line, part.name(), part.of(record)));
    return line;
  }

  private static void write(JsonLine line, String name, Object value) {
    switch (value) {
      case String text -> line.text(name, text);
      case Coded constant -> line.text(name, constant.code());
      case Integer number -> line.number(name, number);
      case Long number -> line.number(name, number);
      case Double number -> line.number(name, number);
      case Boolean truth -> line.truth(name, truth);
      case List<?> list -> line.list(name, list, RecordForm::item);
      case SortedMap<?, ?> map -> line.map(name, map);
      case Optional<?> maybe -> maybe.ifPresent(present -> write(line, name, present));
      case OptionalDouble maybe -> maybe.ifPresent(present -> line.number(name, present));
      case Meaning.Vector(QuantVector vector) ->
          line.text("vector", Base64.getEncoder().encodeToString(vector.toBytes()));
      case Meaning fault -> line.text("fault", fault.code());
      case RoundSpec spec -> {
        line.texts("members", spec.members()).number("faults", spec.faults());
        write(line, spec.encoding())
            .number("extraMargin", spec.extraMargin())
            .text("fallback", spec.verdictFallback() ? FALLBACK_VERDICT : FALLBACK_NONE);
        if (spec.agreement() != Agreement.VECTORS) {
          line.text("agreement", spec.agreement().code());
        }
      }
      case Record inner -> write(line, inner);
      default -> throw new IllegalStateException("no form for " + value.getClass());
    }
  }

  private static void item(Object item, JsonLine line) {
    if (item instanceof Record inner) {
      write(line.inner(), inner).end();
    } else {
      line.string((String) item);
    }
  }

  /**
   * Reads a record from its members.
   *
   * @throws IllegalArgumentException where a value is one that cannot be
   */
  static <T> T read(Class<T> type, JsonMembers in) throws BadMember {
    RecordShape<T> shape = RecordShape.of(type);
    List<Object> values = new ArrayList<>();
    for (RecordShape.Part part : shape.parts()) {
      values.add(read(part, in));
    }
    return shape.make(values.toArray());
  }

  private static Object read(RecordShape.Part part, JsonMembers in) throws BadMember {
    String name = part.name();
    Class<?> type = part.type();
    if (type == Optional.class) {
      return in.has(name) ? Optional.of(one(part.inner(), name, in)) : Optional.empty();
    }
    if (type == OptionalDouble.class) {
      return in.has(name) ? OptionalDouble.of(in.real(name)) : OptionalDouble.empty();
    }
    if (type == SortedMap.class) {
      return in.map(name);
    }
    if (type == List.class && part.inner() == String.class) {
      return in.texts(name);
    }
    if (type == List.class) {
      List<Object> list = new ArrayList<>();
      for (JsonMembers each : in.objects(name)) {
        list.add(read(part.inner(), each));
      }
      return list;
    }
    return one(type, name, in);
  }

  private static Object one(Class<?> type, String name, JsonMembers in) throws BadMember {
    if (type == String.class) {
      return in.text(name);
    }
    if (type == int.class || type == Integer.class) {
      return in.integer(name);
    }
    if (type == long.class) {
      return in.number(name);
    }
    if (type == double.class) {
      return in.real(name);
    }
    if (type == boolean.class) {
      return in.truth(name);
    }
    if (type.isEnum()) {
      return in.coded(name, code -> Coded.find((Coded[]) type.getEnumConstants(), code));
    }
    if (type == Meaning.class) {
      return in.has("fault") ? in.coded("fault", RecordForm::fault) : vector(in);
    }
    return type == RoundSpec.class ? spec(in) : read(type, in);
  }

  private static Optional<Meaning> fault(String code) {
    for (Meaning each : List.of(Meaning.MALFORMED, Meaning.UNENCODED)) {
      if (each.code().equals(code)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private static Meaning vector(JsonMembers in) throws BadMember {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(in.text("vector"));
    } catch (IllegalArgumentException notBase64) {
      throw new BadMember("bad_member", "vector");
    }
    return new Meaning.Vector(
        QuantVector.ofBytes(bytes)
            .orElseThrow(() -> new IllegalArgumentException("expected 16-bit numbers")));
  }

  private static RoundSpec spec(JsonMembers in) throws BadMember {
    return new RoundSpec(
        read(RoundId.class, in).bound(),
        in.integer("faults"),
        in.texts("members"),
        read(Encoding.class, in),
        in.integer("extraMargin"),
        in.coded("fallback", RecordForm::fallback),
        in.has("agreement")
            ? in.coded("agreement", code -> Coded.find(Agreement.values(), code))
            : Agreement.VECTORS);
  }

  private static Optional<Boolean> fallback(String code) {
    return switch (code) {
      case FALLBACK_VERDICT -> Optional.of(true);
      case FALLBACK_NONE -> Optional.of(false);
      default -> Optional.empty();
    };
  }
}
