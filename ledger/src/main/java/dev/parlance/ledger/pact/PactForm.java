package dev.parlance.ledger.pact;

import dev.parlance.ledger.pact.PactMembers.BadMember;
import dev.parlance.ledger.pact.PactStatement.Counts;
import dev.parlance.ledger.pact.PactStatement.Escalation;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.RecordShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The members of a statement's JSON object: one a component of its record, by its name with
 * underscores, or by that of {@link #NAMES}. So the form of a statement is the declaration of its
 * record; vectors hold it.
 *
 * <pre>
 * String, constant    text; the code of the constant
 * int, long           number
 * Progress            true if it is final
 * List of records     list of objects
 * SortedMap           object of counts
 * Optional...         no member where it is empty
 * Escalation          its own members, in place
 * PactCase            object without the arbiter, who is the author
 * </pre>
 */
final class PactForm {
  private static final Map<String, String> NAMES =
      Map.of("atMs", "t", "sequence", "seq", "charge", "kind", "progress", "final");

  private PactForm() {}

  private static String name(String component) {
    return NAMES.getOrDefault(
        component, component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT));
  }

  /** Writes the record's members. */
  static ObjectNode write(Record record) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    write(node, record);
    return node;
  }

  private static void write(ObjectNode node, Record record) {
    RecordShape.of(record.getClass())
        .parts()
        .forEach(part -> write(node, name(part.name()), part.of(record)));
  }

  private static void write(ObjectNode node, String name, Object value) {
    switch (value) {
      case String text -> node.put(name, text);
      case Coded constant -> node.put(name, constant.code());
      case Progress progress -> node.put(name, progress == Progress.FINAL);
      case Integer number -> node.put(name, number);
      case Long number -> node.put(name, number);
      case OptionalInt maybe -> maybe.ifPresent(number -> node.put(name, number));
      case OptionalLong maybe -> maybe.ifPresent(number -> node.put(name, number));
      case Optional<?> maybe -> maybe.ifPresent(there -> write(node, name, there));
      case List<?> list -> {
        ArrayNode all = node.putArray(name);
        list.forEach(one -> write(all.addObject(), (Record) one));
      }
      case SortedMap<?, ?> map -> {
        ObjectNode all = node.putObject(name);
        map.forEach((key, one) ->
            write(all, key instanceof Coded constant ? constant.code() : key.toString(), one));
      }
      case Escalation open -> write(node, open);
      case PactCase decided -> node.set(name, write(decided).without("arbiter"));
      case Record inner -> write(node.putObject(name), inner);
      default -> throw new IllegalStateException("no form for " + value.getClass());
    }
  }

  /**
   * Reads a record from its members.
   *
   * @throws IllegalArgumentException where a value is one that cannot be
   */
  static <T> T read(Class<T> type, PactMembers in) throws BadMember {
    RecordShape<T> shape = RecordShape.of(type);
    List<Object> values = new ArrayList<>();
    for (RecordShape.Part part : shape.parts()) {
      values.add(read(part.type(), part.inner(), name(part.name()), in));
    }
    return shape.make(values.toArray());
  }

  private static Object read(Class<?> type, Class<?> inner, String name, PactMembers in)
      throws BadMember {
    if (type == String.class) {
      return in.text(name);
    }
    if (type == int.class) {
      return integer(in.number(name));
    }
    if (type == long.class) {
      return in.number(name);
    }
    if (type == OptionalInt.class) {
      OptionalLong number = in.optionalNumber(name);
      return number.isPresent() ? OptionalInt.of(integer(number.getAsLong())) : OptionalInt.empty();
    }
    if (type == OptionalLong.class) {
      return in.optionalNumber(name);
    }
    if (type == Progress.class) {
      return in.flag(name) ? Progress.FINAL : Progress.GOING_ON;
    }
    if (type == SortedMap.class) {
      return counts(inner, name, in);
    }
    if (type == List.class) {
      List<Object> list = new ArrayList<>();
      for (PactMembers each : in.objects(name)) {
        list.add(read(inner, each));
      }
      return list;
    }
    if (type == Optional.class) {
      return inner == String.class
          ? in.optionalText(name)
          : inner == PactCase.class ? settled(name, in) : escalation(in);
    }
    String code = in.text(name);
    return Coded.find((Coded[]) type.getEnumConstants(), code)
        .orElseThrow(() -> new BadMember(name + ": nothing is called " + code));
  }

  private static int integer(long number) throws BadMember {
    if (number != (int) number) {
      throw new BadMember("expected a number of 32 bits, got " + number);
    }
    return (int) number;
  }

  /** By category numbers, by predicate the counts of each outcome. */
  private static SortedMap<Object, Object> counts(Class<?> key, String name, PactMembers in)
      throws BadMember {
    PactMembers all = in.object(name).orElseThrow(() -> new BadMember(name));
    SortedMap<Object, Object> counts = new TreeMap<>();
    for (String one : all.names()) {
      if (key == PactCategory.class) {
        counts.put(PactDocument.kind(one), all.number(one));
      } else {
        PactMembers outcomes = all.object(one).orElseThrow(() -> new BadMember(name + "." + one));
        counts.put(one, read(Counts.class, outcomes));
      }
    }
    return counts;
  }

  private static Optional<Escalation> escalation(PactMembers in) throws BadMember {
    return in.has("arbiter") ? Optional.of(read(Escalation.class, in)) : Optional.empty();
  }

  private static Optional<PactCase> settled(String name, PactMembers in) throws BadMember {
    Optional<PactMembers> decided = in.object(name);
    return decided.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PactCase(
                decided.get().text("negotiation"),
                decided.get().text("initiator"),
                decided.get().text("responder"),
                in.text("author"),
                decided.get().text("pact"),
                decided.get().number("until_ms")));
  }
}
