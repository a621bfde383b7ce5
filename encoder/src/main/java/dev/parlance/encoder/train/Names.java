package dev.parlance.encoder.train;

import java.util.List;
import java.util.random.RandomGenerator;

/** Made-up names, of other syllables in each part. */
final class Names {
  private static final List<String> FIRST =
      List.of("Ve Bri Ta Mo Ka Lu Sar Fen Do Pel", "Gu Ri Osk Ny", "Zy Hal Wex Im Qua Jor");
  private static final List<String> MIDDLE =
      List.of("lo ni ra ve da mi so ke", "bu ta fo gi", "lu pha ro be xi ne");
  private static final List<String> LAST =
      List.of("ra na s k lin dor va mas", "ff gen tia ron", "nix th ver by lond qo");

  private Names() {}

  /** A name of that part. */
  static Noun draw(Split split, RandomGenerator random) {
    String name =
        one(FIRST.get(split.ordinal()), random)
            + one(MIDDLE.get(split.ordinal()), random)
            + one(LAST.get(split.ordinal()), random);
    return new Noun(List.of(name), "");
  }

  private static String one(String syllables, RandomGenerator random) {
    String[] choices = syllables.split(" ", -1);
    return choices[random.nextInt(choices.length)];
  }
}
