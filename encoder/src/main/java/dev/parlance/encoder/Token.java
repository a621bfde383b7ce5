package dev.parlance.encoder;

/**
 * A piece of a text.
 *
 * @param kind what it is
 * @param text the word, in lower case; the number in digits; else empty or a name
 */
record Token(Kind kind, String text) {
  /** End of a sentence or of a part of it with a verb of its own. */
  static final Token BREAK = new Token(Kind.BREAK, "");

  /** Comma, bracket or dash. */
  static final Token COMMA = new Token(Kind.COMMA, "");

  /** Colon, or "says that". */
  static final Token SAYING = new Token(Kind.SAYING, "");

  /** What a token can be. */
  enum Kind {
    /** A word of open classes. */
    WORD,
    /** A number. */
    NUMBER,
    /** See {@link Token#COMMA}. */
    COMMA,
    /** See {@link Token#BREAK}. */
    BREAK,
    /**
     * Ends a part that, if it is short, tells only who says what follows: "the text states that".
     */
    SAYING,
    /** Opens a condition, which ends at the next comma: if, when. */
    CONDITION,
    /** Turns what is said into its opposite. */
    NOT,
    /** Obligation or permission: must, may, should. */
    MODAL,
    /** A form of "be". */
    BE,
    /** Another auxiliary verb. */
    AUXILIARY,
    /** Compares with a number: one of the four signs of order. */
    COMPARISON,
    /** Opens an adjunct and carries meaning: before, after, until. */
    RELATION,
    /** Opens an adjunct and carries none: in, with. */
    PREPOSITION,
    /** "for". */
    FOR,
    /** "to". */
    TO,
    /** "by". */
    BY,
    /** Carries no meaning of its own. */
    FILLER
  }

  static Token word(String text) {
    return new Token(Kind.WORD, text);
  }

  static Token number(String digits) {
    return new Token(Kind.NUMBER, digits);
  }

  boolean is(Kind other) {
    return kind == other;
  }
}
