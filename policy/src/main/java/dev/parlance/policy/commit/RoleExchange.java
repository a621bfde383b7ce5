package dev.parlance.policy.commit;

import dev.parlance.policy.commit.WordMatcher.Matched;
import dev.parlance.policy.commit.Wording.Side;
import dev.parlance.policy.commit.Wording.Sign;
import dev.parlance.policy.commit.Wording.Word;
import dev.parlance.policy.commit.WordingComparer.Finding;
import dev.parlance.policy.commit.WordingComparer.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds exchanged roles between two texts with the same words: who does it and to whom, what is the
 * reason and what follows, from where and to where. The passive voice and moved adjuncts are seen
 * through; what is not understood is no exchange.
 */
final class RoleExchange {
  private RoleExchange() {}

  /** Where a word stands: with which verb, on which side, behind which word, in which clause. */
  private record Slot(Side side, int verb, boolean isSameVerb, Sign preposition, Sign opener) {}

  /** Who has changed places with whom, if anybody has. */
  static Optional<Finding> between(List<Word> here, List<Word> there, Matched matched) {
    List<Slot> mine = slots(here, matched.forth(), there, true);
    List<Slot> theirs = slots(there, matched.back(), here, false);
    int[] forth = matched.forth();
    Optional<Finding> swapped = swapped(here, there, matched);
    if (swapped.isPresent()) {
      return swapped;
    }
    Optional<Finding> moved = clauses(here, there, matched);
    if (moved.isPresent()) {
      return moved;
    }
    for (int x = 0; x < forth.length; x++) {
      if (forth[x] >= 0 && isTurned(here.get(x), there.get(forth[x]))) {
        return Optional.of(
            new Finding(
                Kind.ROLES_EXCHANGED,
                WordingComparer.word(here.get(x).preposition()) + " " + here.get(x).text(),
                WordingComparer.word(there.get(forth[x]).preposition())
                    + " "
                    + there.get(forth[x]).text()));
      }
      for (int y = x + 1; forth[x] >= 0 && y < forth.length; y++) {
        if (forth[y] < 0 || forth[x] == forth[y] || here.get(x).stem().equals(here.get(y).stem())) {
          continue;
        }
        if (isExchanged(mine.get(x), mine.get(y), theirs.get(forth[x]), theirs.get(forth[y]))) {
          return Optional.of(
              new Finding(
                  Kind.ROLES_EXCHANGED,
                  here.get(x).text() + ", " + here.get(y).text(),
                  there.get(forth[y]).text() + ", " + there.get(forth[x]).text()));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Two pieces that have changed places around a third that stayed, as in "the carrier informs the
   * supplier"; adjuncts that were moved with their preposition are none.
   */
  private static Optional<Finding> swapped(List<Word> here, List<Word> there, Matched matched) {
    int[] forth = matched.forth();
    int count = forth.length;
    if (count != there.size() || Arrays.stream(forth).distinct().count() != count) {
      return Optional.empty();
    }
    int from = 0;
    while (from < count && forth[from] == from) {
      from++;
    }
    int to = count;
    while (to > from && forth[to - 1] == to - 1) {
      to--;
    }
    // The first text has X M Y here, the second Y M X.
    if (to - from < 3 || forth[from] < 0 || forth[to - 1] < 0) {
      return Optional.empty();
    }
    int x = to - forth[from];
    int y = forth[to - 1] + 1 - from;
    int middle = to - from - x - y;
    if (x < 1 || y < 1 || middle < 1) {
      return Optional.empty();
    }
    for (int i = from; i < to; i++) {
      int place =
          i < from + x ? i + y + middle : i < from + x + middle ? i + y - x : i - x - middle;
      if (forth[i] != place) {
        return Optional.empty();
      }
    }
    List<String> left = here.subList(from, from + x).stream().map(Word::stem).toList();
    boolean same = here.subList(to - y, to).stream().map(Word::stem).anyMatch(left::contains);
    boolean moved =
        same
            || isMoved(here, there, forth, from, from + x)
            || isMoved(here, there, forth, to - y, to);
    return moved
        ? Optional.empty()
        : Optional.of(
            new Finding(
                Kind.ROLES_EXCHANGED,
                WordingComparer.texts(here.subList(from, from + x))
                    + ", "
                    + WordingComparer.texts(here.subList(to - y, to)),
                WordingComparer.texts(here.subList(to - y, to))
                    + ", "
                    + WordingComparer.texts(here.subList(from, from + x))));
  }

  /** True of an adjunct that has its preposition in both, and of what has a verb of its own. */
  private static boolean isMoved(List<Word> here, List<Word> there, int[] forth, int from, int to) {
    for (int i = from; i < to; i++) {
      Word a = here.get(i);
      Word b = there.get(forth[i]);
      boolean adjunct = a.preposition() != Sign.WORD && a.preposition() == b.preposition();
      boolean verb = a.side() == Side.VERB || b.side() == Side.VERB;
      boolean passive =
          (a.side() == Side.DOER && b.side() == Side.DOER)
              || (a.side() == Side.OBJECT && b.side() == Side.OBJECT);
      if (adjunct || verb || passive) {
        return true;
      }
    }
    return false;
  }

  /**
   * Two words that have changed their clauses, where another word of each clause has stayed:
   * "wolves kill sheep where dogs guard them".
   */
  private static Optional<Finding> clauses(List<Word> here, List<Word> there, Matched matched) {
    int[] forth = matched.forth();
    for (int x = 0; x < forth.length; x++) {
      for (int y = x + 1; y < forth.length; y++) {
        if (forth[x] >= 0
            && forth[y] >= 0
            && !here.get(x).stem().equals(here.get(y).stem())
            && here.get(x).clause() != here.get(y).clause()
            && hasLeft(x, y, here, there, forth)
            && hasLeft(y, x, here, there, forth)) {
          return Optional.of(
              new Finding(
                  Kind.ROLES_EXCHANGED,
                  here.get(x).text() + ", " + here.get(y).text(),
                  there.get(forth[y]).text() + ", " + there.get(forth[x]).text()));
        }
      }
    }
    return Optional.empty();
  }

  /** True if a word has left all that stood with it for what stood with another one. */
  private static boolean hasLeft(
      int word, int other, List<Word> here, List<Word> there, int[] forth) {
    int from = here.get(word).clause();
    int now = there.get(forth[word]).clause();
    boolean stayed = false;
    boolean joined = false;
    for (int i = 0; i < forth.length; i++) {
      if (forth[i] < 0 || i == word || i == other || WordMatcher.isRepeated(here.get(i), here)) {
        continue;
      }
      boolean with = there.get(forth[i]).clause() == now;
      if (here.get(i).clause() == from) {
        if (with) {
          return false;
        }
        stayed = true;
      }
      joined = joined || (with && here.get(i).clause() == here.get(other).clause());
    }
    return stayed && joined;
  }

  /** From somewhere in one text, to or for it in the other. */
  private static boolean isTurned(Word a, Word b) {
    return (a.preposition() == Sign.FROM && isThither(b.preposition()))
        || (b.preposition() == Sign.FROM && isThither(a.preposition()));
  }

  private static boolean isThither(Sign preposition) {
    return preposition == Sign.TO || preposition == Sign.FOR;
  }

  private static boolean isExchanged(Slot ax, Slot ay, Slot bx, Slot by) {
    boolean nouns =
        ax.side != Side.VERB
            && ay.side != Side.VERB
            && bx.side != Side.VERB
            && by.side != Side.VERB;
    boolean crossed = nouns && !ax.equals(ay) && ax.equals(by) && ay.equals(bx);
    boolean openers = ax.opener != ay.opener && ax.opener == by.opener && ay.opener == bx.opener;
    boolean doers =
        nouns
            && (isAnother(Side.DOER, ax, by, bx, ay)
                || isAnother(Side.DOER, ay, bx, by, ax)
                || isAnother(Side.OBJECT, ax, by, bx, ay)
                || isAnother(Side.OBJECT, ay, bx, by, ax));
    return crossed || openers || doers;
  }

  /**
   * True if one word stands on a side of a verb, another in the other text, and neither in both.
   */
  private static boolean isAnother(Side side, Slot one, Slot other, Slot later, Slot before) {
    return one.side == side
        && other.side == side
        && one.verb >= 0
        && one.verb == other.verb
        && (side == Side.DOER || one.isSameVerb)
        && !(later.side == side && later.verb == one.verb)
        && !(before.side == side && before.verb == one.verb);
  }

  /**
   * Where each word stands. A verb has the number of its place in the first text, so that both mean
   * the same one. In a clause in which no verb was found the one that is a verb in the other text
   * is.
   */
  private static List<Slot> slots(
      List<Word> words, int[] matched, List<Word> others, boolean first) {
    Map<Integer, Integer> verbAt = new HashMap<>();
    Map<Integer, Integer> found = new HashMap<>();
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).side() == Side.VERB) {
        verbAt.putIfAbsent(words.get(i).clause(), i);
      }
    }
    for (int i = 0; i < words.size(); i++) {
      if (matched[i] >= 0
          && others.get(matched[i]).side() == Side.VERB
          && !isVerbOfBoth(verbAt, words.get(i).clause(), matched, others)) {
        found.putIfAbsent(words.get(i).clause(), i);
      }
    }
    List<Slot> slots = new ArrayList<>(words.size());
    for (int i = 0; i < words.size(); i++) {
      Word word = words.get(i);
      int late = found.getOrDefault(word.clause(), -1);
      int at = late >= 0 ? late : verbAt.getOrDefault(word.clause(), -1);
      int verb = at < 0 || matched[at] < 0 ? -1 : first ? at : matched[at];
      Side side =
          late < 0 || word.side() == Side.ADJUNCT
              ? word.side()
              : i == late ? Side.VERB : i < late ? Side.DOER : Side.OBJECT;
      boolean same = verb >= 0 && words.get(at).stem().equals(others.get(matched[at]).stem());
      slots.add(new Slot(side, verb, same, word.preposition(), word.opener()));
    }
    return slots;
  }

  private static boolean isVerbOfBoth(
      Map<Integer, Integer> verbAt, int clause, int[] matched, List<Word> others) {
    int at = verbAt.getOrDefault(clause, -1);
    return at >= 0 && matched[at] >= 0 && others.get(matched[at]).side() == Side.VERB;
  }
}
