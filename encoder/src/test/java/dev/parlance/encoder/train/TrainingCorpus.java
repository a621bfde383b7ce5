package dev.parlance.encoder.train;

import dev.parlance.encoder.train.Item.Difference;
import dev.parlance.encoder.train.Item.Likeness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * All texts of the trainer: made-up claims, claims about the licence, and the licence itself.
 *
 * @param vocabulary of the made-up claims
 * @param claims about the licence
 * @param sentences of the licence
 */
record TrainingCorpus(ClaimWords vocabulary, LicenceClaims claims, LicenceSentences sentences) {
  /** Reads them. */
  static TrainingCorpus read(Path licence) throws IOException {
    return new TrainingCorpus(
        ClaimWords.read(), LicenceClaims.read(), LicenceSentences.of(Files.readString(licence)));
  }

  /** Items to train on, without end, always the same for the same seed. */
  Training training(long seed) {
    return new Training(this, new SplittableRandom(seed));
  }

  /** What the trainer draws from. */
  static final class Training {
    private final TrainingCorpus corpus;
    private final RandomGenerator random;
    private final ClaimSource source;

    private Training(TrainingCorpus corpus, RandomGenerator random) {
      this.corpus = corpus;
      this.random = random;
      this.source = new ClaimSource(Split.TRAIN, corpus.vocabulary, random);
    }

    /** The next one: of ten, eight made-up claims, one about the licence, one sentence of it. */
    Item next() {
      return switch (random.nextInt(10)) {
        case 0 -> one(corpus.claims.of(Split.TRAIN));
        case 1 ->
            LicenceSentences.item(one(corpus.sentences.of(Split.TRAIN)), source.wording(), random);
        case 2 -> source.draw(Likeness.LEARNED_WORDS, 2);
        case 3, 4, 5 -> source.draw(Likeness.REORDERED, 1);
        default -> source.draw(Likeness.LEARNED_WORDS, 1);
      };
    }

    private <T> T one(List<T> choices) {
      return choices.get(random.nextInt(choices.size()));
    }
  }

  /**
   * Claims about the licence in wordings of people.
   *
   * @param items by part
   */
  record LicenceClaims(Map<Split, List<Item>> items) {
    /** Reads the file beside this class. */
    static LicenceClaims read() throws IOException {
      Sections file = Sections.read("licence.txt");
      Map<Split, List<Item>> items = new EnumMap<>(Split.class);
      for (Split split : Split.values()) {
        items.put(split, items(file.under(split.label())));
      }
      return new LicenceClaims(items);
    }

    private static List<Item> items(List<String> lines) {
      List<Item> items = new ArrayList<>();
      List<String> same = List.of();
      List<Item.Other> others = new ArrayList<>();
      for (String line : lines) {
        if (line.startsWith("! ")) {
          int blank = line.indexOf(' ', 2);
          Difference kind = Difference.valueOf(line.substring(2, blank).toUpperCase(Locale.ROOT));
          for (String text : wordings(line.substring(blank))) {
            others.add(new Item.Other(kind, text));
          }
        } else {
          if (!same.isEmpty()) {
            items.add(new Item(Likeness.FREE, 1, same, others));
          }
          same = wordings(line);
          others.clear();
        }
      }
      items.add(new Item(Likeness.FREE, 1, same, others));
      return items;
    }

    private static List<String> wordings(String line) {
      return Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
    }

    /** The claims of a part. */
    List<Item> of(Split split) {
      return items.getOrDefault(split, List.of());
    }
  }
}
