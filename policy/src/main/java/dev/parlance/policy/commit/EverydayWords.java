package dev.parlance.policy.commit;

import dev.parlance.policy.claim.TableFile;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Groups of words that stand for one another in plain prose and that the thesaurus does not hold to
 * be synonyms: {@code everyday-words.txt}.
 */
final class EverydayWords {
  private static final BitSet NONE = new BitSet();
  private static final Map<String, BitSet> GROUPS = new HashMap<>();

  static {
    int group = 0;
    for (String line : text().split("\n", -1)) {
      if (!line.startsWith("#") && line.indexOf(' ') > 0) {
        for (String word : line.split(" ", -1)) {
          GROUPS.computeIfAbsent(word, _ -> new BitSet()).set(group);
          GROUPS.computeIfAbsent(stem(word), _ -> new BitSet()).set(group);
        }
        group++;
      }
    }
  }

  private EverydayWords() {}

  private static String text() {
    return new String(
        TableFile.bytes(EverydayWords.class, "everyday-words.txt"), StandardCharsets.UTF_8);
  }

  /** True if two words in small letters are in one group, in any of their regular forms. */
  static boolean areAlike(String one, String other) {
    return groups(one).intersects(groups(other));
  }

  private static BitSet groups(String word) {
    BitSet groups = GROUPS.get(word);
    return groups != null ? groups : GROUPS.getOrDefault(stem(word), NONE);
  }

  /** A word without its regular ending; no stem of any grammar, but the same for its forms. */
  static String stem(String word) {
    if (word.length() > 4 && (word.endsWith("ies") || word.endsWith("ied"))) {
      return word.substring(0, word.length() - 3) + "y";
    }
    for (String ending : new String[] {"ing", "ed", "es", "s", "ly", "e"}) {
      if (word.length() - ending.length() >= 3 && word.endsWith(ending) && !word.endsWith("ss")) {
        return word.substring(0, word.length() - ending.length());
      }
    }
    return word;
  }
}
