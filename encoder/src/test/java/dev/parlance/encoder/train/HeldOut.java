package dev.parlance.encoder.train;

import dev.parlance.encoder.train.Item.Likeness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Texts of a part that is not trained on, two by two, with what the encoder should say of them.
 *
 * @param pairs by the name of their kind: "same, ..." or "other, ...", with the number of sentences
 *     or the licence in front
 */
record HeldOut(Map<String, List<Pair>> pairs) {
  private static final int SHORT = 400;
  private static final int LONG = 150;
  private static final int MOST_SENTENCES = 3;
  private static final int TIMES = 4;

  /** Two texts. */
  record Pair(String first, String second) {}

  /** Gives texts their vectors of length one. */
  @FunctionalInterface
  interface Encoder {
    /** The vector of a text. */
    float[] encode(String text);
  }

  /** Draws the pairs of a part; always the same. */
  static HeldOut of(TrainingCorpus corpus, Split split) {
    Map<String, List<Pair>> pairs = new TreeMap<>();
    SplittableRandom random = new SplittableRandom(split.number() + 100);
    ClaimSource source = new ClaimSource(split, corpus.vocabulary(), random);
    for (int sentences = 1; sentences <= MOST_SENTENCES; sentences++) {
      for (Likeness likeness : Likeness.values()) {
        for (int i = 0; i < (sentences == 1 ? SHORT : LONG); i++) {
          add(pairs, sentences + " ", source.draw(likeness, sentences));
        }
      }
    }
    for (Item item : corpus.claims().of(split)) {
      add(pairs, "licence ", item);
    }
    for (String sentence : corpus.sentences().of(split)) {
      for (int i = 0; i < TIMES; i++) {
        add(pairs, "own text ", LicenceSentences.item(sentence, source.wording(), random));
      }
    }
    return new HeldOut(pairs);
  }

  private static void add(Map<String, List<Pair>> pairs, String where, Item item) {
    String first = item.same().getFirst();
    for (String second : item.same().subList(1, item.same().size())) {
      put(pairs, where + "same, " + item.likeness(), new Pair(first, second));
    }
    for (Item.Other other : item.others()) {
      put(pairs, where + "other, " + other.difference(), new Pair(first, other.text()));
    }
  }

  private static void put(Map<String, List<Pair>> pairs, String kind, Pair pair) {
    if (!pair.first().equals(pair.second())) {
      pairs.computeIfAbsent(kind, ignored -> new ArrayList<>()).add(pair);
    }
  }

  /** Cosines of the pairs whose kind begins like that, in ascending order. */
  List<Double> cosines(String kind, Encoder encoder) {
    List<Double> cosines = new ArrayList<>();
    pairs.forEach((name, list) -> {
      if (name.startsWith(kind)) {
        for (Pair pair : list) {
          cosines.add(cosine(encoder.encode(pair.first()), encoder.encode(pair.second())));
        }
      }
    });
    Collections.sort(cosines);
    return cosines;
  }

  /** Share of the pairs whose kind begins like that, with at least that cosine. */
  double rate(String kind, double cosMin, Encoder encoder) {
    List<Double> cosines = cosines(kind, encoder);
    return (double) cosines.stream().filter(cosine -> cosine >= cosMin).count() / cosines.size();
  }

  private static double cosine(float[] a, float[] b) {
    double dot = 0.0;
    double left = 0.0;
    double right = 0.0;
    for (int k = 0; k < a.length; k++) {
      dot += (double) a[k] * b[k];
      left += (double) a[k] * a[k];
      right += (double) b[k] * b[k];
    }
    return dot / Math.max(Math.sqrt(left * right), 1e-12);
  }
}
