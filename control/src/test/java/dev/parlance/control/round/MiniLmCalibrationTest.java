package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.Embedders;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.control.testing.PublicMiniLm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the cosines of all-MiniLM-L6-v2 tell apart on the claims for calibration, and where its
 * manifest's {@code topicCosMin} comes from: {@code -Psoak} reads all of them and prints the table
 * of docs/encoder-card.md, else a tenth is read.
 */
final class MiniLmCalibrationTest {
  private static final boolean IS_WHOLE = Integer.getInteger("soak", 5) >= 100;

  /** What two texts are to each other. */
  private enum Pair {
    NEAR("a claim in near wordings"),
    FREE("a claim and a free wording of it"),
    FREE_FREE("two free wordings of a claim"),
    TURNED("a wording and one with its meaning turned"),
    SAME_FIELD("two claims of one field"),
    OTHER_FIELD("two claims of two fields");

    private final String words;

    Pair(String words) {
      this.words = words;
    }
  }

  /** Cosines of the pairs of one kind. */
  private record Cosines(double[] sorted) {
    double at(double share) {
      return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * sorted.length))];
    }

    double share(double least) {
      return (double) Arrays.stream(sorted).filter(cosine -> cosine >= least).count()
          / sorted.length;
    }

    String line(Pair pair, double least) {
      return String.format(
          Locale.ROOT,
          "| %s | %d | %.2f | %.2f | %.2f | %.1f %% |",
          pair.words,
          sorted.length,
          at(0.05),
          at(0.5),
          at(0.95),
          100 * share(least));
    }
  }

  @Test
  void topicCosMin_takesFreeWordingsAndPartsOtherFields(@TempDir Path dir) throws Exception {
    Map<Pair, Cosines> miniLm;
    double least;
    try (Embedder embedder = Embedders.open(PublicMiniLm.in(dir), 2, 4_096, EncoderListener.NONE)) {
      least = topicCosMin(embedder);
      miniLm = cosines(embedder);
    }
    Map<Pair, Cosines> builtIn;
    try (Embedder embedder =
        Embedders.open(new EncoderChoice.BuiltIn(), 1, 4_096, EncoderListener.NONE)) {
      builtIn = cosines(embedder);
    }
    System.out.println("all-MiniLM-L6-v2, at least " + least);
    miniLm.forEach((pair, cosines) -> System.out.println(cosines.line(pair, least)));
    System.out.println("built-in, at least " + OpeningRequest.TOPIC_COS_MIN);
    builtIn.forEach(
        (pair, cosines) -> System.out.println(cosines.line(pair, OpeningRequest.TOPIC_COS_MIN)));

    assertThat(share(miniLm, Pair.NEAR, least)).isEqualTo(1.0);
    assertThat(share(miniLm, Pair.FREE, least)).isGreaterThan(0.8);
    assertThat(share(miniLm, Pair.OTHER_FIELD, least)).isLessThan(0.08);
    // The weakness for which it recommends no cosMin: a turned meaning is as near as an honest one.
    assertThat(cosinesOf(miniLm, Pair.TURNED).at(0.5))
        .isGreaterThan(cosinesOf(miniLm, Pair.NEAR).at(0.1));
    assertThat(share(builtIn, Pair.FREE, OpeningRequest.TOPIC_COS_MIN))
        .isLessThan(share(miniLm, Pair.FREE, least));
  }

  private static double topicCosMin(Embedder embedder) {
    return switch (embedder.status()) {
      case EncoderStatus.Ready(EncoderInfo info) -> info.topicCosMin().orElseThrow();
      case EncoderStatus other -> throw new AssertionError(other.toString());
    };
  }

  private static Cosines cosinesOf(Map<Pair, Cosines> all, Pair pair) {
    return all.getOrDefault(pair, new Cosines(new double[] {Double.NaN}));
  }

  private static double share(Map<Pair, Cosines> all, Pair pair, double least) {
    return cosinesOf(all, pair).share(least);
  }

  private static Map<Pair, Cosines> cosines(Embedder embedder) {
    List<NaturalClaims> claims = NaturalClaims.read("calibration.txt");
    if (!IS_WHOLE) {
      List<NaturalClaims> all = claims;
      claims = IntStream.range(0, all.size()).filter(i -> i % 10 == 0).mapToObj(all::get).toList();
    }
    Map<String, float[]> vectors = new HashMap<>();
    Map<Pair, List<Double>> found = new EnumMap<>(Pair.class);
    for (int i = 0; i < claims.size(); i++) {
      NaturalClaims claim = claims.get(i);
      Measure measure = new Measure(embedder, vectors, found);
      measure.all(Pair.NEAR, claim.near(), claim.near());
      measure.all(Pair.FREE, claim.near(), claim.free());
      measure.all(Pair.FREE_FREE, claim.free(), claim.free());
      measure.all(Pair.TURNED, claim.near(), claim.turned());
      for (NaturalClaims other : claims.subList(0, i)) {
        boolean isField = claim.field().equals(other.field());
        measure.all(isField ? Pair.SAME_FIELD : Pair.OTHER_FIELD, both(claim), both(other));
      }
    }
    Map<Pair, Cosines> cosines = new EnumMap<>(Pair.class);
    found.forEach((pair, values) ->
        cosines.put(
            pair,
            new Cosines(values.stream().mapToDouble(Double::doubleValue).sorted().toArray())));
    return cosines;
  }

  private static List<String> both(NaturalClaims claim) {
    List<String> texts = new ArrayList<>(claim.near());
    texts.addAll(claim.free());
    return texts;
  }

  /** Takes the cosines of pairs of different texts. */
  private record Measure(
      Embedder embedder, Map<String, float[]> vectors, Map<Pair, List<Double>> found) {
    void all(Pair pair, List<String> ones, List<String> others) {
      List<Double> values = found.computeIfAbsent(pair, _ -> new ArrayList<>());
      for (String one : ones) {
        for (String other : others) {
          if (!one.equals(other)) {
            values.add(cosine(vector(one), vector(other)));
          }
        }
      }
    }

    private float[] vector(String text) {
      return vectors.computeIfAbsent(
          text,
          _ ->
              switch (embedder.embed(text).toCompletableFuture().join()) {
                case Embedding.Encoded(float[] vector) -> vector;
                case Embedding.Refused refused -> throw new AssertionError(refused.toString());
              });
    }

    private static double cosine(float[] a, float[] b) {
      double dot = 0;
      double aa = 0;
      double bb = 0;
      for (int i = 0; i < a.length; i++) {
        dot += (double) a[i] * b[i];
        aa += (double) a[i] * a[i];
        bb += (double) b[i] * b[i];
      }
      return dot / Math.sqrt(aa * bb);
    }
  }
}
