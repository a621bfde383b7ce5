package dev.parlance.policy.commit;

import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.commit.Wording.Word;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Compares two rationales as wholes ({@link TextComparer}) and by what they list ({@link
 * RationaleItems}). Two texts differ only in what they list if some of their items say the same,
 * and whatever else either has is a matter of its own: nothing that the other text speaks of, and
 * nothing that turns, limits or points back to what is beside it. Where that is not certain the
 * comparison of the wholes stands. Deterministic, symmetric, for one thread at a time.
 */
public final class ListComparer {
  /** So much of an item's words in the other text, and it speaks of the same matter. */
  private static final double SAME_MATTER = 0.5;

  private static final Pattern POINTS =
      Pattern.compile(
          "(?iU)\\b(?:this|that|these|those|it|its|they|them|their|such|so|above|below|following"
              + "|foregoing|previous|preceding|former|latter|rest|others?|none|nothing|neither|nor"
              + "|everything|anything|opposite|contrary|reverse|claims?|statements?|reasons?|points?"
              + "|items?|list|true|false|untrue|incorrect|wrong|correct|lies?|if|unless|provided"
              + "|providing|assuming|except|until|only|but|however|although|though|despite|whereas"
              + "|instead|rather|otherwise|yet|while|whilst|ignore|disregard|pretend)\\b");

  private final TextComparer comparer;
  private final WordMatcher matcher;

  /**
   * What was found between two texts.
   *
   * @param kind what parts them, as a {@link CriticalDifference} names it; empty for nothing
   * @param first items of the first text
   * @param second items of the second
   * @param same which items say the same, each of them once; without, the texts have none in common
   *     or are no lists
   */
  public record Found(
      Optional<String> kind, List<String> first, List<String> second, List<Same> same) {
    /** Copies the lists. */
    public Found {
      first = List.copyOf(first);
      second = List.copyOf(second);
      same = List.copyOf(same);
    }

    /** The same between the second and the first. */
    public Found turned() {
      return new Found(
          kind, /* first= */ second, /* second= */ first, same.stream().map(Same::turned).toList());
    }
  }

  /** An item of the first text, and one of the second that says the same, each from 0. */
  public record Same(int first, int second) {
    private Same turned() {
      return new Same(/* first= */ second, /* second= */ first);
    }
  }

  /** A comparer; its seed decides nothing but how words are spread in its tables. */
  public ListComparer(long seed) {
    this(new Vocabulary(seed));
  }

  /** A comparer that knows these words, which it may share with others. */
  public ListComparer(Vocabulary vocabulary) {
    comparer = new TextComparer(vocabulary);
    matcher = new WordMatcher(vocabulary);
  }

  /** The items of a text, in order; none of one that is no list. */
  public static List<String> items(String text) {
    return RationaleItems.of(text);
  }

  /** Compares two texts. */
  public Found between(String one, String other) {
    Optional<String> whole = comparer.between(one, other).map(TextComparer.Found::kind);
    List<String> here = RationaleItems.of(one);
    List<String> there = RationaleItems.of(other);
    if (here.isEmpty() || there.isEmpty() || here.size() + there.size() == 2) {
      return new Found(whole, here, there, whole.isEmpty() ? pairwise(here, there) : List.of());
    }
    Items items = new Items(here, there);
    if (items.same.isEmpty()) {
      return new Found(whole, here, there, List.of());
    }
    List<String> own = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (String item : items.left(true)) {
      (isOwn(item, other, there) ? own : left).add(item);
    }
    for (String item : items.left(false)) {
      (isOwn(item, one, here) ? own : left).add(item);
    }
    boolean isFree = left.isEmpty() && own.stream().noneMatch(item -> POINTS.matcher(item).find());
    Optional<String> kind = whole;
    if (!own.isEmpty() && isFree) {
      kind = Optional.of(CriticalDifference.OTHER_ITEMS);
    } else if (!own.isEmpty() && whole.isEmpty()) {
      kind = items.turned().or(() -> Optional.of(CriticalDifference.OTHER_ITEMS));
    }
    boolean isCommon = kind.isEmpty() || kind.get().equals(CriticalDifference.OTHER_ITEMS);
    return new Found(kind, here, there, isCommon ? items.same : List.of());
  }

  /** The only items of two texts that say the same. */
  private static List<Same> pairwise(List<String> here, List<String> there) {
    return here.size() == 1 && there.size() == 1 ? List.of(new Same(0, 0)) : List.of();
  }

  /** Which items of two texts say the same. */
  private final class Items {
    private final List<String> here;
    private final List<String> there;
    private final List<Same> same = new ArrayList<>();
    private final BitSet saidHere = new BitSet();
    private final BitSet saidThere = new BitSet();

    Items(List<String> here, List<String> there) {
      this.here = here;
      this.there = there;
      for (int i = 0; i < here.size(); i++) {
        for (int j = 0; j < there.size(); j++) {
          if (comparer.between(here.get(i), there.get(j)).isEmpty()) {
            if (!saidHere.get(i) && !saidThere.get(j)) {
              same.add(new Same(i, j));
            }
            saidHere.set(i);
            saidThere.set(j);
          }
        }
      }
    }

    /** What turns an item of one that the other has not into one of the other, likewise. */
    Optional<String> turned() {
      for (String one : left(true)) {
        for (String other : left(false)) {
          Optional<String> kind =
              comparer
                  .between(one, other)
                  .map(TextComparer.Found::kind)
                  .filter(what -> !what.equals(TextComparer.OTHER_WORDING));
          if (kind.isPresent()) {
            return kind;
          }
        }
      }
      return Optional.empty();
    }

    /** Items of one of the texts that the other has not. */
    List<String> left(boolean isHere) {
      List<String> all = isHere ? here : there;
      BitSet said = isHere ? saidHere : saidThere;
      List<String> left = new ArrayList<>();
      for (int i = said.nextClearBit(0); i < all.size(); i = said.nextClearBit(i + 1)) {
        left.add(all.get(i));
      }
      return left;
    }
  }

  /** Whether an item is of a matter that the other text does not speak of. */
  private boolean isOwn(String item, String other, List<String> others) {
    List<Word> words = Wording.of(item).words();
    int[] found = matcher.match(words, Wording.of(other).words()).forth();
    double both = 0;
    double all = 0;
    for (int i = 0; i < found.length; i++) {
      double weight = WordMatcher.isLight(words.get(i)) ? 0.4 : 1;
      all += weight;
      both += found[i] >= 0 ? weight : 0;
    }
    return both < SAME_MATTER * all
        && others.stream()
            .allMatch(one ->
                comparer
                    .between(item, one)
                    .filter(what -> what.kind().equals(TextComparer.OTHER_WORDING))
                    .isPresent());
  }
}
