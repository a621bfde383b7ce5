package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A lexical test for side effects: whether a question orders that something be done, or its answer
 * reports that something was. Whoever does it inside his own process shows it in nothing but words.
 *
 * <p>The error is to see a deed where there is none: its price is that an answer is not asked for
 * again. What is asked about in a question ("When was the transfer executed?") is none in the
 * answer, unless the answer says "I" or "your". The words of {@code deeds.txt} are of seven
 * languages; each sentence is held against the words of each.
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

  private static final int MAX_WORDS = 5;

  /** So much of a text is looked at. */
  private static final int MAX_CHARS = 32 * 1024;

  /** So many words stand at most between who did it, or that it was done, and what. */
  private static final int MAX_BETWEEN = 12;

  /** Where the verb stands beside its subject: "I placed", "I have just placed". */
  private static final int BESIDE = 3;

  private static final Pattern SENTENCE = Pattern.compile("[^.!?;:\\n。！？]+([.!?;:\\n。！？]|$)");
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+(?:['’_-][\\p{L}\\p{N}]+)*");

  private static final List<Language> LANGUAGES = read();

  private Deeds() {}

  /** True if to ask the same again may have the same done again. */
  public static boolean isLikelyBehind(Utf8Span question, Utf8Span answer) {
    List<Sentence> asked = sentences(question);
    List<Sentence> answered = sentences(answer);
    return LANGUAGES.stream().anyMatch(language -> language.anyDeed(asked, answered));
  }

  /**
   * A sentence.
   *
   * @param words in lower case
   * @param isAsked it ends with a question mark
   */
  private record Sentence(List<String> words, boolean isAsked) {}

  private static List<Sentence> sentences(Utf8Span text) {
    List<Sentence> sentences = new ArrayList<>();
    String whole = text.toString();
    String read = whole.substring(0, Math.min(whole.length(), MAX_CHARS));
    Matcher found = SENTENCE.matcher(read.toLowerCase(Locale.ROOT).replace('’', '\''));
    while (found.find()) {
      List<String> words = WORD.matcher(found.group()).results().map(word -> word.group()).toList();
      if (!words.isEmpty()) {
        sentences.add(
            new Sentence(words, found.group(1).equals("?") || found.group(1).equals("？")));
      }
    }
    return sentences;
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

  /**
   * The words of one language.
   *
   * @param phrases by what they are
   * @param firsts what phrases begin with, by what those are
   */
  private record Language(Map<Kind, Set<String>> phrases, Map<String, Set<Kind>> firsts) {
    static Language of(Map<Kind, Set<String>> phrases) {
      Map<String, Set<Kind>> firsts = new HashMap<>();
      phrases.forEach((kind, all) ->
          all.forEach(phrase ->
              firsts
                  .computeIfAbsent(phrase.split(" ", 2)[0], _ -> EnumSet.noneOf(Kind.class))
                  .add(kind)));
      return new Language(phrases, firsts);
    }

    boolean anyDeed(List<Sentence> asked, List<Sentence> answer) {
      if (asked.stream().anyMatch(this::isOrder)) {
        return true;
      }
      boolean isQuestion = asked.stream().anyMatch(this::isQuestion);
      return answer.stream().anyMatch(one -> isReport(one.words(), isQuestion));
    }

    private boolean isQuestion(Sentence asked) {
      return asked.isAsked() || at(Kind.ASKS, asked.words(), polite(asked.words())) > 0;
    }

    /** "Book a table", "Could you please book a table?", "Find a table and book it". */
    private boolean isOrder(Sentence asked) {
      List<String> words = asked.words();
      int from = polite(words);
      if (at(Kind.ORDER, words, from) > 0 && (from > 0 || !asked.isAsked())) {
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
      for (int i = from; i < words.size() && !asked.isAsked() && !asks; i++) {
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

    private boolean isReport(List<String> words, boolean isQuestion) {
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
      if (from >= words.size() || !firsts.getOrDefault(words.get(from), Set.of()).contains(kind)) {
        return 0;
      }
      Set<String> known = phrases.getOrDefault(kind, Set.of());
      for (int count = Math.min(MAX_WORDS, words.size() - from); count > 0; count--) {
        if (known.contains(String.join(" ", words.subList(from, from + count)))) {
          return count;
        }
      }
      return 0;
    }
  }
}
