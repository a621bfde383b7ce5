package dev.parlance.encoder.train;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Made-up names and nouns, of other syllables in each part. There are so many of them that, by
 * their hashes, nearly every row of the table is trained as that of a word whose meaning nobody
 * knows.
 */
final class ClaimNames {
  private static final List<String> FIRST =
      List.of(
          "Ve Bri Ta Mo Ka Lu Sar Fen Do Pel Cra Nor Ash Tri Vol Min Bel Hor Sti Gre Pa Ul Ed Fro",
          "Gu Ri Osk Ny",
          "Zy Hal Wex Im Qua Jor");
  private static final List<String> MIDDLE =
      List.of(
          "lo ni ra ve da mi so ke ri mu pe no ca ti le ga du sa ",
          "bu ta fo gi",
          "lu pha ro be xi ne");
  private static final List<String> LAST =
      List.of(
          "ra na s k lin dor va mas tel bin ster p rick mund wen ga ley cott d tta",
          "ff gen tia ron",
          "nix th ver by lond qo");

  private ClaimNames() {}

  /** A name of that part. */
  static Noun draw(Split split, RandomGenerator random) {
    String name =
        one(FIRST.get(split.number()), random)
            + one(MIDDLE.get(split.number()), random)
            + one(LAST.get(split.number()), random);
    return new Noun(List.of(name), "");
  }

  /** A made-up thing of that part. */
  static Noun drawThing(Split split, RandomGenerator random) {
    String word = draw(split, random).words().getFirst().toLowerCase(Locale.ROOT);
    return new Noun(List.of("the " + word), word + "s");
  }

  private static String one(String syllables, RandomGenerator random) {
    String[] choices = syllables.split(" ", -1);
    return choices[random.nextInt(choices.length)];
  }
}
