package dev.parlance.demo.license;

import java.util.List;
import java.util.Optional;

/** The words of the license domain, each with the ways in which it can be understood. */
public final class LicenseTerms {
  /** Name of the domain. */
  public static final String DOMAIN = "license";

  /** Name of the certification plan: the words of the domain, between A and B. */
  public static final String PLAN = "license-words";

  /** Id of agent A. */
  public static final String SCHOLAR = "license-scholar";

  /** Id of agent B. */
  public static final String OFFICER = "license-officer";

  /** The pair, in order. */
  public static final List<String> AGENTS = List.of(OFFICER, SCHOLAR);

  /** Largest tolerable contradiction rate. */
  public static final double TAU = 0.05;

  /** Probability at most which a term worse than that is certified. */
  public static final double DELTA = 0.05;

  /** Least share of events on which both agents decide. */
  public static final double RHO_MIN = 0.5;

  /** 59 comparisons without contradiction would do; the 124 and more that stay of 150 bear two. */
  public static final int EVENTS_PER_TERM = 150;

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

      /** What a yes or no is. */
      public static Answer of(boolean applies) {
        return applies ? ASSENT : DISSENT;
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
