package dev.parlance.encoder;

import dev.parlance.encoder.Clause.Concept;
import dev.parlance.encoder.Clause.Role;
import dev.parlance.encoder.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the deed of a clause, and what stands on either side of it.
 *
 * <p>The deed begins at the first modal, "be" or other auxiliary; without one, at the first word
 * with an ending of verbs that no article, preposition or number stands before; adverbs in "ly" are
 * no deed by themselves. What is in front of it does it, what is behind it suffers it. With "be"
 * and a later "by" the sides change ("B is paid by A"); with a modal in front and "for ... to"
 * behind it, the doer is between these ("may NOT for A to pay B"). Adjuncts, from their preposition
 * to the next comma, "by", "to" or end, are on no side, nor are numbers and their units.
 */
final class ClauseReader {
  private final List<Token> tokens;
  private final boolean saying;
  private final List<Concept> concepts = new ArrayList<>();
  private final List<String> doers = new ArrayList<>();
  private final List<String> deeds = new ArrayList<>();
  private final List<String> objects = new ArrayList<>();
  private final List<List<String>> adjuncts = new ArrayList<>();

  private List<String> adjunct = new ArrayList<>();
  private boolean inAdjunct;

  ClauseReader(List<Token> tokens, boolean saying) {
    this.saying = saying;
    this.tokens = List.copyOf(tokens);
  }

  Clause read() {
    int pivot = pivot();
    boolean impersonal = pivot >= 0 && impersonal(pivot);
    boolean passive = !impersonal && pivot >= 0 && passive(pivot);
    Side side = impersonal ? Side.PIVOT : pivot < 0 ? Side.UNKNOWN : Side.FRONT;
    boolean negated = false;
    String comparison = "";
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      switch (token.kind()) {
        case NOT -> negated = !negated;
        case COMMA -> endAdjunct();
        case PREPOSITION -> beginAdjunct();
        case RELATION -> {
          beginAdjunct();
          name("~" + token.text(), Role.NONE, adjunct);
        }
        case CONDITION -> name("~" + token.text(), Role.NONE, deeds);
        case COMPARISON -> {
          beginAdjunct();
          comparison = token.text();
          amendNumberBefore(i, comparison);
        }
        case FOR -> {
          if (side == Side.PIVOT) {
            endAdjunct();
            side = Side.FRONT;
          } else {
            beginAdjunct();
          }
        }
        case TO -> {
          endAdjunct();
          if (impersonal && side != Side.BEHIND) {
            side = Side.DEED;
          }
        }
        case BY -> {
          endAdjunct();
          if (passive && side != Side.FRONT) {
            side = Side.AGENT;
          } else {
            beginAdjunct();
          }
        }
        case NUMBER -> number(token.text(), comparison);
        case WORD -> {
          boolean verb = side == Side.DEED || i == pivot;
          side = word(i, verb && !inAdjunct ? Side.DEED : side, passive);
        }
        case MODAL -> sign("~" + token.text());
        case BE, AUXILIARY, FILLER, BREAK, SAYING -> {}
      }
      if (token.is(Kind.NUMBER)) {
        comparison = "";
      }
      if (i == pivot && !token.is(Kind.WORD) && !impersonal) {
        endAdjunct();
        side = Side.DEED;
      }
    }
    endAdjunct();
    return new Clause(saying, !negated, concepts, chains());
  }

  /** Where in the clause the reader is. */
  private enum Side {
    FRONT,
    /** At the modal of a clause without a subject in front. */
    PIVOT,
    DEED,
    BEHIND,
    AGENT,
    UNKNOWN
  }

  private Side word(int at, Side side, boolean passive) {
    String key = Stem.of(tokens.get(at).text());
    boolean unit = at > 0 && tokens.get(at - 1).is(Kind.NUMBER);
    if (inAdjunct) {
      name(key, Role.NONE, adjunct);
      return side;
    }
    return switch (side) {
      case DEED -> {
        name(key, Role.NONE, deeds);
        yield key.endsWith("ly") ? side : Side.BEHIND;
      }
      case FRONT -> {
        name(key, unit ? Role.NONE : passive ? Role.OBJECT : Role.DOER, passive ? objects : doers);
        yield side;
      }
      case BEHIND -> {
        name(key, unit || passive ? Role.NONE : Role.OBJECT, passive ? deeds : objects);
        yield side;
      }
      case AGENT -> {
        name(key, unit ? Role.NONE : Role.DOER, doers);
        yield side;
      }
      case PIVOT, UNKNOWN -> {
        name(key, Role.NONE, deeds);
        yield side;
      }
    };
  }

  private void number(String digits, String comparison) {
    String key = "#" + digits;
    List<String> place = inAdjunct ? adjunct : objects;
    name(key, Role.NONE, place);
    if (!comparison.isEmpty()) {
      sign(comparison + key);
    }
  }

  /** "30 days or more": the comparison belongs to a number that was read already. */
  private void amendNumberBefore(int at, String comparison) {
    for (int i = at + 1; i < Math.min(tokens.size(), at + 4); i++) {
      if (tokens.get(i).is(Kind.NUMBER)) {
        return;
      }
    }
    for (int i = at - 1; i >= Math.max(0, at - 3); i--) {
      if (tokens.get(i).is(Kind.NUMBER)) {
        sign(comparison + "#" + tokens.get(i).text());
        return;
      }
    }
  }

  private void name(String key, Role role, List<String> chain) {
    concepts.add(new Concept(key, role));
    chain.add(key);
  }

  /** Names something that is in no chain. */
  private void sign(String key) {
    concepts.add(new Concept(key, Role.NONE));
  }

  private void beginAdjunct() {
    endAdjunct();
    inAdjunct = true;
  }

  private void endAdjunct() {
    if (!adjunct.isEmpty()) {
      adjuncts.add(List.copyOf(adjunct));
      adjunct = new ArrayList<>();
    }
    inAdjunct = false;
  }

  private List<List<String>> chains() {
    List<String> sides = new ArrayList<>(doers);
    sides.addAll(objects);
    List<List<String>> all = new ArrayList<>(adjuncts);
    all.addFirst(List.copyOf(deeds));
    all.addFirst(sides);
    return all;
  }

  private int pivot() {
    for (int i = 0; i < tokens.size(); i++) {
      Kind kind = tokens.get(i).kind();
      if (kind == Kind.MODAL || kind == Kind.BE || kind == Kind.AUXILIARY) {
        return i;
      }
    }
    for (int i = 1; i < tokens.size(); i++) {
      if (looksLikeVerb(i)) {
        return i;
      }
    }
    return -1;
  }

  private boolean looksLikeVerb(int at) {
    Token token = tokens.get(at);
    if (!token.is(Kind.WORD) || token.text().length() <= 3) {
      return false;
    }
    int subject = at - 1;
    while (subject > 0 && tokens.get(subject).is(Kind.NOT)) {
      subject--;
    }
    Token before = tokens.get(subject);
    boolean subjectBefore = before.is(Kind.WORD) && !before.text().equals("all");
    String text = token.text();
    boolean ending =
        text.endsWith("ed") || (text.endsWith("s") && !text.endsWith("ss") && !text.endsWith("us"));
    return ending && subjectBefore;
  }

  private boolean impersonal(int pivot) {
    if (!tokens.get(pivot).is(Kind.MODAL)) {
      return false;
    }
    boolean bare = true;
    for (int i = 0; i < pivot; i++) {
      bare &= !tokens.get(i).is(Kind.WORD);
    }
    boolean toBehind = false;
    for (int i = pivot + 1; i < tokens.size(); i++) {
      toBehind |= tokens.get(i).is(Kind.TO);
    }
    return bare && toBehind;
  }

  private boolean passive(int pivot) {
    int be = -1;
    for (int i = pivot; i < tokens.size(); i++) {
      if (tokens.get(i).is(Kind.BE)) {
        be = i;
      }
      boolean followed = i + 1 < tokens.size() && !tokens.get(i + 1).is(Kind.NUMBER);
      if (tokens.get(i).is(Kind.BY) && be >= 0 && i > be + 1 && followed) {
        return true;
      }
    }
    return false;
  }
}
