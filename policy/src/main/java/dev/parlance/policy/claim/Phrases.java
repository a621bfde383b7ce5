package dev.parlance.policy.claim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Phrases of many languages that claim nothing: who abstains, greets, frames, hands over; read from
 * {@code phrases.txt}, which says how they are written.
 *
 * <p>A phrase is a row of elements: one of some words, a gap, punctuation. It is found by the
 * fingerprint of its first word, so that a text without phrases costs one look-up a word.
 * Immutable.
 */
@SuppressWarnings({
  "EnumOrdinal",
  "ArrayRecordComponent"
}) // index of an array that never leaves this process; never compared
final class Phrases {
  /** What a phrase says of the text it is found in. */
  enum Role {
    GREETING,
    FRAMING,
    YES_NO,
    ABSTAINS,
    HANDOVER,
    LABEL,
    HEADING,
    ASKS,
    TELLS,
    BUT,
    SUB,
    CLAIMS,
    WORDS,
    SOURCE,
    SAYS,
    LACKS,
    DENIES,
    LACKING;

    /** True of roles whose lines are words, each of which has the role by itself. */
    boolean isOfWords() {
      return compareTo(WORDS) >= 0;
    }
  }

  private static final int MAX_GAP = 4;

  /** In place of what may follow a unit: anything may. */
  private static final long[] ANY = {};

  /** So many alternatives are not looked for before they are tried. */
  private static final int FEW = 4;

  enum Shape {
    WORDS,
    GAP,
    PUNCTUATION,
    COLON,
    NAME
  }

  /**
   * A part of a phrase.
   *
   * @param firsts what alternatives begin with, in order: most units are told by it to fit none
   */
  record Element(Shape shape, boolean optional, List<long[]> alternatives, long[] firsts) {
    Element(Shape shape, boolean optional, List<long[]> alternatives) {
      this(
          shape,
          optional,
          alternatives,
          alternatives.stream().mapToLong(words -> words[0]).sorted().toArray());
    }

    boolean mayBegin(long key) {
      return firsts.length < FEW || Arrays.binarySearch(firsts, key) >= 0;
    }
  }

  /**
   * A phrase.
   *
   * @param whole nothing else may stand behind it in its sentence
   * @param capitals the language writes nouns with capitals
   */
  record Phrase(Role role, boolean whole, boolean capitals, List<Element> elements) {
    /** Adds what may stand from an element on; false if anything may, or nothing need to. */
    private boolean addFirsts(int from, Set<Long> firsts) {
      for (Element element : elements.subList(from, elements.size())) {
        if (element.shape != Shape.WORDS) {
          return false;
        }
        Arrays.stream(element.firsts).forEach(firsts::add);
        if (!element.optional) {
          return true;
        }
      }
      return false;
    }
  }

  /** Where in a sentence phrases are looked for together, in the order of the file. */
  enum Place {
    /** Cut off its front. */
    PREFIX,
    /** All of it. */
    WHOLE,
    /** Anywhere in it. */
    WITHIN,
    /** By its role. */
    BY_ROLE;

    private static final Place[] ALL = values();

    private boolean has(Phrase phrase) {
      boolean within = phrase.role == Role.ABSTAINS || phrase.role == Role.HANDOVER;
      boolean front =
          phrase.role == Role.FRAMING || phrase.role == Role.GREETING || phrase.role == Role.YES_NO;
      return switch (this) {
        case PREFIX -> front && !phrase.whole;
        case WHOLE -> phrase.whole;
        case WITHIN -> within;
        case BY_ROLE -> !front && !within;
      };
    }
  }

  /** The roles of phrases that may stand anywhere in a sentence, a bit each. */
  private static final int WITHIN = 1 << Role.ABSTAINS.ordinal() | 1 << Role.HANDOVER.ordinal();

  /** Words that may stand beside any phrase that claims nothing. */
  static final int USUAL = 1 << Role.WORDS.ordinal();

  /** Words that deny, or say that something is missing. */
  static final int LACK =
      1 << Role.LACKS.ordinal() | 1 << Role.DENIES.ordinal() | 1 << Role.LACKING.ordinal();

  /** Words that may stand between one that denies and what it denies. */
  static final int BETWEEN = USUAL | 1 << Role.SOURCE.ordinal();

  /** Words that may stand where a source lacks something. */
  static final int LACKED = BETWEEN | LACK | 1 << Role.SAYS.ordinal();

  private final long[] slots;

  /** For each slot a bit for every role that a phrase has which begins so. */
  private final int[] roles;

  /** By place, then by slot. */
  private final List<List<List<Phrase>>> lists = new ArrayList<>();

  /** For each slot what may follow there in a phrase that may stand anywhere. */
  private final List<long[]> seconds;

  private Phrases(long seed, String lines) {
    Map<Long, List<Phrase>> byFirst = new PhraseReader(seed).read(lines);
    int size = Integer.highestOneBit(byFirst.size()) * 4;
    slots = new long[size];
    roles = new int[size];
    seconds = new ArrayList<>(Collections.nCopies(size, ANY));
    for (Place _ : Place.ALL) {
      lists.add(new ArrayList<>(Collections.nCopies(size, List.of())));
    }
    byFirst.forEach((key, phrases) -> {
      int slot = slot(key);
      slots[slot] = key;
      for (Place place : Place.ALL) {
        lists.get(place.ordinal()).set(slot, phrases.stream().filter(place::has).toList());
      }
      seconds.set(slot, seconds(startingWith(Place.WITHIN, key), key));
      phrases.forEach(phrase -> roles[slot] |= 1 << phrase.role.ordinal());
    });
  }

  /** Loads them for units of this seed. */
  static Phrases load(long seed) {
    return new Phrases(
        seed, new String(TableFile.bytes(Phrases.class, "phrases.txt"), StandardCharsets.UTF_8));
  }

  /** True if a phrase of this role begins with a unit of this key. */
  boolean mayBegin(Role role, long key) {
    return (roles[slot(key)] >>> role.ordinal() & 1) != 0;
  }

  /** True if a word has one of some roles, a bit each. */
  boolean has(int someRoles, long key) {
    return (roles[slot(key)] & someRoles) != 0;
  }

  /** True if a word that denies is of a language that writes nouns with capitals. */
  boolean capitals(long key) {
    for (Phrase phrase : startingWith(Place.BY_ROLE, key)) {
      if (phrase.capitals() && (1 << phrase.role().ordinal() & LACK) != 0) {
        return true;
      }
    }
    return false;
  }

  /** True if a word has one of some roles, by where {@link #slot} says that it stands. */
  boolean hasAt(int someRoles, int slot) {
    return (roles[slot] & someRoles) != 0;
  }

  /**
   * The phrases that may stand anywhere and begin with a unit, as its neighbour tells, too.
   *
   * @param slot of its key
   */
  @SuppressWarnings("ReferenceEquality") // ANY is one array, and stands for no list of its own
  List<Phrase> within(Units text, int unit, int to, int slot) {
    if ((roles[slot] & WITHIN) == 0) {
      return List.of();
    }
    List<Phrase> phrases = lists.get(Place.WITHIN.ordinal()).get(slot);
    long[] next = seconds.get(slot);
    return phrases.isEmpty()
            || next == ANY
            || (unit + 1 < to && Arrays.binarySearch(next, text.key(unit + 1)) >= 0)
        ? phrases
        : List.of();
  }

  /** What may follow the first unit of some phrases, in order; {@link #ANY} if anything may. */
  private static long[] seconds(List<Phrase> phrases, long first) {
    Set<Long> seconds = new TreeSet<>();
    for (Phrase phrase : phrases) {
      for (int i = 0; i < phrase.elements.size(); i++) {
        Element element = phrase.elements.get(i);
        boolean told = element.shape == Shape.WORDS;
        for (long[] words : element.alternatives) {
          if (words[0] == first && words.length > 1) {
            seconds.add(words[1]);
          } else if (words[0] == first) {
            told &= phrase.addFirsts(i + 1, seconds);
          }
        }
        if (!told) {
          return ANY;
        }
        if (!element.optional) {
          break;
        }
      }
    }
    return seconds.stream().mapToLong(Long::longValue).toArray();
  }

  /** The phrases of a place that may begin with a unit of this key. */
  List<Phrase> startingWith(Place place, long key) {
    return lists.get(place.ordinal()).get(slot(key));
  }

  /** Where a word stands in the table. */
  int slot(long key) {
    int slot = (int) (key >>> 32) & (slots.length - 1);
    while (slots[slot] != 0 && slots[slot] != key) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  /**
   * Where the first phrase of a role ends that begins with this unit.
   *
   * @return the unit after it, or -1
   */
  int end(Role role, Source source, int unit, int to) {
    long key = source.units().key(unit);
    if (!mayBegin(role, key)) {
      return -1;
    }
    if (role.isOfWords()) {
      return unit + 1;
    }
    List<Phrase> phrases = startingWith(Place.BY_ROLE, key);
    for (int i = 0; i < phrases.size(); i++) {
      Phrase phrase = phrases.get(i);
      int end = phrase.role == role ? end(phrase, source, unit, to) : -1;
      if (end >= 0) {
        return end;
      }
    }
    return -1;
  }

  /** True if a phrase of a role begins with one of these units. */
  boolean any(Role role, Source source, int from, int to) {
    for (int i = from; i < to; i++) {
      if (end(role, source, i, to) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** The unit after the longest match of a phrase that begins with this unit, or -1. */
  static int end(Phrase phrase, Source source, int unit, int to) {
    return match(phrase.elements, 0, source, unit, to);
  }

  /** A text and its units. */
  record Source(Units units, byte[] bytes, int base, int length) {
    /** True if punctuation, or a colon, or a line break stands before this unit or at the end. */
    boolean parted(int unit, int to, boolean byColon) {
      int from = base + units.end(unit - 1);
      int end = unit < units.count() ? base + units.start(unit) : base + length;
      if (unit >= to && !byColon) {
        return true;
      }
      for (int i = from; i < end; i++) {
        byte b = bytes[i];
        if (b == '\n' || b == ':' || (b < 0 && Markup.codePoint(bytes, i, end) == 0xFF1A)) {
          return true;
        }
        if (!byColon
            && b != ' '
            && b != '*'
            && b != '_'
            && b != '"'
            && b != (byte) 0xA0
            && b != (byte) 0xC2) {
          return true;
        }
      }
      return false;
    }
  }

  private static int match(List<Element> elements, int next, Source source, int unit, int to) {
    if (next == elements.size()) {
      return unit;
    }
    Element element = elements.get(next);
    Units units = source.units;
    int best = -1;
    switch (element.shape) {
      case WORDS -> {
        boolean may = unit < to && element.mayBegin(units.key(unit));
        for (int i = 0; may && i < element.alternatives.size(); i++) {
          long[] words = element.alternatives.get(i);
          if (fits(words, units, unit, to)) {
            best = Math.max(best, match(elements, next + 1, source, unit + words.length, to));
          }
        }
      }
      case NAME -> {
        if (unit < to && (units.flags(unit) & Units.UPPER) != 0) {
          best = match(elements, next + 1, source, unit + 1, to);
        }
      }
      case GAP -> {
        for (int i = 1; i <= MAX_GAP && unit + i <= to; i++) {
          best = Math.max(best, match(elements, next + 1, source, unit + i, to));
        }
      }
      case PUNCTUATION, COLON -> {
        if (unit > 0 && source.parted(unit, to, element.shape == Shape.COLON)) {
          best = match(elements, next + 1, source, unit, to);
        }
      }
    }
    return element.optional ? Math.max(best, match(elements, next + 1, source, unit, to)) : best;
  }

  private static boolean fits(long[] words, Units units, int unit, int to) {
    if (unit + words.length > to) {
      return false;
    }
    for (int i = 0; i < words.length; i++) {
      if (units.key(unit + i) != words[i]) {
        return false;
      }
    }
    return true;
  }
}
