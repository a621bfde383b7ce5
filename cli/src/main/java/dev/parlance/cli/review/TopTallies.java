package dev.parlance.cli.review;

import dev.parlance.cli.AdminClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Decisions, counted by direction, peer and rule. One thread. */
final class TopTallies {
  /** Peers are named by others, so there may be any number of them. */
  private static final int GROUPS_MAX = 1000;

  private static final int TIMES_MAX = 1 << 16;

  /**
   * What decisions have in common.
   *
   * @param direction inbound or outbound
   * @param peer who is at the other end
   * @param rule the rule of the configuration that applied
   */
  record Group(String direction, String peer, String rule) {
    static final Group OTHERS = new Group("", "(others)", "");
  }

  /**
   * One row.
   *
   * @param perSecond decisions in each second of the last interval
   * @param execute since the start, as the three behind it
   * @param meanGrounding of the last interval; NaN if nothing was measured
   * @param meanDrift likewise
   * @param judgeMsP99 99th percentile of the time for judging, in the last interval; NaN if nothing
   *     was decided
   */
  record Row(
      String direction,
      String peer,
      String rule,
      double perSecond,
      long execute,
      long warn,
      long regenerate,
      long yield,
      double meanGrounding,
      double meanDrift,
      double judgeMsP99) {}

  private static final class Tally {
    private long execute;
    private long warn;
    private long regenerate;
    private long yield;
    private long decisions;
    private long measured;
    private double grounding;
    private double drift;
    private final List<Long> judgeUs = new ArrayList<>();

    private void add(JsonNode line) {
      decisions++;
      switch (AdminClient.firstText(line, "route")) {
        case "execute" -> execute++;
        case "warn" -> warn++;
        case "regenerate" -> regenerate++;
        default -> yield++;
      }
      if (line.path("signals").isObject()) {
        measured++;
        grounding += line.path("signals").path("grounding").asDouble(0);
        drift += line.path("drift").asDouble(0);
      }
      if (judgeUs.size() < TIMES_MAX) {
        judgeUs.add(line.path("tJudgeUs").asLong(0));
      }
    }

    private Row take(Group group, double seconds) {
      long[] times = judgeUs.stream().mapToLong(Long::longValue).sorted().toArray();
      Row row =
          new Row(
              group.direction(),
              group.peer(),
              group.rule(),
              decisions / seconds,
              execute,
              warn,
              regenerate,
              yield,
              measured == 0 ? Double.NaN : grounding / measured,
              measured == 0 ? Double.NaN : drift / measured,
              times.length == 0
                  ? Double.NaN
                  : times[(int) Math.ceil(times.length * 0.99) - 1] / 1000.0);
      decisions = 0;
      measured = 0;
      grounding = 0;
      drift = 0;
      judgeUs.clear();
      return row;
    }
  }

  private final Map<Group, Tally> tallies = new HashMap<>();

  /** Counts a line of the log, if it is a decision. */
  void add(JsonNode line) {
    if (!AdminClient.firstText(line, "type").equals("decision")) {
      return;
    }
    Group group =
        new Group(
            AdminClient.firstText(line, "direction"),
            AdminClient.firstText(line, "peer"),
            AdminClient.firstText(line, "routeRule"));
    boolean known = tallies.containsKey(group) || tallies.size() < GROUPS_MAX;
    tallies.computeIfAbsent(known ? group : Group.OTHERS, _ -> new Tally()).add(line);
  }

  /**
   * The busiest rows of the interval that ends now.
   *
   * @param seconds how long it was, above 0
   */
  List<Row> take(int rows, double seconds) {
    Row[] all =
        tallies.entrySet().stream()
            .map(each -> each.getValue().take(each.getKey(), seconds))
            .toArray(Row[]::new);
    Arrays.sort(
        all,
        Comparator.comparingDouble(Row::perSecond)
            .thenComparingLong(row -> row.execute() + row.warn() + row.regenerate() + row.yield())
            .reversed()
            .thenComparing(Row::direction)
            .thenComparing(Row::peer)
            .thenComparing(Row::rule));
    return List.of(Arrays.copyOf(all, Math.min(rows, all.length)));
  }
}
