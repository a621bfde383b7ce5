package dev.parlance.loadtest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest guard}: what holding messages against a certified core costs. */
@Command(
    name = "guard",
    mixinStandardHelpOptions = true,
    description = {
      "Measures with JMH what the core guard adds to judging a message of 4.5 KB,",
      "for vocabularies of several sizes."
    })
final class GuardCommand implements Callable<Integer> {
  @Option(
      names = "--vocabulary",
      split = ",",
      description = "Sizes of the vocabulary (default: ${DEFAULT-VALUE}).",
      defaultValue = "10,1000,100000")
  private List<Integer> vocabularies = List.of();

  @Mixin private JmhOptions jmh = new JmhOptions();

  @Mixin private FormOption form = new FormOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** How the table is printed. */
  enum Form {
    TEXT,
    MARKDOWN
  }

  /** One row of the table. */
  private record Case(int vocabulary, GuardWorkload.Said said) {}

  /** Mean and half width of the 99.9 % interval, in nanoseconds for each message. */
  private record Cost(double meanNs, double errorNs) {
    String text() {
      return String.format(Locale.ROOT, "%,.0f \u00b1 %,.0f", meanNs, errorNs);
    }
  }

  @Override
  public Integer call() throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                jmh.of("^" + GuardBenchmark.class.getName() + "\\.")
                    .param(
                        "vocabulary",
                        vocabularies.stream().map(String::valueOf).toArray(String[]::new))
                    .build())
            .run();
    Table table = table(results);
    form.print(spec.commandLine().getOut(), table);
    return 0;
  }

  private Table table(Collection<RunResult> results) {
    Map<Case, Map<String, Cost>> costs = new HashMap<>();
    for (RunResult result : results) {
      BenchmarkParams params = result.getParams();
      Result<?> primary = result.getPrimaryResult();
      String name = params.getBenchmark();
      costs
          .computeIfAbsent(
              new Case(
                  Integer.parseInt(params.getParam("vocabulary")),
                  GuardWorkload.Said.ofCode(params.getParam("said"))),
              _ -> new HashMap<>())
          .put(
              name.substring(name.lastIndexOf('.') + 1),
              new Cost(primary.getScore(), primary.getScoreError()));
    }
    List<List<String>> rows = new ArrayList<>();
    for (GuardWorkload.Said said : GuardWorkload.Said.values()) {
      for (int vocabulary : vocabularies) {
        rows.add(
            row(
                new Case(vocabulary, said),
                costs.getOrDefault(new Case(vocabulary, said), Map.of())));
      }
    }
    return new Table(
        "cost of the core guard, ns for each message of 4.5 KB, mean with 99.9 % interval",
        List.of(
            "said",
            "bytes scanned",
            "terms",
            "bytes/term",
            "guard alone",
            "judged without",
            "judged with",
            "with / without"),
        rows);
  }

  private static List<String> row(Case which, Map<String, Cost> costs) {
    GuardWorkload load = GuardBenchmark.workload(which.said(), which.vocabulary());
    Cost none = new Cost(Double.NaN, Double.NaN);
    Cost without = costs.getOrDefault("judge", none);
    Cost with = costs.getOrDefault("judgeAndGuard", none);
    return List.of(
        which.said().code(),
        String.format(Locale.ROOT, "%,.0f", load.bytesSaid()),
        String.format(Locale.ROOT, "%,d", which.vocabulary()),
        String.format(Locale.ROOT, "%.0f", load.bytesPerTerm()),
        costs.getOrDefault("guard", none).text(),
        without.text(),
        with.text(),
        String.format(Locale.ROOT, "%.2f", with.meanNs() / without.meanNs()));
  }
}
