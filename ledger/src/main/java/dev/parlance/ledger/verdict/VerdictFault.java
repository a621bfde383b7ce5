package dev.parlance.ledger.verdict;

import dev.parlance.policy.text.Coded;

/** Why a verdict beside a message is not believed. */
public enum VerdictFault implements Coded {
  /** It is none. */
  MALFORMED(Kind.FORGED),
  /** Its key is not known. */
  UNKNOWN_KEY(Kind.FORGED),
  /** It is for somebody else. */
  WRONG_AUDIENCE(Kind.FORGED),
  /** It is not of the key that it names, or was changed. */
  WRONG_CODE(Kind.FORGED),
  /** It is over, was made in the future, or is to hold for too long. */
  NOT_NOW(Kind.FORGED),
  /** It is about another message. */
  WRONG_MESSAGE(Kind.FORGED),
  /** It has been here. */
  REPLAYED(Kind.FORGED),
  /** Its sender is not among those who are believed. */
  UNTRUSTED(Kind.UNUSED),
  /** It was made before its key was known here, and may have been here. */
  TOO_EARLY(Kind.UNUSED),
  /** It says that the message should not go on. */
  NOT_PASSED(Kind.UNUSED),
  /** It was judged by other rules than those of the receiver. */
  OTHER_PROFILE(Kind.UNUSED),
  /** Another text, or other evidence, was read and judged there than is read here. */
  OTHER_TEXT(Kind.UNUSED);

  /** What a fault says of the sender. */
  private enum Kind {
    FORGED,
    UNUSED
  }

  private final Kind kind;

  VerdictFault(Kind kind) {
    this.kind = kind;
  }

  /** True if no honest sidecar has sent it so, or to here, or now. */
  public boolean isForged() {
    return kind == Kind.FORGED;
  }
}
