package dev.parlance.demo.usage;

import java.util.List;

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
