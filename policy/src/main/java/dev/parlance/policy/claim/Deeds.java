package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A lexical test for side effects: whether a question orders that something be done, or its answer
 * reports that something was. Whoever does it inside his own process shows it in nothing but words.
 *
 * <p>The error is to see a deed where there is none: its price is that an answer is not asked for
 * again. What is asked about in a question ("When was the transfer executed?") is none in the
 * answer, unless the answer says "I" or "your". The words of {@code deeds.txt} are of seven
 * languages; each sentence is held against the words of each. Texts are not copied.
 */
public final class Deeds {
  /** What words of {@code deeds.txt} are. */
  private enum Kind {
    /** Verbs, as they are said to whoever is to do it. */
    ORDER,
    /** May stand before the verb of an order. */
    PLEASE,
    /** Says of a sentence that it asks about something. */
    ASKS,
    /** Another verb may follow, as if it began the sentence. */
    AND,
    /** Who answers, before a verb of DONE. */
    SELF,
    /** Verbs, as they are said of what was done. */
    DONE,
    /** Before a verb of DONE: somebody has done it. */
    PASSIVE,
    /** As PASSIVE, and true of much else: the sentence has to say YOUR as well. */
    STATE,
    YOUR,
    /** A sentence that begins with it reports a deed. */
    BARE,
    /** Who is given one has ordered something. */
    RECEIPT
  }

  /** So much of a text is looked at. */
  private static final int MAX_CHARS = 32 * 1024;

  /** So many words stand at most between who did it, or that it was done, and what. */
  private static final int MAX_BETWEEN = 12;

  /** Where the verb stands beside its subject: "I placed", "I have just placed". */
  private static final int BESIDE = 3;

  private static final int MAX_LETTERS = 32;

  /** A longer sentence is taken in pieces, each with the last words of the one before. */
  private static final int MAX_SENTENCE = 256;

  private static final int KEPT = 2 * MAX_BETWEEN;

  /** A word that is in no table, and one that begins with a digit. */
  private static final String UNKNOWN = "?";

  private static final String NUMBER = "0";

  private static final List<Language> LANGUAGES = read();

  /** The words of all languages, by their hash. */
  private static final String[] KNOWN = known();

  private Deeds() {}

  /** True if to ask the same again may have the same done again. */
  public static boolean isLikelyBehind(Utf8Span question, Utf8Span answer) {
    boolean[] isQuestion = new boolean[LANGUAGES.size()];
    Sentences sentences = new Sentences(question);
    while (sentences.next()) {
      for (int i = 0; i < isQuestion.length; i++) {
        if (LANGUAGES.get(i).isOrder(sentences.words, sentences.isAsked)) {
          return true;
        }
        isQuestion[i] |= LANGUAGES.get(i).isQuestion(sentences.words, sentences.isAsked);
      }
    }
    sentences = new Sentences(answer);
    while (sentences.next()) {
      for (int i = 0; i < isQuestion.length; i++) {
        if (LANGUAGES.get(i).isReport(sentences.words, isQuestion[i])) {
          return true;
        }
      }
    }
    return false;
  }

  /** The sentences of a text, one after the other, as words of the tables. */
  private static final class Sentences {
    private final byte[] bytes;
    private final int to;
    private final char[] letters = new char[MAX_LETTERS];

    /** Those of the sentence that was read last. */
    private final List<String> words = new ArrayList<>(MAX_SENTENCE);

    /** It ends with a question mark. */
    private boolean isAsked;

    /** More of it follows. */
    private boolean goesOn;

    private int at;
    private int left = MAX_CHARS;

    /** Letters of the word so far, kept or not; 0 between words. */
    private int length;

    Sentences(Utf8Span text) {
      bytes = text.array();
      at = text.arrayOffset();
      to = at + text.length();
    }

    /** Reads one that has words; false if there is none any more. */
    boolean next() {
      words.subList(0, Math.max(0, words.size() - (goesOn ? KEPT : 0))).clear();
      goesOn = false;
      int joiner = 0;
      while (true) {
        int c = Character.toLowerCase(codePoint());
        if (Character.isLetter(c) || isNumber(c)) {
          if (joiner != 0) {
            put(joiner);
          }
          joiner = 0;
          put(c);
          continue;
        }
        if (length > 0 && joiner == 0 && "'’_-".indexOf(c) >= 0) {
          joiner = c == '’' ? '\'' : c;
          continue;
        }
        if (length > 0) {
          words.add(word());
          length = 0;
        }
        joiner = 0;
        goesOn = c >= 0 && words.size() == MAX_SENTENCE;
        isAsked = c == '?' || c == '？';
        boolean ends = isAsked || ".!;:\n。！".indexOf(c) >= 0;
        if (c < 0 || goesOn || (ends && !words.isEmpty())) {
          goesOn &= !ends;
          return !words.isEmpty();
        }
      }
    }

    private static boolean isNumber(int c) {
      int type = Character.getType(c);
      return type == Character.DECIMAL_DIGIT_NUMBER
          || type == Character.LETTER_NUMBER
          || type == Character.OTHER_NUMBER;
    }

    private void put(int c) {
      if (length < MAX_LETTERS) {
        letters[length] = Character.isBmpCodePoint(c) ? (char) c : Character.highSurrogate(c);
      }
      length++;
    }

    private String word() {
      int hash = 0;
      for (int i = 0; i < length && length <= MAX_LETTERS; i++) {
        hash = 31 * hash + letters[i];
      }
      for (int slot = hash; length <= MAX_LETTERS; slot++) {
        String known = KNOWN[slot & KNOWN.length - 1];
        if (known.isEmpty()) {
          break;
        }
        if (isWord(known)) {
          return known;
        }
      }
      return Character.isDigit(letters[0]) ? NUMBER : UNKNOWN;
    }

    private boolean isWord(String known) {
      if (known.length() != length) {
        return false;
      }
      for (int i = 0; i < length; i++) {
        if (known.charAt(i) != letters[i]) {
          return false;
        }
      }
      return true;
    }

    /** The next code point; -1 at the end, and a blank where the bytes are none. */
    private int codePoint() {
      if (at >= to || left-- <= 0) {
        return -1;
      }
      int lead = bytes[at++];
      if (lead >= 0) {
        return lead;
      }
      if (lead < (byte) 0xC0) {
        return ' ';
      }
      int more = lead >>> 4 == 0xFFFFFFF ? 3 : lead >>> 4 == 0xFFFFFFE ? 2 : 1;
      int c = lead & 0x3F >> more;
      while (more-- > 0 && at < to && bytes[at] < (byte) 0xC0) {
        c = c << 6 | (bytes[at++] & 0x3F);
      }
      return more >= 0 ? ' ' : c;
    }
  }

  private static List<Language> read() {
    Map<String, Map<Kind, Set<String>>> languages = new LinkedHashMap<>();
    String text = new String(TableFile.bytes(Deeds.class, "deeds.txt"), StandardCharsets.UTF_8);
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.split("\\s+", 0);
      Set<String> words =
          languages
              .computeIfAbsent(parts[0], _ -> new EnumMap<>(Kind.class))
              .computeIfAbsent(Kind.valueOf(parts[1]), _ -> new HashSet<>());
      for (int i = 2; i < parts.length; i++) {
        words.add(parts[i].replace('_', ' '));
      }
    }
    return languages.values().stream().map(Language::of).toList();
  }

  private static String[] known() {
    Set<String> words = new HashSet<>();
    for (Language language : LANGUAGES) {
      language
          .phrases()
          .values()
          .forEach(kinds ->
              kinds
                  .values()
                  .forEach(phrases -> phrases.forEach(phrase -> words.addAll(List.of(phrase)))));
    }
    String[] slots = new String[Integer.highestOneBit(words.size()) * 4];
    Arrays.fill(slots, "");
    for (String word : words) {
      int slot = word.hashCode();
      while (!slots[slot & slots.length - 1].isEmpty()) {
        slot++;
      }
      slots[slot & slots.length - 1] = word;
    }
    return slots;
  }

  /**
   * The words of one language.
   *
   * @param phrases the words of each, the longest phrases first, by what they are and before that
   *     by their first word
   */
  private record Language(Map<String, Map<Kind, List<String[]>>> phrases) {
    static Language of(Map<Kind, Set<String>> all) {
      Map<String, Map<Kind, List<String[]>>> phrases = new HashMap<>();
      all.forEach((kind, some) ->
          some.stream()
              .map(phrase -> phrase.split(" ", -1))
              .sorted(Comparator.comparingInt((String[] phrase) -> phrase.length).reversed())
              .forEach(phrase ->
                  phrases
                      .computeIfAbsent(phrase[0], _ -> new EnumMap<>(Kind.class))
                      .computeIfAbsent(kind, _ -> new ArrayList<>())
                      .add(phrase)));
      return new Language(phrases);
    }

    boolean isQuestion(List<String> words, boolean isAsked) {
      return isAsked || at(Kind.ASKS, words, polite(words)) > 0;
    }

    /** "Book a table", "Could you please book a table?", "Find a table and book it". */
    boolean isOrder(List<String> words, boolean isAsked) {
      int from = polite(words);
      if (at(Kind.ORDER, words, from) > 0 && (from > 0 || !isAsked)) {
        return true;
      }
      if (at(Kind.ASKS, words, from) > 0) {
        return false;
      }
      boolean isPolite = anywhere(Kind.PLEASE, words, 0, words.size());
      boolean asks = anywhere(Kind.ASKS, words, 0, words.size());
      if (isPolite && !asks && anywhere(Kind.ORDER, words, 0, words.size())) {
        return true; // the verb stands at the end in German and Dutch
      }
      for (int i = from; i < words.size() && !isAsked && !asks; i++) {
        int and = at(Kind.AND, words, i);
        if (and > 0 && at(Kind.ORDER, words, i + and) > 0) {
          return true;
        }
      }
      return false;
    }

    /** Where a sentence begins in earnest. */
    private int polite(List<String> words) {
      int from = 0;
      for (int more = at(Kind.PLEASE, words, 0); more > 0; more = at(Kind.PLEASE, words, from)) {
        from += more;
      }
      return from;
    }

    boolean isReport(List<String> words, boolean isQuestion) {
      if (at(Kind.BARE, words, 0) > 0 || isBareVerb(words)) {
        return true;
      }
      boolean toYou = anywhere(Kind.YOUR, words, 0, words.size());
      for (int i = 0; i < words.size(); i++) {
        int self = at(Kind.SELF, words, i);
        if (self > 0 && isDone(words, i + self, self > 1 ? MAX_BETWEEN : BESIDE)) {
          return true;
        }
        int passive = isQuestion && !toYou ? 0 : at(Kind.PASSIVE, words, i);
        int state = toYou ? at(Kind.STATE, words, i) : 0;
        int verb = Math.max(passive, state);
        if (verb > 0 && isDone(words, i + verb, MAX_BETWEEN)) {
          return true;
        }
        if ((toYou || !isQuestion) && at(Kind.RECEIPT, words, i) > 0) {
          return true;
        }
      }
      return false;
    }

    /** "Booked.", "Transferred 500 to Ben", "Order placed". */
    private boolean isBareVerb(List<String> words) {
      int verb = at(Kind.DONE, words, 0);
      if (verb > 0) {
        return words.size() == verb
            || Character.isDigit(words.get(verb).charAt(0))
            || at(Kind.YOUR, words, verb) > 0;
      }
      return words.size() <= BESIDE && at(Kind.DONE, words, words.size() - 1) > 0;
    }

    private boolean isDone(List<String> words, int from, int most) {
      return anywhere(Kind.DONE, words, from, Math.min(words.size(), from + most));
    }

    private boolean anywhere(Kind kind, List<String> words, int from, int to) {
      for (int i = from; i < to; i++) {
        if (at(kind, words, i) > 0) {
          return true;
        }
      }
      return false;
    }

    /** How many words of a kind stand here together; 0 if none does. */
    private int at(Kind kind, List<String> words, int from) {
      if (from >= words.size()) {
        return 0;
      }
      Map<Kind, List<String[]>> here = phrases.getOrDefault(words.get(from), Map.of());
      List<String[]> known = here.getOrDefault(kind, List.of());
      for (int i = 0; i < known.size(); i++) {
        if (stands(known.get(i), words, from)) {
          return known.get(i).length;
        }
      }
      return 0;
    }

    private static boolean stands(String[] phrase, List<String> words, int from) {
      boolean same = from + phrase.length <= words.size();
      for (int i = 0; i < phrase.length && same; i++) {
        same = phrase[i].equals(words.get(from + i));
      }
      return same;
    }
  }
}
