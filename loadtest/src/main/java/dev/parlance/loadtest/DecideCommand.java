package dev.parlance.loadtest;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest decide}: what deciding a round costs at worst. */
@Command(
    name = "decide",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how long deciding a round takes: seven members that agree, sixteen that",
      "agree, and sixteen laid out so that the search for a core ends as late as it can",
      "(every arrangement of groups and every f is tried, the slowest is shown)."
    })
final class DecideCommand implements Callable<Integer> {
  /** Decisions of each arrangement; the fastest tells, being disturbed least. */
  private static final int LOOKS = 5;

  /** Largest f that sixteen members allow. */
  private static final int MAX_FAULTS = 5;

  @Option(
      names = "--dim",
      split = ",",
      description = "Lengths of the vectors, 16 to 8192 (default: ${DEFAULT-VALUE}).",
      defaultValue = "128,384,1024")
  private List<Integer> dims = List.of();

  @Option(
      names = "--times",
      description = "Decisions measured for each table (default: ${DEFAULT-VALUE}).",
      defaultValue = "50")
  private int times;

  @Option(
      names = "--warm-up",
      description = "Decisions before those (default: ${DEFAULT-VALUE}).",
      defaultValue = "5000")
  private int warmUp;

  @Mixin private FormOption form = new FormOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Times of one table's decisions, in microseconds. */
  private record Cost(String table, double medianUs, double worstUs, Outcome outcome) {
    List<String> row(int dim) {
      return List.of(
          table,
          Integer.toString(dim),
          String.format(Locale.ROOT, "%,.0f", medianUs),
          String.format(Locale.ROOT, "%,.0f", worstUs),
          outcome.kind());
    }
  }

  @Override
  public Integer call() {
    if (times < 1
        || warmUp < 0
        || dims.stream().anyMatch(dim -> dim < DecideTables.MEMBERS || dim > 8_192)) {
      throw new IllegalArgumentException(
          "expected --times of at least 1, --warm-up of at least 0, and --dim 16 to 8192");
    }
    List<List<String>> rows = new ArrayList<>();
    for (int dim : dims) {
      rows.add(
          measure("7 agree, f=2", DecideTables.agreeing(7, dim), round(7, 2, dim, 0.9)).row(dim));
      rows.add(
          measure("16 agree, f=5", DecideTables.agreeing(16, dim), round(16, 5, dim, 0.9))
              .row(dim));
      rows.add(slowest(dim).row(dim));
    }
    Table table =
        new Table(
            "deciding one round, one thread, microseconds",
            List.of("table", "dim", "median", "worst", "outcome"),
            rows);
    form.print(spec.commandLine().getOut(), table);
    return 0;
  }

  private Cost slowest(int dim) {
    List<Integer> worstGroups = List.of();
    int worstFaults = 0;
    double worstUs = -1;
    for (List<Integer> groups : DecideTables.arrangements(DecideTables.MEMBERS)) {
      List<Proposal> proposals = DecideTables.tied(groups, dim);
      for (int faults = 0; faults <= MAX_FAULTS; faults++) {
        double us = sorted(proposals, tiedRound(faults, dim), LOOKS)[0];
        if (us > worstUs) {
          worstUs = us;
          worstGroups = groups;
          worstFaults = faults;
        }
      }
    }
    return measure(
        "16 in groups of " + text(worstGroups) + ", f=" + worstFaults,
        DecideTables.tied(worstGroups, dim),
        tiedRound(worstFaults, dim));
  }

  /** Sizes with how often each is there. */
  private static String text(List<Integer> groups) {
    return groups.stream()
        .distinct()
        .map(size -> size + " (x" + Collections.frequency(groups, size) + ")")
        .collect(Collectors.joining(", "));
  }

  private static RoundSpec tiedRound(int faults, int dim) {
    return round(DecideTables.MEMBERS, faults, dim, 0.0);
  }

  private Cost measure(String table, List<Proposal> proposals, RoundSpec round) {
    sorted(proposals, round, warmUp);
    double[] us = sorted(proposals, round, times);
    return new Cost(table, us[times / 2], us[times - 1], Hcsc.decide(round, proposals));
  }

  /** Times of so many decisions in microseconds, ascending. */
  private static double[] sorted(List<Proposal> proposals, RoundSpec round, int count) {
    double[] us = new double[count];
    for (int i = 0; i < count; i++) {
      long began = System.nanoTime();
      Hcsc.decide(round, proposals);
      us[i] = (System.nanoTime() - began) / 1e3;
    }
    Arrays.sort(us);
    return us;
  }

  private static RoundSpec round(int members, int faults, int dim, double cosMin) {
    return new RoundSpec(
        "decide:1",
        faults,
        DecideTables.members(members),
        new Encoding("enc", dim, cosMin),
        0,
        true);
  }
}
