package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Claims;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.support.ClaimMeasure.Feature;
import dev.parlance.policy.text.Utf8Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Learns the weights of {@link SupportModel} from labelled texts, which are no part of the
 * repository: {@code java ... SupportTrainer FOLDER [OUT]}. The same input gives the same bytes.
 *
 * <p>Logistic regression with an intercept for each set, so that what is learned is the order
 * within a set; all sets weigh the same up to {@value #SET_CAP} rows, and both labels in a set. An
 * answer counts by its weakest claim. Signs are held by coordinate descent on Newton's quadratic.
 */
final class SupportTrainer {
  private static final java.util.BitSet NOTHING = new java.util.BitSet();
  private static final int SET_CAP = 400;
  private static final double RIDGE = 3e-4;
  private static final int FEATURES = ClaimMeasure.FEATURES.length;

  /** One labelled answer: the features of each of its claims. */
  record Row(String set, boolean grounded, List<double[]> claims) {}

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
    double[] weights = train(rows, _ -> true);
    report("in sample", rows, base, _ -> weights);
    Map<String, double[]> without = new TreeMap<>();
    for (String set : base) {
      without.computeIfAbsent(
          family(set), family -> train(rows, row -> !family(row.set()).equals(family)));
    }
    report("left out", rows, base, set -> without.get(family(set)));
    List<Row> all = rows.stream().filter(row -> base.contains(row.set())).toList();
    double bias = bias(all, weights);
    StringBuilder out = new StringBuilder();
    out.append(
        "# Weights of dev.parlance.policy.claim.SupportModel, learned by SupportTrainer; see"
            + " docs/accuracy.md.\n");
    out.append("BIAS ").append(shown(bias)).append('\n');
    for (Feature feature : ClaimMeasure.FEATURES) {
      out.append(feature).append(' ').append(shown(weights[feature.ordinal()])).append('\n');
    }
    if (args.length > 1) {
      Files.writeString(Path.of(args[1]), out);
    }
    System.out.print(out);
  }

  private static String shown(double x) {
    return String.format(Locale.ROOT, "%.4f", x == 0 ? 0.0 : x);
  }

  static List<Row> read(Path file, Vocabulary vocabulary, Predicate<String> sets)
      throws IOException {
    ObjectMapper json = new ObjectMapper();
    EvidenceIndex evidence = new EvidenceIndex(vocabulary);
    EvidenceIndex question = new EvidenceIndex(vocabulary);
    ClaimMeasure measure = new ClaimMeasure(vocabulary, evidence);
    Units units = new Units(vocabulary.seed());
    Units asked = new Units(vocabulary.seed());
    Claims pieces = new Claims(vocabulary.seed());
    List<Row> rows = new ArrayList<>();
    try (var lines = Files.lines(file)) {
      for (String line : (Iterable<String>) lines::iterator) {
        JsonNode row = json.readTree(line);
        if (!sets.test(row.get("set").asString())) {
          continue;
        }
        evidence.clear();
        question.clear();
        int chunk = 0;
        for (JsonNode node : row.get("chunks")) {
          units.read(Utf8Span.of(node.get("text").asString()));
          evidence.add(units, chunk++);
        }
        evidence.build();
        asked.read(Utf8Span.of(row.path("question").asString("")));
        question.add(asked, 0);
        question.build();
        units.read(Utf8Span.of(row.get("answer").asString()));
        List<double[]> claims = new ArrayList<>();
        pieces.read(Utf8Span.of(row.get("answer").asString()), units, asked, new int[0], 0);
        for (int piece = 0; piece < pieces.count(); piece++) {
          if (pieces.kind(piece) == Claims.Kind.CLAIM) {
            measure.measure(
                units, pieces.first(piece), pieces.after(piece), pieces, NOTHING, question);
            claims.add(measure.features().clone());
          }
        }
        if (claims.isEmpty()) {
          claims.add(new double[FEATURES]);
        }
        rows.add(
            new Row(
                row.get("set").asString(), row.get("label").asString().equals("grounded"), claims));
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
    double[] weakest = row.claims().getFirst();
    for (double[] claim : row.claims()) {
      if (sum(weights, claim) < sum(weights, weakest)) {
        weakest = claim;
      }
    }
    return weakest;
  }

  private static void report(
      String title,
      List<Row> rows,
      List<String> sets,
      java.util.function.Function<String, double[]> weights) {
    StringBuilder text = new StringBuilder(title);
    double total = 0;
    int counted = 0;
    Map<String, List<Double>> families = new TreeMap<>();
    for (String set : sets) {
      double[] w = weights.apply(set);
      List<Row> of = rows.stream().filter(row -> row.set().equals(set)).toList();
      double[] scores = of.stream().mapToDouble(row -> sum(w, weakest(row, w))).toArray();
      double auroc = auroc(scores, of);
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

  private static double[] train(List<Row> rows, Predicate<Row> which) {
    List<Row> used = rows.stream().filter(which).toList();
    double[] weights = new double[FEATURES];
    for (Feature feature : ClaimMeasure.FEATURES) {
      weights[feature.ordinal()] = feature.sign * 0.5;
    }
    for (int round = 0; round < 5; round++) {
      double[] before = weights;
      weights = fit(used, used.stream().map(row -> weakest(row, before)).toList());
    }
    return weights;
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
      }
      total += weight[r];
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
