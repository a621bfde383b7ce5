package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.support.ClaimMeasure.Feature;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.text.Utf8Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Learns the weights of {@link SupportModel} from labelled texts, which are no part of the
 * repository: {@code java ... SupportTrainer FOLDER [OUT]}. The same input gives the same bytes.
 *
 * <p>Logistic regression with an intercept for each set, so that what is learned is the order
 * within a set. A set weighs by its rows, up to {@value #SET_CAP}, both labels the same. An answer
 * counts by its weakest claim. Signs are held by coordinate descent on Newton's quadratic.
 *
 * <p>Claims are those that the estimator reads, with its features and departures; what is printed
 * for left-out families is how the whole estimator ranks a family with weights learned without it.
 */
final class SupportTrainer {
  private static final int SET_CAP = 400;
  private static final double RIDGE = 1e-4;
  private static final double FALSE_BLOCKS = 0.13;

  /** Sets with fewer grounded answers count in no mean. */
  private static final int MIN_ROWS = 20;

  private static final int FEATURES = ClaimMeasure.FEATURES.length;

  /** What the estimator has found of one claim. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Claim(double[] features, int departures) {}

  /** One labelled answer and its claims. */
  record Row(String set, boolean grounded, List<Claim> claims) {}

  /** What was learned. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Learned(double bias, double[] weights) {
    /** Support of the weakest claim, as the estimator has it. */
    double support(Row row) {
      SupportModel model = new SupportModel(bias, weights);
      return row.claims().stream()
          .mapToDouble(
              claim -> model.afterDepartures(model.support(claim.features()), claim.departures()))
          .min()
          .orElseThrow();
    }
  }

  /** Notes what the estimator asks of each claim. */
  private static final class Recorder extends SupportModel {
    private final List<Claim> claims = new ArrayList<>();
    private double[] features = new double[FEATURES];

    Recorder() {
      super(0, new double[FEATURES]);
    }

    @Override
    double support(double[] features) {
      this.features = features.clone();
      return super.support(features);
    }

    @Override
    double afterDepartures(double support, int departures) {
      claims.add(new Claim(features, departures));
      return super.afterDepartures(support, departures);
    }

    List<Claim> take() {
      List<Claim> taken =
          claims.isEmpty() ? List.of(new Claim(new double[FEATURES], 0)) : List.copyOf(claims);
      claims.clear();
      return taken;
    }
  }

  private SupportTrainer() {}

  /** Sets that are made of the same kind of text, by the beginning of their names. */
  static String family(String set) {
    if (set.startsWith("begin") || set.startsWith("faithdial")) {
      return "dialogue";
    }
    int bar = set.indexOf('_');
    return bar < 0 ? set : set.substring(0, bar);
  }

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Vocabulary vocabulary = new Vocabulary(1);
    List<Row> rows = new ArrayList<>(read(folder.resolve("train.jsonl"), vocabulary, _ -> true));
    List<String> base = rows.stream().map(Row::set).distinct().sorted().toList();
    rows.addAll(
        read(
            folder.resolve("more.jsonl"),
            vocabulary,
            set -> set.equals("bump") || set.equals("fm2_test")));
    Learned weights = train(rows, _ -> true);
    Learned learned =
        new Learned(
            bias(rows.stream().filter(row -> base.contains(row.set())).toList(), weights.weights()),
            weights.weights());
    report("in sample", rows, base, _ -> learned);
    Map<String, Learned> without = new TreeMap<>();
    for (String set : base) {
      without.computeIfAbsent(
          family(set), family -> train(rows, row -> !family(row.set()).equals(family)));
    }
    report("left out", rows, base, set -> without.get(family(set)));
    Learned placed = placed(learned, rows, base, without);
    StringBuilder out = new StringBuilder();
    out.append(
        "# Weights of dev.parlance.policy.claim.SupportModel, learned by SupportTrainer; see"
            + " docs/accuracy.md.\n");
    out.append("BIAS ").append(shown(placed.bias())).append('\n');
    for (Feature feature : ClaimMeasure.FEATURES) {
      out.append(feature)
          .append(' ')
          .append(shown(learned.weights()[feature.ordinal()]))
          .append('\n');
    }
    if (args.length > 1) {
      Files.writeString(Path.of(args[1]), out);
    }
    System.out.print(out);
  }

  /**
   * The same order with the intercept at which {@code groundingMin} of the default profile sends
   * {@value #FALSE_BLOCKS} of the grounded answers of a set back, as the mean of the sets, each
   * judged by weights that were learned without its family.
   */
  private static Learned placed(
      Learned learned, List<Row> rows, List<String> sets, Map<String, Learned> without) {
    double least = Profiles.DEFAULT.thresholds().groundingMin();
    double low = -2;
    double high = 2;
    while (high - low > 1e-6) {
      double shift = (low + high) / 2;
      double sum = 0;
      int counted = 0;
      for (String set : sets) {
        Learned of = without.get(family(set));
        Learned moved = new Learned(of.bias() + shift, of.weights());
        List<Row> grounded =
            rows.stream().filter(row -> row.set().equals(set) && row.grounded()).toList();
        if (grounded.size() >= MIN_ROWS) {
          counted++;
          sum +=
              (double)
                      grounded.stream()
                          .filter(row -> isSentBack(row, moved.support(row), least))
                          .count()
                  / grounded.size();
        }
      }
      if (sum / counted > FALSE_BLOCKS) {
        low = shift;
      } else {
        high = shift;
      }
    }
    return new Learned(learned.bias() + high, learned.weights());
  }

  private static boolean isSentBack(Row row, double support, double least) {
    return support < least || row.claims().stream().anyMatch(claim -> claim.departures() > 0);
  }

  private static String shown(double x) {
    return String.format(Locale.ROOT, "%.4f", x == 0 ? 0.0 : x);
  }

  static List<Row> read(Path file, Vocabulary vocabulary, Predicate<String> sets)
      throws IOException {
    ObjectMapper json = new ObjectMapper();
    Recorder recorder = new Recorder();
    ClaimsEstimator estimator = new ClaimsEstimator(vocabulary, recorder);
    List<Row> rows = new ArrayList<>();
    try (var lines = Files.lines(file)) {
      for (String line : (Iterable<String>) lines::iterator) {
        JsonNode row = json.readTree(line);
        if (!sets.test(row.get("set").asString())) {
          continue;
        }
        List<Chunk> chunks = new ArrayList<>();
        for (JsonNode chunk : row.get("chunks")) {
          chunks.add(
              new Chunk(chunk.get("id").asString(), Utf8Span.of(chunk.get("text").asString())));
        }
        estimator.measure(
            new AgentMessage(
                Utf8Span.of(row.get("answer").asString()),
                Utf8Span.of(row.path("question").asString("")),
                new Evidence(
                    EvidenceSource.DECLARED,
                    chunks,
                    List.of(),
                    OptionalDouble.empty(),
                    List.of(),
                    0)));
        rows.add(
            new Row(
                row.get("set").asString(),
                row.get("label").asString().equals("grounded"),
                recorder.take()));
      }
    }
    return rows;
  }

  // ---- measuring ----

  private static double sum(double[] weights, double[] features) {
    double sum = 0;
    for (int i = 0; i < FEATURES; i++) {
      sum += weights[i] * features[i];
    }
    return sum;
  }

  private static double[] weakest(Row row, double[] weights) {
    return row.claims().stream()
        .map(Claim::features)
        .min(Comparator.comparingDouble(features -> sum(weights, features)))
        .orElseThrow();
  }

  private static void report(
      String title, List<Row> rows, List<String> sets, Function<String, Learned> learned) {
    StringBuilder text = new StringBuilder(title);
    double total = 0;
    int counted = 0;
    Map<String, List<Double>> families = new TreeMap<>();
    for (String set : sets) {
      Learned of = learned.apply(set);
      List<Row> answers = rows.stream().filter(row -> row.set().equals(set)).toList();
      double auroc = auroc(answers.stream().mapToDouble(of::support).toArray(), answers);
      text.append(String.format(Locale.ROOT, " %s=%.3f", set, auroc));
      if (!Double.isNaN(auroc)) {
        total += auroc;
        counted++;
        families.computeIfAbsent(family(set), _ -> new ArrayList<>()).add(auroc);
      }
    }
    double byFamily =
        families.values().stream()
            .mapToDouble(list -> list.stream().mapToDouble(x -> x).average().orElseThrow())
            .average()
            .orElseThrow();
    System.out.printf(
        Locale.ROOT, "%s%n  mean %.4f, by family %.4f%n", text, total / counted, byFamily);
  }

  static double auroc(double[] scores, List<Row> rows) {
    Integer[] order = new Integer[scores.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Double.compare(scores[a], scores[b]));
    double ranks = 0;
    long good = 0;
    for (int i = 0; i < order.length; ) {
      int j = i;
      while (j < order.length && scores[order[j]] == scores[order[i]]) {
        j++;
      }
      for (int k = i; k < j; k++) {
        if (rows.get(order[k]).grounded()) {
          ranks += (i + 1 + j) / 2.0;
          good++;
        }
      }
      i = j;
    }
    long bad = rows.size() - good;
    return (ranks - good * (good + 1) / 2.0) / ((double) good * bad);
  }

  // ---- learning ----

  private static Learned train(List<Row> rows, Predicate<Row> which) {
    List<Row> used = rows.stream().filter(which).toList();
    double[] weights = new double[FEATURES];
    for (Feature feature : ClaimMeasure.FEATURES) {
      weights[feature.ordinal()] = feature.sign * 0.5;
    }
    for (int round = 0; round < 5; round++) {
      double[] before = weights;
      weights = fit(used, used.stream().map(row -> weakest(row, before)).toList());
    }
    return new Learned(bias(used, weights), weights);
  }

  private static double[] fit(List<Row> rows, List<double[]> features) {
    SortedSet<String> names = new TreeSet<>();
    rows.forEach(row -> names.add(row.set()));
    List<String> sets = List.copyOf(names);
    int width = FEATURES + sets.size();
    int n = rows.size();
    double[] weight = new double[n];
    int[] setOf = new int[n];
    weigh(rows, sets, weight, setOf);
    double[] b = new double[width];
    for (int step = 0; step < 12; step++) {
      double[] gradient = new double[width];
      double[][] hessian = new double[width][width];
      for (int r = 0; r < n; r++) {
        double[] x = features.get(r);
        double p = 1 / (1 + StrictMath.exp(-(sum(b, x) + b[FEATURES + setOf[r]])));
        double error = weight[r] * (p - (rows.get(r).grounded() ? 1 : 0));
        double curve = weight[r] * p * (1 - p);
        int s = FEATURES + setOf[r];
        for (int i = 0; i < FEATURES; i++) {
          gradient[i] += error * x[i];
          for (int j = 0; j <= i; j++) {
            hessian[i][j] += curve * x[i] * x[j];
          }
          hessian[s][i] += curve * x[i];
        }
        gradient[s] += error;
        hessian[s][s] += curve;
      }
      for (int i = 0; i < width; i++) {
        double ridge = i < FEATURES ? RIDGE : 1e-6;
        gradient[i] += ridge * b[i];
        hessian[i][i] += ridge + 1e-9;
        for (int j = 0; j < i; j++) {
          hessian[j][i] = hessian[i][j];
        }
      }
      b = descend(b, gradient, hessian);
    }
    return Arrays.copyOf(b, FEATURES);
  }

  private static void weigh(List<Row> rows, List<String> sets, double[] weight, int[] setOf) {
    int[][] counts = new int[sets.size()][2];
    for (Row row : rows) {
      counts[sets.indexOf(row.set())][row.grounded() ? 1 : 0]++;
    }
    double total = 0;
    for (int r = 0; r < weight.length; r++) {
      setOf[r] = sets.indexOf(rows.get(r).set());
      int[] count = counts[setOf[r]];
      if (count[0] > 0 && count[1] > 0) {
        weight[r] =
            0.5 * Math.min(count[0] + count[1], SET_CAP) / count[rows.get(r).grounded() ? 1 : 0];
        total += weight[r];
      }
    }
    for (int r = 0; r < weight.length; r++) {
      weight[r] /= total;
    }
  }

  /** The minimum of the quadratic within the signs, by coordinate descent. */
  private static double[] descend(double[] from, double[] gradient, double[][] hessian) {
    double[] b = from.clone();
    double[] slope = gradient.clone();
    for (int sweep = 0; sweep < 300; sweep++) {
      double moved = 0;
      for (int j = 0; j < b.length; j++) {
        double to = b[j] - slope[j] / hessian[j][j];
        if (j < FEATURES) {
          to = ClaimMeasure.FEATURES[j].sign > 0 ? Math.max(0, to) : Math.min(0, to);
        }
        double step = to - b[j];
        if (step != 0) {
          b[j] = to;
          moved = Math.max(moved, Math.abs(step));
          for (int i = 0; i < b.length; i++) {
            slope[i] += hessian[j][i] * step;
          }
        }
      }
      if (moved < 1e-7) {
        break;
      }
    }
    return b;
  }

  /** One intercept for all sets, each of which weighs the same with both labels. */
  private static double bias(List<Row> rows, double[] weights) {
    SortedSet<String> names = new TreeSet<>();
    rows.forEach(row -> names.add(row.set()));
    List<String> sets = List.copyOf(names);
    double[] weight = new double[rows.size()];
    weigh(rows, sets, weight, new int[rows.size()]);
    double bias = 0;
    for (int step = 0; step < 50; step++) {
      double gradient = 0;
      double curve = 1e-9;
      for (int r = 0; r < weight.length; r++) {
        Row row = rows.get(r);
        double p = 1 / (1 + StrictMath.exp(-(sum(weights, weakest(row, weights)) + bias)));
        gradient += weight[r] * (p - (row.grounded() ? 1 : 0));
        curve += weight[r] * p * (1 - p);
      }
      bias -= gradient / curve;
    }
    return bias;
  }
}
