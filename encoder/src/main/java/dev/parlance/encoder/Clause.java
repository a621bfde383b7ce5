package dev.parlance.encoder;

import dev.parlance.encoder.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * What a part of a sentence with one verb says, as far as closed words tell.
 *
 * @param saying true if it is short and tells only who says what follows
 * @param affirmed false if an odd number of negations is in it
 * @param concepts what it names, in the order of the text
 * @param chains doers and objects in this order, whatever the order of the words, deeds by
 *     themselves, and each adjunct ("after the audit") by itself
 */
record Clause(boolean saying, boolean affirmed, List<Concept> concepts, List<List<String>> chains) {
  /** Most words of a part that tells only who says something. */
  private static final int MAX_SAYING = 5;

  Clause {
    concepts = List.copyOf(concepts);
    chains = List.copyOf(chains);
  }

  /** Which side of the deed something is on. */
  enum Role {
    /** Does it. */
    DOER,
    /** It is done to that. */
    OBJECT,
    /** Neither, or not known. */
    NONE
  }

  /**
   * Something that a clause names.
   *
   * @param key stem of the word; {@code #30} for a number, {@code ~may} for a sign
   * @param role its side of the deed
   */
  record Concept(String key, Role role) {}

  /** Parts the tokens of a text. */
  static List<Clause> all(List<Token> tokens) {
    List<Clause> clauses = new ArrayList<>();
    List<Token> open = new ArrayList<>();
    boolean condition = false;
    for (Token token : tokens) {
      boolean opensCondition = token.is(Kind.CONDITION);
      boolean saying = token.is(Kind.SAYING);
      boolean ends =
          token.is(Kind.BREAK) || saying || opensCondition || condition && token.is(Kind.COMMA);
      if (ends) {
        close(open, saying, clauses);
        condition = opensCondition;
      }
      if (!token.is(Kind.BREAK) && !saying) {
        open.add(token);
      }
    }
    close(open, false, clauses);
    return clauses;
  }

  private static void close(List<Token> open, boolean beforeSaying, List<Clause> clauses) {
    boolean saying =
        beforeSaying && open.stream().filter(token -> token.is(Kind.WORD)).count() <= MAX_SAYING;
    Clause clause = new ClauseReader(open, saying).read();
    if (!clause.concepts.isEmpty()) {
      clauses.add(clause);
    }
    open.clear();
  }
}
