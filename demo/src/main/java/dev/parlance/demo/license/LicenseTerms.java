package dev.parlance.demo.license;

import java.util.List;
import java.util.Optional;

/** The words of the license domain, each with the ways in which it can be understood. */
public final class LicenseTerms {
  /** Name of the domain. */
  public static final String DOMAIN = "license";

  /**
   * A term.
   *
   * @param text its words
   * @param gloss what it is about
   * @param alternative another term that says nearly the same, if there is one
   * @param readings the ways to understand it; the first is the usual one
   */
  public record Word(
      String text, String gloss, Optional<String> alternative, List<TermReading> readings) {
    /** Copies the list. */
    public Word {
      readings = List.copyOf(readings);
    }
  }

  private static final List<Word> WORDS =
      DemoJson.script(LicenseTerms.class, "terms.json", Word[].class);

  private LicenseTerms() {}

  /** All terms. */
  public static List<Word> words() {
    return WORDS;
  }

  /** The term with these words. */
  public static Optional<Word> word(String text) {
    return WORDS.stream().filter(word -> word.text().equals(text)).findFirst();
  }

  /**
   * One way to understand a term: by what stands in the text of an event.
   *
   * @param name what to call it
   * @param applies the term applies where one of these phrases occurs
   * @param unclear else nothing can be said where one of these occurs; else it does not apply
   */
  public record TermReading(String name, List<String> applies, List<String> unclear) {
    /** What an agent says of a term. */
    public enum Answer {
      /** It applies. */
      ASSENT("assent"),
      /** Nothing can be said. */
      NEUTRAL("neutral"),
      /** It does not apply. */
      DISSENT("dissent");

      private final String word;

      Answer(String word) {
        this.word = word;
      }

      /** As it is said. */
      public String word() {
        return word;
      }

      Answer opposite() {
        return switch (this) {
          case ASSENT -> DISSENT;
          case NEUTRAL -> NEUTRAL;
          case DISSENT -> ASSENT;
        };
      }
    }

    /** Copies the lists. */
    public TermReading {
      applies = List.copyOf(applies);
      unclear = List.copyOf(unclear);
    }

    /** What follows from this reading for a text. */
    public Answer of(String text) {
      if (applies.stream().anyMatch(text::contains)) {
        return Answer.ASSENT;
      }
      return unclear.stream().anyMatch(text::contains) ? Answer.NEUTRAL : Answer.DISSENT;
    }
  }
}
