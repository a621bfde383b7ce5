package dev.parlance.policy.core;

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

  /** The one-letter form of verdict strings. */
  public char letter() {
    return letter;
  }

  /** True for assent and dissent. */
  public boolean isDecided() {
    return this != NEUTRAL;
  }

  /** The verdict with this code, exactly as {@link #code()} writes it. */
  public static Optional<TermVerdict> ofCode(String code) {
    for (TermVerdict verdict : values()) {
      if (verdict.code.equals(code)) {
        return Optional.of(verdict);
      }
    }
    return Optional.empty();
  }

  /** The verdict with this letter. */
  public static Optional<TermVerdict> ofLetter(char letter) {
    for (TermVerdict verdict : values()) {
      if (verdict.letter == letter) {
        return Optional.of(verdict);
      }
    }
    return Optional.empty();
  }
}
