package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
  "StringSplitter",
  "ArrayRecordComponent"
}) // index of an array that never leaves this process; lines of our own files; never compared
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
    WORDS
  }

  private static final int MAX_GAP = 4;

  private enum Shape {
    WORDS,
    GAP,
    PUNCTUATION,
    COLON,
    NAME
  }

  private record Element(Shape shape, boolean optional, List<long[]> alternatives) {}

  /**
   * A phrase.
   *
   * @param whole nothing else may stand behind it in its sentence
   * @param capitals the language writes nouns with capitals
   */
  record Phrase(Role role, boolean whole, boolean capitals, List<Element> elements) {}

  private final long[] slots;

  /** For each slot a bit for every role that a phrase has which begins so. */
  private final int[] roles;

  private final List<List<Phrase>> lists;
  private final Units units;
  private final Map<String, List<long[]>> groups = new HashMap<>();
  private final Map<Long, List<Phrase>> byFirst = new HashMap<>();

  private Phrases(long seed, String lines) {
    units = new Units(seed);
    lines
        .lines()
        .map(String::strip)
        .filter(l -> !l.isEmpty() && l.charAt(0) != '#')
        .forEach(this::line);
    int size = Integer.highestOneBit(byFirst.size()) * 4;
    slots = new long[size];
    roles = new int[size];
    lists = new ArrayList<>(java.util.Collections.nCopies(size, List.of()));
    byFirst.forEach((key, phrases) -> {
      int slot = slot(key);
      slots[slot] = key;
      lists.set(slot, List.copyOf(phrases));
      phrases.forEach(phrase -> roles[slot] |= 1 << phrase.role.ordinal());
    });
    byFirst.clear();
    groups.clear();
    units.release();
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

  /** The phrases that may begin with a unit of this key. */
  List<Phrase> startingWith(long key) {
    return lists.get(slot(key));
  }

  private int slot(long key) {
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
    List<Phrase> phrases = startingWith(key);
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
        for (int i = 0; i < element.alternatives.size(); i++) {
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

  private void line(String line) {
    String[] parts = line.split(" ", 3);
    String language = parts[0];
    if (parts[1].equals("let")) {
      String[] definition = parts[2].split(" = ", 2);
      groups.put(language + definition[0], alternatives(language, definition[1]));
      return;
    }
    Role role = Role.valueOf(parts[1]);
    if (role == Role.WORDS) {
      units.read(Utf8Span.of(parts[2]));
      for (int i = 0; i < units.count(); i++) {
        Element one = new Element(Shape.WORDS, false, List.of(new long[] {units.key(i)}));
        add(new Phrase(role, false, false, List.of(one)), units.key(i));
      }
      return;
    }
    boolean whole = parts[2].endsWith("...");
    List<Element> elements = new ArrayList<>();
    for (String element : cut(whole ? parts[2].substring(0, parts[2].length() - 3) : parts[2])) {
      elements.add(element(language, element));
    }
    Phrase phrase = new Phrase(role, whole, language.equals("de"), List.copyOf(elements));
    for (Element element : elements) {
      element.alternatives.stream()
          .mapToLong(words -> words[0])
          .distinct()
          .forEach(key -> add(phrase, key));
      if (!element.optional) {
        break;
      }
    }
  }

  private void add(Phrase phrase, long key) {
    List<Phrase> all = byFirst.computeIfAbsent(key, k -> new ArrayList<>());
    if (phrase.role != Role.WORDS || all.stream().noneMatch(p -> p.role == Role.WORDS)) {
      all.add(phrase);
    }
  }

  /** The elements of a phrase; plain words that stand together are one. */
  private static List<String> cut(String phrase) {
    List<String> elements = new ArrayList<>();
    int depth = 0;
    StringBuilder element = new StringBuilder();
    for (String word : phrase.strip().split(" +")) {
      element.append(element.isEmpty() ? "" : " ").append(word);
      depth += (int) word.chars().filter(c -> c == '(' || c == '[').count();
      depth -= (int) word.chars().filter(c -> c == ')' || c == ']').count();
      if (depth == 0) {
        elements.add(element.toString());
        element.setLength(0);
      }
    }
    return elements;
  }

  private Element element(String language, String text) {
    return switch (text) {
      case "*" -> new Element(Shape.GAP, true, List.of());
      case "^" -> new Element(Shape.NAME, true, List.of());
      case ",", "،" -> new Element(Shape.PUNCTUATION, false, List.of());
      case "[,]", "[،]" -> new Element(Shape.PUNCTUATION, true, List.of());
      case ":" -> new Element(Shape.COLON, false, List.of());
      default -> {
        boolean optional = text.charAt(0) == '[';
        boolean grouped = optional || text.charAt(0) == '(';
        String inner = grouped ? text.substring(1, text.length() - 1) : text;
        yield new Element(Shape.WORDS, optional, alternatives(language, inner));
      }
    };
  }

  private List<long[]> alternatives(String language, String text) {
    List<long[]> all = new ArrayList<>();
    for (String alternative : split(text)) {
      int open = alternative.indexOf('(');
      if (open >= 0) {
        int close = alternative.lastIndexOf(')');
        for (String inner : split(alternative.substring(open + 1, close))) {
          all.addAll(
              alternatives(
                  language,
                  alternative.substring(0, open) + inner + alternative.substring(close + 1)));
        }
      } else if (alternative.startsWith("<")) {
        all.addAll(group(language, alternative));
      } else {
        all.add(keys(alternative));
      }
    }
    return all;
  }

  private List<long[]> group(String language, String name) {
    List<long[]> group = groups.get(language + name.substring(1, name.length() - 1));
    if (group == null) {
      throw new IllegalStateException("no group " + name + " of language " + language);
    }
    return group;
  }

  /** Cut at the bars outside of parentheses. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? '|' : text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == '|' && depth == 0) {
        parts.add(text.substring(from, i));
        from = i + 1;
      }
    }
    return parts;
  }

  private long[] keys(String words) {
    units.read(Utf8Span.of(words));
    if (units.count() == 0) {
      throw new IllegalStateException("no word in a phrase: " + words);
    }
    long[] keys = new long[units.count()];
    Arrays.setAll(keys, units::key);
    return keys;
  }
}
