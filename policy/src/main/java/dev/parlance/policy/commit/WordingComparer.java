package dev.parlance.policy.commit;

import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.commit.WordMatcher.Matched;
import dev.parlance.policy.commit.Wording.Numeral;
import dev.parlance.policy.commit.Wording.Sign;
import dev.parlance.policy.commit.Wording.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares two texts without regard to the order of their clauses: which words of one the other has
 * too, as they are or as a synonym, and whether what denies, obliges, counts, bounds and joins them
 * is the same. Strict on purpose: a word on each side that the other has not is a change, unless
 * the thesaurus knows the two for one, or both texts are in words of their own ({@link
 * FreeComparer}). Deterministic, symmetric; for one thread at a time.
 */
final class WordingComparer {
  /**
   * What one comparison found.
   *
   * @param here words of the first text; empty if it has none there
   * @param there those of the second
   */
  record Finding(Kind kind, String here, String there) {}

  /** What parts two wordings. */
  enum Kind {
    NUMBER_CHANGED,
    NEGATION_CHANGED,
    QUANTIFIER_CHANGED,
    MODALITY_CHANGED,
    /** Another bound, order in time or relation: "before" and "after", "because" and "although". */
    BOUND_CHANGED,
    WORD_REVERSED,
    /** A word on each side that the other has not, not even as a synonym. */
    WORD_CHANGED,
    ROLES_EXCHANGED,
    /** Too few words in common to tell whether they say the same. */
    OTHER_WORDING
  }

  /** Less of the words of either text in the other: nothing can be said of them. */
  private static final double COMPARABLE = 0.5;

  private static final double LIGHT = 0.4;

  /** So many words behind a number are looked at as its own. */
  private static final int NEAR = 3;

  private static final Sign[][] OPPOSED = {
    {Sign.ATLEAST, Sign.ATMOST},
    {Sign.ATLEAST, Sign.LESS},
    {Sign.ATMOST, Sign.MORE},
    {Sign.ATLEAST, Sign.WITHIN},
    {Sign.MORE, Sign.LESS},
    {Sign.WITHIN, Sign.OUTSIDE},
    {Sign.WITHIN, Sign.AFTER},
    {Sign.BEFORE, Sign.AFTER},
    {Sign.UNTIL, Sign.AFTER},
    {Sign.UNTIL, Sign.SINCE},
    {Sign.UNTIL, Sign.FROM},
    {Sign.BECAUSE, Sign.THOUGH},
    {Sign.IF, Sign.THOUGH},
    {Sign.TO, Sign.FROM},
    {Sign.FOR, Sign.AGAINST},
    {Sign.ON, Sign.OFF},
    {Sign.UP, Sign.DOWN},
  };

  private final WordMatcher matcher;
  private final FreeComparer free;

  WordingComparer(Vocabulary vocabulary) {
    matcher = new WordMatcher(vocabulary);
    free = new FreeComparer(matcher);
  }

  /**
   * The outcome of a comparison.
   *
   * @param finding what parts the two, the gravest of several; empty if they say the same in nearly
   *     the same words
   * @param isEnglish false if either is in another language, whose closed words are not known here
   */
  record Compared(Optional<Finding> finding, boolean isEnglish) {}

  Compared compare(String one, String other) {
    boolean inOrder = one.compareTo(other) <= 0;
    Wording here = Wording.of(inOrder ? one : other);
    Wording there = Wording.of(inOrder ? other : one);
    Optional<Finding> finding = between(inOrder ? one : other, here, inOrder ? other : one, there);
    return new Compared(
        inOrder ? finding : finding.map(found -> new Finding(found.kind, found.there, found.here)),
        here.isEnglish() && there.isEnglish());
  }

  private Optional<Finding> between(String one, Wording here, String other, Wording there) {
    if (here.words().isEmpty() || there.words().isEmpty()) {
      return Optional.of(new Finding(Kind.OTHER_WORDING, "", ""));
    }
    Matched matched = matcher.match(here.words(), there.words());
    double share =
        Math.min(share(here.words(), matched.forth()), share(there.words(), matched.back()));
    Optional<Finding> finding =
        share < COMPARABLE
            ? Optional.of(new Finding(Kind.OTHER_WORDING, "", ""))
            : laidOut(here, there, matched);
    return finding.filter(found ->
        !isOfWording(found.kind)
            || !FreeComparer.isFree(share)
            || !free.agree(one, here, other, there));
  }

  /** True of what two wordings of one thing may differ in. */
  private static boolean isOfWording(Kind kind) {
    return switch (kind) {
      // a number may be in another unit
      case OTHER_WORDING, WORD_CHANGED, NUMBER_CHANGED -> true;
      case NEGATION_CHANGED,
          QUANTIFIER_CHANGED,
          MODALITY_CHANGED,
          BOUND_CHANGED,
          WORD_REVERSED,
          ROLES_EXCHANGED ->
          false;
    };
  }

  /** What parts two texts that have most words in common. */
  private Optional<Finding> laidOut(Wording here, Wording there, Matched matched) {
    return numbers(here, there)
        .or(() -> exchangedNumbers(here, there, matched))
        .or(() -> denials(here, there, matched))
        .or(() -> quantifiers(here, there))
        .or(() -> modality(here, there))
        .or(() -> bounds(here, there))
        .or(() -> words(here.words(), there.words(), matched))
        .or(() -> RoleExchange.between(here.words(), there.words(), matched));
  }

  /** True if not only words of all work are left over. */
  private static boolean says(List<Word> words) {
    return words.stream().anyMatch(word -> !WordMatcher.isLight(word));
  }

  private static double weight(Word word) {
    return WordMatcher.isLight(word) ? LIGHT : 1;
  }

  private static double share(List<Word> words, int[] matched) {
    double all = 0;
    double found = 0;
    for (int i = 0; i < matched.length; i++) {
      all += weight(words.get(i));
      found += matched[i] >= 0 ? weight(words.get(i)) : 0;
    }
    return all == 0 ? 0 : found / all;
  }

  // ---- what differs ----

  private static Optional<Finding> numbers(Wording here, Wording there) {
    List<Numeral> mine = left(here.numbers(), there.numbers());
    List<Numeral> theirs = left(there.numbers(), here.numbers());
    return mine.isEmpty() || theirs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(Kind.NUMBER_CHANGED, mine.getFirst().shown(), theirs.getFirst().shown()));
  }

  /** Two numbers of which each has the words in the other text that the other one has in this. */
  private static Optional<Finding> exchangedNumbers(Wording here, Wording there, Matched matched) {
    for (Numeral a : here.numbers()) {
      for (Numeral b : here.numbers()) {
        Optional<Numeral> sameA = only(a, there);
        Optional<Numeral> sameB = only(b, there);
        if (a.at() < b.at()
            && !a.digits().equals(b.digits())
            && sameA.isPresent()
            && sameB.isPresent()
            && !share(a, sameA.get(), here, matched)
            && share(a, sameB.get(), here, matched)
            && share(b, sameA.get(), here, matched)) {
          return Optional.of(
              new Finding(
                  Kind.ROLES_EXCHANGED,
                  a.shown() + ", " + b.shown(),
                  sameB.get().shown() + ", " + sameA.get().shown()));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Numeral> only(Numeral number, Wording other) {
    List<Numeral> same =
        other.numbers().stream().filter(one -> one.digits().equals(number.digits())).toList();
    return same.size() == 1 ? Optional.of(same.getFirst()) : Optional.empty();
  }

  /** True if a word behind one number stands behind another one in the other text. */
  private static boolean share(Numeral a, Numeral b, Wording here, Matched matched) {
    for (int i = a.at(); i < Math.min(here.words().size(), a.at() + NEAR); i++) {
      Word word = here.words().get(i);
      int place = matched.forth()[i];
      if (place >= b.at()
          && place < b.at() + NEAR
          && !word.stem().equals(a.unit())
          && !WordMatcher.isRepeated(word, here.words())) {
        return true;
      }
    }
    return false;
  }

  /** The numbers that the other text has not; one without unit there may have any. */
  private static List<Numeral> left(List<Numeral> numbers, List<Numeral> others) {
    List<Numeral> open = new ArrayList<>(others);
    List<Numeral> left = new ArrayList<>();
    for (Numeral number : numbers) {
      Optional<Numeral> same = open.stream().filter(other -> isSame(number, other)).findFirst();
      same.ifPresentOrElse(open::remove, () -> left.add(number));
    }
    return left;
  }

  private static boolean isSame(Numeral a, Numeral b) {
    return a.digits().equals(b.digits())
        && (a.unit().isEmpty()
            || b.unit().isEmpty()
            || a.unit().equals(b.unit())
            || EverydayWords.areAlike(a.unit(), b.unit()));
  }

  private Optional<Finding> denials(Wording here, Wording there, Matched matched) {
    boolean same =
        here.denials().size() == there.denials().size()
            && ((isOneDenied(here) && isOneDenied(there))
                || (allTouched(here, there, matched.forth())
                    && allTouched(there, here, matched.back())));
    return same
        ? Optional.empty()
        : Optional.of(new Finding(Kind.NEGATION_CHANGED, denied(here), denied(there)));
  }

  /**
   * True of one denial in one clause, which it denies wherever it stands: "gives no", "not given".
   */
  private static boolean isOneDenied(Wording wording) {
    return wording.denials().size() == 1
        && wording.words().getFirst().clause() == wording.words().getLast().clause();
  }

  /** True if each denial of one denies a word that one of the other does, and of the same. */
  private boolean allTouched(Wording here, Wording there, int[] matched) {
    return here.denials().stream()
        .allMatch(scope ->
            there.denials().stream()
                .anyMatch(other ->
                    touch(here, scope, there, other)
                        && areOfOne(here, scope, there, other, matched)));
  }

  /** False if the clauses of two denials have words, each said once, and not one in common. */
  private static boolean areOfOne(
      Wording here, List<Integer> scope, Wording there, List<Integer> other, int[] matched) {
    if (scope.isEmpty() || other.isEmpty()) {
      return true;
    }
    int mine = here.words().get(scope.getFirst()).clause();
    int theirs = there.words().get(other.getFirst()).clause();
    boolean any = false;
    for (int i = 0; i < matched.length; i++) {
      Word word = here.words().get(i);
      if (word.clause() == mine && matched[i] >= 0 && !WordMatcher.isRepeated(word, here.words())) {
        any = true;
        if (there.words().get(matched[i]).clause() == theirs) {
          return true;
        }
      }
    }
    return !any;
  }

  private boolean touch(Wording here, List<Integer> scope, Wording there, List<Integer> other) {
    return scope.isEmpty()
        || other.isEmpty()
        || scope.stream()
            .anyMatch(a ->
                other.stream()
                    .anyMatch(b -> matcher.areAlike(here.words().get(a), there.words().get(b))));
  }

  private static String denied(Wording wording) {
    return wording.denials().stream()
        .filter(scope -> !scope.isEmpty())
        .map(scope -> "not " + wording.words().get(scope.getFirst()).text())
        .findFirst()
        .orElse("");
  }

  private static Optional<Finding> quantifiers(Wording here, Wording there) {
    return signs(
        Kind.QUANTIFIER_CHANGED,
        here,
        there,
        new Sign[] {Sign.ALL, Sign.SOME, Sign.MOST, Sign.FEW},
        new Sign[] {Sign.SOME, Sign.MOST, Sign.FEW, Sign.ONLY, Sign.EXCEPT});
  }

  private static Optional<Finding> modality(Wording here, Wording there) {
    boolean obliges = here.count(Sign.MUST) > 0;
    if (obliges != there.count(Sign.MUST) > 0
        && count(here, Sign.MAY) > 0
        && count(there, Sign.MAY) > 0) {
      String must = word(Sign.MUST);
      String may = word(Sign.MAY);
      return Optional.of(
          new Finding(Kind.MODALITY_CHANGED, obliges ? must : may, obliges ? may : must));
    }
    return signs(
        Kind.MODALITY_CHANGED,
        here,
        there,
        new Sign[] {Sign.MUST, Sign.SHOULD, Sign.MAY, Sign.MIGHT},
        new Sign[] {Sign.MAY, Sign.MIGHT});
  }

  /** Signs that stand for one another, and such as change a text by standing in it alone. */
  private static Optional<Finding> signs(
      Kind kind, Wording here, Wording there, Sign[] exclusive, Sign[] telling) {
    Optional<Sign> mine = Optional.empty();
    Optional<Sign> theirs = Optional.empty();
    for (Sign sign : exclusive) {
      int more = count(here, sign) - count(there, sign);
      mine = more > 0 ? Optional.of(sign) : mine;
      theirs = more < 0 ? Optional.of(sign) : theirs;
    }
    if (mine.isPresent() && theirs.isPresent()) {
      return Optional.of(new Finding(kind, word(mine.get()), word(theirs.get())));
    }
    for (Sign sign : telling) {
      if ((count(here, sign) > 0) != (count(there, sign) > 0)
          && !(sign == Sign.MAY && here.count(Sign.CAN) + there.count(Sign.CAN) > 0)) {
        return Optional.of(
            new Finding(
                kind,
                count(here, sign) > 0 ? word(sign) : "",
                count(there, sign) > 0 ? word(sign) : ""));
      }
    }
    return Optional.empty();
  }

  private static int count(Wording wording, Sign sign) {
    return sign == Sign.MAY && wording.count(Sign.MAY) + wording.count(Sign.CAN) > 0
        ? wording.count(Sign.MAY) + wording.count(Sign.CAN)
        : wording.count(sign);
  }

  private static Optional<Finding> bounds(Wording here, Wording there) {
    for (Sign[] pair : OPPOSED) {
      int first = here.count(pair[0]) - there.count(pair[0]);
      int second = here.count(pair[1]) - there.count(pair[1]);
      if (first * second < 0) {
        return Optional.of(
            new Finding(
                Kind.BOUND_CHANGED,
                word(first > 0 ? pair[0] : pair[1]),
                word(first > 0 ? pair[1] : pair[0])));
      }
    }
    return Optional.empty();
  }

  static String word(Sign sign) {
    return sign.name().toLowerCase(java.util.Locale.ROOT);
  }

  private Optional<Finding> words(List<Word> here, List<Word> there, Matched matched) {
    List<Word> mine = left(here, matched.forth());
    List<Word> theirs = left(there, matched.back());
    for (Word a : mine) {
      for (Word b : there) {
        if (matcher.areOpposite(a, b)) {
          return Optional.of(new Finding(Kind.WORD_REVERSED, a.text(), b.text()));
        }
      }
    }
    for (Word b : theirs) {
      for (Word a : here) {
        if (matcher.areOpposite(a, b)) {
          return Optional.of(new Finding(Kind.WORD_REVERSED, a.text(), b.text()));
        }
      }
    }
    boolean changed = (says(mine) && !theirs.isEmpty()) || (says(theirs) && !mine.isEmpty());
    return !changed
        ? Optional.empty()
        : Optional.of(new Finding(Kind.WORD_CHANGED, texts(mine), texts(theirs)));
  }

  static String texts(List<Word> words) {
    return String.join(" ", words.stream().map(Word::text).limit(6).toList());
  }

  private static List<Word> left(List<Word> words, int[] matched) {
    List<Word> left = new ArrayList<>();
    for (int i = 0; i < matched.length; i++) {
      if (matched[i] < 0) {
        left.add(words.get(i));
      }
    }
    return left;
  }
}
