package dev.parlance.policy.pact;

import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The body of a predicate, read: items joined by {@code ;}, each a key or {@code key op value}
 * (convention {@code pact-terms-1}).
 *
 * @param items in their order
 */
public record PactTerms(List<Item> items) {
  private static final Pattern ITEM =
      Pattern.compile("([a-z][a-z0-9_]{0,31})(?:(>=|<=|=)([!-:<>-~](?:[ -:<>-~]*[!-:<>-~])?))?");
  private static final Pattern NUMBER = Pattern.compile("(0|[1-9][0-9]{0,14})(\\.[0-9]{1,9})?");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]*");
  private static final Pattern SCHEMA = Pattern.compile("sha256:[0-9a-f]{64}");
  private static final Pattern WITHIN = Pattern.compile("within_[1-9][0-9]{0,5}s");
  private static final int MAX_VALUE = 512;

  /** Copies the list. */
  public PactTerms {
    items = List.copyOf(items);
  }

  /** Which messages a key is held against. */
  public enum Leg implements Coded {
    /** Those to the agent that does the work. */
    REQUEST,
    /** Those back. */
    ANSWER
  }

  /** Keys that are enforced, each in its categories. */
  @SuppressWarnings("ImmutableEnumChecker") // copies, and a function without state
  public enum Key implements Coded {
    /** Fields of data parts that may occur. */
    FIELDS("=", PactTerms::isList, Set.of(Leg.REQUEST, Leg.ANSWER), PactCategory.SCOPE),
    /** Fields of data parts that may not. */
    DENY_FIELDS("=", PactTerms::isList, Set.of(Leg.REQUEST, Leg.ANSWER), PactCategory.SCOPE),
    /** Largest request, in KiB. */
    MAX_REQUEST_KB("=", PactTerms::isNumber, Set.of(Leg.REQUEST), PactCategory.SCOPE),
    /** Tools that may be called. */
    TOOLS("=", PactTerms::isList, Set.of(Leg.REQUEST, Leg.ANSWER), PactCategory.ACTION),
    /** Destinations that may be called. */
    HOSTS("=", PactTerms::isList, Set.of(Leg.REQUEST, Leg.ANSWER), PactCategory.ACTION),
    /** Tools that a person must release. */
    APPROVE("=", PactTerms::isList, Set.of(Leg.REQUEST, Leg.ANSWER), PactCategory.ACTION),
    /** Most requests in a minute. */
    RATE_PER_MIN("=", PactTerms::isNumber, Set.of(Leg.REQUEST), PactCategory.ACTION),
    /** Media type: json or text. */
    FORMAT("=", PactTerms::isWord, Set.of(Leg.ANSWER), PactCategory.OUTPUT),
    /** SHA-256 of a JSON Schema that the answer meets. */
    SCHEMA(
        "=",
        value -> PactTerms.SCHEMA.matcher(value).matches(),
        Set.of(Leg.ANSWER),
        PactCategory.OUTPUT),
    /** Largest answer, in KiB. */
    MAX_KB("=", PactTerms::isNumber, Set.of(Leg.ANSWER), PactCategory.OUTPUT),
    /** Longest time to the answer. */
    DEADLINE_MS("=", PactTerms::isNumber, Set.of(Leg.ANSWER), PactCategory.OUTPUT),
    /** Least number of citations. */
    CITATIONS(
        ">=", PactTerms::isNumber, Set.of(Leg.ANSWER), PactCategory.OUTPUT, PactCategory.SUCCESS),
    /** Domain whose terms must be certified. */
    CERTIFIED(
        "=",
        PactTerms::isWord,
        Set.of(Leg.REQUEST, Leg.ANSWER),
        PactCategory.OUTPUT,
        PactCategory.SUCCESS),
    /** Least grounding. */
    G(">=", PactTerms::isNumber, Set.of(Leg.ANSWER), PactCategory.SUCCESS),
    /** Most drift. */
    DRIFT("<=", PactTerms::isNumber, Set.of(Leg.ANSWER), PactCategory.SUCCESS),
    /** Least finality. */
    FINALITY(
        "=",
        value -> value.equals("verdict") || value.equals("semantic"),
        Set.of(Leg.REQUEST),
        PactCategory.SUCCESS),
    /** Least share of fields that are filled. */
    FILL_RATE(">=", PactTerms::isNumber, Set.of(Leg.ANSWER), PactCategory.SUCCESS),
    /** Most messages in all. */
    MAX_MESSAGES(
        "=", PactTerms::isNumber, Set.of(Leg.REQUEST, Leg.ANSWER), PactCategory.TERMINATION),
    /** Most bytes in all. */
    MAX_BYTES("=", PactTerms::isNumber, Set.of(Leg.REQUEST, Leg.ANSWER), PactCategory.TERMINATION),
    /** When a failure is reported. */
    REPORT("=", value -> WITHIN.matcher(value).matches(), Set.of(), PactCategory.FAILURE),
    /** Who decides disputes. */
    ARBITER("=", PactTerms::isWord, Set.of(), PactCategory.DISPUTE),
    /** Where it is recorded. */
    LEDGER("=", PactTerms::isWord, Set.of(), PactCategory.AUDIT),
    /** How long it is kept. */
    RETAIN_DAYS("=", PactTerms::isNumber, Set.of(), PactCategory.AUDIT),
    /** How long before its effect a withdrawal is said. */
    NOTICE_MS("=", PactTerms::isNumber, Set.of(), PactCategory.TERMINATION);

    private static final Key[] ALL = values();

    private final String op;
    private final java.util.function.Predicate<String> value;
    private final Set<Leg> legs;
    private final Set<PactCategory> categories;

    Key(
        String op,
        java.util.function.Predicate<String> value,
        Set<Leg> legs,
        PactCategory... categories) {
      this.op = op;
      this.value = value;
      this.legs = legs;
      this.categories = Set.of(categories);
    }

    /** True if messages of this leg are held against it. */
    boolean isOf(Leg leg) {
      return legs.contains(leg);
    }

    /**
     * True if each part of an answer that arrives in parts is held against it; false if only the
     * whole answer shows it.
     */
    boolean isOfParts() {
      return switch (this) {
        case FIELDS, DENY_FIELDS, TOOLS, HOSTS, APPROVE -> true;
        case FORMAT, MAX_KB, DEADLINE_MS, MAX_MESSAGES, MAX_BYTES -> true;
        case SCHEMA, CITATIONS, CERTIFIED, G, DRIFT, FILL_RATE -> false;
        case MAX_REQUEST_KB, RATE_PER_MIN, FINALITY -> false;
        case REPORT, ARBITER, LEDGER, RETAIN_DAYS, NOTICE_MS -> false;
      };
    }

    /** True if messages or the ledger are held to it; of others only the form is looked at. */
    public boolean isHeld() {
      return !legs.isEmpty() || this == ARBITER || this == NOTICE_MS;
    }

    /** The operator that it takes. */
    String op() {
      return op;
    }

    /** The category that it stands in; of several the first. */
    PactCategory category() {
      return Collections.min(categories);
    }

    /** The key of this name, in whichever category. */
    static Optional<Key> named(String code) {
      return Coded.find(ALL, code);
    }

    static Optional<Key> of(String code, Optional<PactCategory> category) {
      return named(code).filter(one -> category.filter(one.categories::contains).isPresent());
    }
  }

  /**
   * One item.
   *
   * @param key as it is written
   * @param op empty for a bare key
   * @param value empty for a bare key
   * @param enforced the key that takes values of one form; empty for one that takes any
   */
  public record Item(
      String key, Optional<String> op, Optional<String> value, Optional<Key> enforced) {
    /** True if nothing is held to it: it is only declared. */
    public boolean isDeclared() {
      return enforced.filter(Key::isHeld).isEmpty();
    }

    /** The item as its body has it: {@code max_kb=8}. */
    public String text() {
      return key + op.orElse("") + value.orElse("");
    }
  }

  /** Why a body is none. The name is the code. */
  public enum Fault {
    /** Something is no item. */
    BAD_BODY,
    /** An enforced key with another op or value than it takes. */
    BAD_VALUE,
    /** A key twice. */
    DUPLICATE_KEY
  }

  /** A body that was read. */
  public sealed interface Reading {
    /** It is one. */
    record Good(PactTerms terms) implements Reading {}

    /**
     * It is none.
     *
     * @param key which item is at fault; empty if that is no item
     */
    record Bad(Fault fault, Optional<String> key) implements Reading {}
  }

  /**
   * Reads a body from the left; the first fault is the answer.
   *
   * @param category code; in one that there is not every key is only declared
   */
  public static Reading read(String category, String body) {
    List<Item> items = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String text : body.split(";", -1)) {
      var item = ITEM.matcher(text);
      if (!item.matches() || (item.group(3) != null && item.group(3).length() > MAX_VALUE)) {
        return new Reading.Bad(Fault.BAD_BODY, Optional.empty());
      }
      String key = item.group(1);
      Optional<String> op = Optional.ofNullable(item.group(2));
      Optional<String> value = Optional.ofNullable(item.group(3));
      Optional<Key> enforced = Key.of(key, PactCategory.ofCode(category));
      if (enforced.isPresent()
          && !(op.equals(Optional.of(enforced.get().op))
              && value.filter(enforced.get().value).isPresent())) {
        return new Reading.Bad(Fault.BAD_VALUE, Optional.of(key));
      }
      if (!keys.add(key)) {
        return new Reading.Bad(Fault.DUPLICATE_KEY, Optional.of(key));
      }
      items.add(new Item(key, op, value, enforced));
    }
    return new Reading.Good(new PactTerms(items));
  }

  static boolean isNumber(String value) {
    return NUMBER.matcher(value).matches();
  }

  private static boolean isWord(String value) {
    return WORD.matcher(value).matches();
  }

  private static boolean isList(String value) {
    for (String element : value.split(",", -1)) {
      if (element.isEmpty() || !element.strip().equals(element)) {
        return false;
      }
    }
    return true;
  }
}
