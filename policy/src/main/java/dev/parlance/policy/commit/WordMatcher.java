package dev.parlance.policy.commit;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.commit.Wording.Word;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds which words of one text another one has too: as they are, in another form, or as a synonym
 * ({@link EverydayWords}, {@link Thesaurus}). A word that has several likes gets the one in the
 * clause that has most in common with its own. For one thread at a time.
 */
final class WordMatcher {
  /** Words of who says so and whether it holds, which stand beside what is said. */
  private static final Set<String> FRAMING =
      Set.of(
          ("claim claims supported refuted support supports verdict report reports says say said"
               + " states state stated according document text source sources evidence means mean"
               + " checked conclude conclusion answer therefore explains explain notes note noted"
               + " mentions mention statement true")
              .split(" ", -1));

  private static final int MAX_KEYS = 20_000;

  /** With more words left over on both sides no synonyms are looked for. */
  private static final int MAX_LEFT = 64;

  private static final Pattern LETTERS = Pattern.compile("[a-z]+");

  private static final Set<String> LIGHT_WORDS =
      Set.of(
          ("take takes took taken taking make makes made making give gives gave given giving get"
               + " gets got getting put puts keep keeps kept keeping hold holds held holding come"
               + " comes came coming go goes went gone going own use uses used using stay stays"
               + " stayed remain remains remained find found way fact case time well full long able"
               + " rate approximately roughly nearly almost currently now today total overall"
               + " particular specific respective same different new main certainly clearly"
               + " actually simply therefore thus moreover additionally according show shows showed"
               + " showing shown say says said state states stated provide provides provided carry"
               + " carried carries do doing done reach reaches reached happen happens happened"
               + " occur occurs occurred set lie lies become becomes became")
              .split(" ", -1));

  private final Thesaurus thesaurus;
  private final Units units;
  private final Map<String, Long> keys = new HashMap<>();

  WordMatcher(Vocabulary vocabulary) {
    thesaurus = vocabulary.thesaurus();
    units = new Units(vocabulary.seed());
  }

  /** For each word of one text the place of its like in the other, -1 for none. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Matched(int[] forth, int[] back) {}

  private interface Likeness {
    boolean holds(Word a, Word b);
  }

  Matched match(List<Word> here, List<Word> there) {
    int[] forth = new int[here.size()];
    int[] back = new int[there.size()];
    Arrays.fill(forth, -1);
    Arrays.fill(back, -1);
    Matched matched = new Matched(forth, back);
    List<Likeness> likenesses =
        List.of(
            (a, b) -> a.text().equals(b.text()),
            (a, b) -> a.stem().equals(b.stem()),
            (a, b) -> thesaurus.isSameWord(key(a), key(b)) && !thesaurus.isAntonym(key(a), key(b)),
            (a, b) -> EverydayWords.areAlike(a.text(), b.text()),
            (a, b) -> isKnownAlike(a, b));
    int clauses = 1 + Math.max(clauses(here), clauses(there));
    int[][] votes = new int[clauses][clauses];
    for (boolean single : new boolean[] {true, false}) {
      for (int rank = 0; rank < likenesses.size(); rank++) {
        Likeness likeness = likenesses.get(rank);
        if (rank > 1 && Math.min(unmatched(forth), unmatched(back)) > MAX_LEFT) {
          break;
        }
        for (int i = 0; i < forth.length; i++) {
          if (forth[i] < 0) {
            pair(i, here, there, matched, likeness, votes, single);
          }
        }
      }
    }
    // A word that is said twice on one side only is no other word.
    for (int i = 0; i < forth.length; i++) {
      for (int j = 0; forth[i] < 0 && j < back.length; j++) {
        if (here.get(i).stem().equals(there.get(j).stem())) {
          forth[i] = j;
        }
      }
    }
    for (int j = 0; j < back.length; j++) {
      for (int i = 0; back[j] < 0 && i < forth.length; i++) {
        if (here.get(i).stem().equals(there.get(j).stem())) {
          back[j] = i;
        }
      }
    }
    return matched;
  }

  private static long unmatched(int[] matched) {
    return Arrays.stream(matched).filter(place -> place < 0).count();
  }

  private static int clauses(List<Word> words) {
    return words.isEmpty() ? 0 : words.getLast().clause();
  }

  /**
   * Gives a word its like.
   *
   * @param votes for each clause of one text and of the other how many words they have in common
   * @param single whether only a word that has one like is given it; else the like in the clause
   *     that has most in common
   */
  private static void pair(
      int i,
      List<Word> here,
      List<Word> there,
      Matched matched,
      Likeness likeness,
      int[][] votes,
      boolean single) {
    Word word = here.get(i);
    int best = -1;
    int likes = 0;
    for (int j = 0; j < there.size(); j++) {
      if (matched.back[j] < 0 && likeness.holds(word, there.get(j))) {
        likes++;
        int[] common = votes[word.clause()];
        if (best < 0 || common[there.get(j).clause()] > common[there.get(best).clause()]) {
          best = j;
        }
      }
    }
    if (best < 0 || (single && (likes > 1 || isRepeated(word, here)))) {
      return;
    }
    matched.forth[i] = best;
    matched.back[best] = i;
    votes[word.clause()][there.get(best).clause()]++;
  }

  static boolean isRepeated(Word word, List<Word> words) {
    return words.stream().filter(other -> other.text().equals(word.text())).count() > 1;
  }

  private long key(Word word) {
    if (keys.size() > MAX_KEYS) {
      keys.clear();
    }
    return keys.computeIfAbsent(
        word.text(), text -> LETTERS.matcher(text).matches() ? units.keyOf(text) : 0L);
  }

  boolean areAlike(Word a, Word b) {
    return a.stem().equals(b.stem())
        || EverydayWords.areAlike(a.text(), b.text())
        || isKnownAlike(a, b);
  }

  /**
   * What the thesaurus holds to be alike; words of all work, as "get", are like nearly anything.
   */
  private boolean isKnownAlike(Word a, Word b) {
    return !LIGHT_WORDS.contains(a.text())
        && !LIGHT_WORDS.contains(b.text())
        && !areOpposite(a, b)
        && (thesaurus.isSynonym(key(a), key(b)) || thesaurus.isDerived(key(a), key(b)));
  }

  /** True if the thesaurus holds the two to be opposites. */
  boolean areOpposite(Word a, Word b) {
    return thesaurus.isAntonym(key(a), key(b));
  }

  /** True of a word that says little by itself: "take", "way"; "the report states". */
  static boolean isLight(Word word) {
    return LIGHT_WORDS.contains(word.text()) || FRAMING.contains(word.text());
  }
}
