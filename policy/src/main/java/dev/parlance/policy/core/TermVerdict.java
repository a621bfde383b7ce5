package dev.parlance.policy.core;

import dev.parlance.policy.text.Coded;
import java.util.Arrays;
import java.util.Optional;

/** What an agent says of a term on an event (Definition 2). */
public enum TermVerdict implements Coded {
  /** The term applies. */
  ASSENT('A'),
  /** The agent has judged and finds that neither applies; not the same as not having been asked. */
  NEUTRAL('N'),
  /** The term does not apply. */
  DISSENT('D');

  private final char letter;

  TermVerdict(char letter) {
    this.letter = letter;
  }

  /** True for assent and dissent. */
  public boolean isDecided() {
    return this != NEUTRAL;
  }

  /** The verdict with this code, exactly as {@link #code()} writes it. */
  public static Optional<TermVerdict> ofCode(String code) {
    return Coded.find(values(), code);
  }

  /** The verdict with this letter, the one-letter form of verdict strings. */
  public static Optional<TermVerdict> ofLetter(char letter) {
    return Arrays.stream(values()).filter(one -> one.letter == letter).findFirst();
  }
}
