package dev.parlance.policy.core;

import java.util.Arrays;
import java.util.Optional;

/** What an agent says of a term on an event (Definition 2). */
public enum TermVerdict {
  /** The term applies. */
  ASSENT("assent", 'A'),
  /** The agent has judged and finds that neither applies; not the same as not having been asked. */
  NEUTRAL("neutral", 'N'),
  /** The term does not apply. */
  DISSENT("dissent", 'D');

  private final String code;
  private final char letter;

  TermVerdict(String code, char letter) {
    this.code = code;
    this.letter = letter;
  }

  /** The stable name on the wire and on the ledger. */
  public String code() {
    return code;
  }

  /** True for assent and dissent. */
  public boolean isDecided() {
    return this != NEUTRAL;
  }

  /** The verdict with this code, exactly as {@link #code()} writes it. */
  public static Optional<TermVerdict> ofCode(String code) {
    return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
  }

  /** The verdict with this letter, the one-letter form of verdict strings. */
  public static Optional<TermVerdict> ofLetter(char letter) {
    return Arrays.stream(values()).filter(one -> one.letter == letter).findFirst();
  }
}
