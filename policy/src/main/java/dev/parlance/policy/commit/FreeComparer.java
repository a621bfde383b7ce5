package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Wording.Sign;
import dev.parlance.policy.commit.Wording.Word;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether two texts in free words, which have words in common and too many of their own to be laid
 * beside one another, agree in all that is critical: each value and each name of one is in the
 * other, they deny as often, oblige and permit alike, their bounds lie on one side, and no word of
 * one is the opposite of a word of the other. What one has and the other has not is held to be
 * another thing. It knows nothing of roles. For one thread at a time.
 */
record FreeComparer(WordMatcher matcher) {
  /** With less of the words of either text in the other they may speak of anything. */
  private static final double SHARE = 0.35;

  /** With more of them two texts are laid beside one another, and each word counts. */
  private static final double ALIGNED = 0.62;

  /** A word with a capital that does not begin a sentence. */
  private static final Pattern NAME = Pattern.compile("(?<=[\\p{L}\\d,;)%]\\s)\\p{Lu}\\p{L}+");

  private static final Set<Sign> UPPER =
      EnumSet.of(Sign.ATMOST, Sign.LESS, Sign.WITHIN, Sign.UNTIL, Sign.BEFORE);
  private static final Set<Sign> LOWER =
      EnumSet.of(Sign.ATLEAST, Sign.MORE, Sign.AFTER, Sign.SINCE, Sign.OUTSIDE);
  private static final Set<Sign> PARTS = EnumSet.of(Sign.SOME, Sign.MOST, Sign.FEW);

  private static final Set<String> OBLIGING =
      stems(
          "oblige owe due require need demand necessary duty obligation prescribe compulsory"
              + " mandatory obligatory order want belong");
  private static final Set<String> PERMITTING =
      stems("permit permission allow right free open licensed optional voluntary");

  private static Set<String> stems(String words) {
    Set<String> stems = new HashSet<>();
    Arrays.stream(words.split(" ", -1)).map(EverydayWords::stem).forEach(stems::add);
    return Set.copyOf(stems);
  }

  /**
   * True of texts that are near enough in their words to speak of one thing, and say it in others.
   *
   * @param share of the words of a text in the other, of the text that has less
   */
  static boolean isFree(double share) {
    return share >= SHARE && share < ALIGNED;
  }

  /** True if nothing critical is in one text that the other has not. */
  boolean agree(String one, Wording here, String other, Wording there) {
    return here.isEnglish()
        && there.isEnglish()
        && here.denials().size() == there.denials().size()
        && FreeValues.of(here).isAccountedFor(FreeValues.of(there))
        && areNamed(one, there)
        && areNamed(other, here)
        && !areApart(here, there, UPPER, LOWER)
        && !areApart(here, there, LOWER, UPPER)
        && !permitsWhatIsObliged(here, there)
        && !permitsWhatIsObliged(there, here)
        && PARTS.stream().allMatch(sign -> (here.count(sign) > 0) == (there.count(sign) > 0))
        && here.words().stream()
            .noneMatch(a -> there.words().stream().anyMatch(b -> matcher.areOpposite(a, b)));
  }

  /** True if each name of a text is in the other one, be it in another form: "Norwegians". */
  private boolean areNamed(String text, Wording other) {
    Matcher names = NAME.matcher(text);
    while (names.find()) {
      for (Word name : Wording.of(names.group()).words()) {
        if (other.words().stream().noneMatch(word -> isOneName(name, word))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isOneName(Word a, Word b) {
    return matcher.areAlike(a, b) || a.stem().startsWith(b.stem()) || b.stem().startsWith(a.stem());
  }

  /** True if one text has only bounds of one side, and the other only of the other. */
  private static boolean areApart(Wording here, Wording there, Set<Sign> mine, Set<Sign> theirs) {
    return has(here, mine) && !has(there, mine) && has(there, theirs) && !has(here, theirs);
  }

  private static boolean has(Wording wording, Set<Sign> signs) {
    return signs.stream().anyMatch(sign -> wording.count(sign) > 0);
  }

  private static boolean permitsWhatIsObliged(Wording here, Wording there) {
    return permits(here) && !obliges(here) && obliges(there) && !permits(there);
  }

  private static boolean permits(Wording wording) {
    return wording.count(Sign.MAY) + wording.count(Sign.MIGHT) > 0
        || isSaid(wording.words(), PERMITTING);
  }

  private static boolean obliges(Wording wording) {
    return wording.count(Sign.MUST) > 0 || isSaid(wording.words(), OBLIGING);
  }

  private static boolean isSaid(List<Word> words, Set<String> stems) {
    return words.stream().anyMatch(word -> stems.contains(word.stem()));
  }
}
