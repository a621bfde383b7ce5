package dev.parlance.loadtest.compare;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parlance.loadtest.compare.ComparePlan.Contest;
import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.compare.ComparePlan.Subject;
import dev.parlance.loadtest.compare.ReportTable.Range;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadResult;
import dev.parlance.loadtest.load.LoadResult.Outcome;
import dev.parlance.loadtest.process.GuardCount;
import dev.parlance.loadtest.process.TargetKind;
import dev.parlance.loadtest.process.TargetLauncher.Launch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What a comparison showed.
 *
 * @param facts where
 * @param plan what was asked for
 * @param launches which targets there were
 * @param samples every phase, in the order measured
 */
public record Report(
    MachineFacts facts, ComparePlan plan, List<Launch> launches, List<Sample> samples) {
  /** A load side busier than this share of its cores limits what a closed loop can show. */
  private static final double LOAD_LIMIT = 0.9;

  /** Past this many cores busy with something else, figures are marked as noisy. */
  private static final double NOISE_LIMIT = 0.15;

  /** Below this share of an open loop's rate, a target does not keep it. */
  private static final double RATE_LIMIT = 0.95;

  /** Messages of an exchange. */
  private static final Subject HAPROXY = new Subject(TargetKind.HAPROXY, Freshness.SEEN);

  private static final Subject DIRECT = new Subject(TargetKind.DIRECT, Freshness.SEEN);

  public Report {
    launches = List.copyOf(launches);
    samples = List.copyOf(samples);
  }

  /** The same with one more fact in front. */
  public Report with(String name, String value) {
    return new Report(facts.with(name, value), plan, launches, samples);
  }

  /**
   * One subject under one load, over all rounds.
   *
   * @param ratio to the reference of the same round, see {@link Report#ratioLabel}
   * @param judged answers with a signal
   * @param late errors that are nothing but having waited too long
   * @param guarded messages held against the core, and terms found in them
   */
  @JsonIgnoreProperties({"subject", "guarded", "late"})
  record Row(
      Subject subject,
      Optional<Range> cpuUsPerRequest,
      Optional<Range> requestsPerSecond,
      Optional<Range> p50Us,
      Optional<Range> p99Us,
      Optional<Range> p999Us,
      Optional<Range> proxyBusyCores,
      Optional<Range> loadBusyCores,
      Optional<Range> otherBusyCores,
      Optional<Range> residentMb,
      Optional<Range> ratio,
      long requests,
      long refused,
      long judged,
      GuardCount guarded,
      long late,
      long errors) {}

  /** The subjects that were measured under a load. */
  List<Row> rows(Scenario scenario) {
    List<Row> rows = new ArrayList<>();
    for (Contest contest : plan.contests()) {
      if (!contest.scenario().equals(scenario)) {
        continue;
      }
      for (Subject subject : contest.subjects()) {
        List<Sample> own = of(scenario, subject);
        if (!own.isEmpty()) {
          rows.add(row(subject, own));
        }
      }
    }
    return List.copyOf(rows);
  }

  private Row row(Subject subject, List<Sample> own) {
    return new Row(
        subject,
        optional(own, sample -> sample.result().proxyCpuUsPerRequest()),
        range(own, sample -> sample.result().requestsPerSecond()),
        range(own, sample -> sample.result().latency().p50Us()),
        range(own, sample -> sample.result().latency().p99Us()),
        range(own, sample -> sample.result().latency().p999Us()),
        optional(own, sample -> sample.result().proxyBusyCores()),
        optional(own, sample -> sample.result().loadBusyCores()),
        optional(own, sample -> sample.result().otherBusyCores()),
        optional(
            own,
            sample ->
                sample.residentKb().isPresent()
                    ? OptionalDouble.of(sample.residentKb().getAsLong() / 1024.0)
                    : OptionalDouble.empty()),
        optional(own, this::ratio),
        own.stream().mapToLong(sample -> sample.result().requests()).sum(),
        own.stream().mapToLong(sample -> sample.result().count(Outcome.REFUSED)).sum(),
        own.stream().mapToLong(sample -> sample.result().judged()).sum(),
        new GuardCount(
            own.stream().mapToLong(sample -> sample.guarded().messages()).sum(),
            own.stream().mapToLong(sample -> sample.guarded().terms()).sum()),
        own.stream().mapToLong(sample -> sample.result().lateness()).sum(),
        own.stream().mapToLong(sample -> sample.result().faults()).sum());
  }

  /** What the ratio column compares. */
  String ratioLabel(Scenario scenario) {
    if (reference(scenario).equals(HAPROXY)) {
      return "CPU, haproxy = 1";
    }
    return scenario.pace() instanceof Pace.OpenLoop ? "p50, direct = 1" : "req/s, direct = 1";
  }

  /** HAProxy where it was measured under this load, else the way without any proxy. */
  Subject reference(Scenario scenario) {
    return of(scenario, HAPROXY).isEmpty() ? DIRECT : HAPROXY;
  }

  private OptionalDouble ratio(Sample sample) {
    for (Sample other : of(sample.scenario(), reference(sample.scenario()))) {
      if (other.round() == sample.round()) {
        return Goal.ratio(compared(sample), compared(other));
      }
    }
    return OptionalDouble.empty();
  }

  private OptionalDouble compared(Sample sample) {
    LoadResult result = sample.result();
    if (reference(sample.scenario()).equals(HAPROXY)) {
      return result.proxyCpuUsPerRequest();
    }
    return OptionalDouble.of(
        sample.scenario().pace() instanceof Pace.OpenLoop
            ? result.latency().p50Us()
            : result.requestsPerSecond());
  }

  /** What a reader must know beside the figures. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (Launch launch : launches) {
      switch (launch) {
        case Launch.Skipped skipped ->
            notes.add("SKIPPED: " + skipped.target().code() + ": " + skipped.reason());
        case Launch.Failed failed ->
            notes.add("FAILED: " + failed.target().code() + " " + failed.reason());
        case Launch.Ready _ -> {}
      }
    }
    for (Scenario scenario : plan.scenarios()) {
      for (Row row : rows(scenario)) {
        notes.addAll(notes(scenario, row));
      }
    }
    optional(samples, sample -> sample.result().otherBusyCores())
        .filter(others -> others.median() > NOISE_LIMIT)
        .ifPresent(others ->
            notes.add(
                String.format(
                    Locale.ROOT,
                    "NOISY: other processes kept %.2f cores busy (median; up to %.2f): these"
                        + " figures say little",
                    others.median(),
                    others.max())));
    return List.copyOf(notes);
  }

  private List<String> notes(Scenario scenario, Row row) {
    String where = row.subject().label() + ", " + scenario.label() + ": ";
    List<String> notes = new ArrayList<>();
    if (isOverloaded(scenario, row)) {
      notes.add(
          String.format(
              Locale.ROOT,
              "OVERLOADED: %sonly %,.0f answers a second, so its latencies grow with the length of"
                  + " the window%s",
              where,
              row.requestsPerSecond().map(Range::median).orElse(0.0),
              row.errors() > 0 ? "; " + faults(scenario, row.subject()) : ""));
    } else if (row.errors() > 0) {
      notes.add("FAULTS: " + where + faults(scenario, row.subject()));
    }
    if (isUnjudged(row)) {
      notes.add(
          "UNJUDGED: "
              + where
              + "only "
              + row.judged()
              + " of "
              + row.requests()
              + " answers carry a signal");
    }
    if (isUnguarded(row)) {
      notes.add(
          "UNGUARDED: "
              + where
              + row.guarded().messages()
              + " messages were held against the core, and "
              + row.guarded().terms()
              + " terms found, with "
              + row.judged()
              + " answers");
    }
    int loadCores = facts.entries().getOrDefault("pinning", "").startsWith("proxy") ? 1 : 0;
    row.loadBusyCores()
        .filter(busy -> scenario.pace() instanceof Pace.ClosedLoop && loadCores > 0)
        .filter(busy -> busy.median() >= LOAD_LIMIT && isBelowLimit(row))
        .ifPresent(busy ->
            notes.add(
                String.format(
                    Locale.ROOT,
                    "%sthe load side (%.2f cores busy) is the limit of its requests/s, not the"
                        + " proxy",
                    where,
                    busy.median())));
    return notes;
  }

  private static boolean isBelowLimit(Row row) {
    return row.proxyBusyCores().map(busy -> busy.median() < LOAD_LIMIT).orElse(true);
  }

  /** True if a rate is too high for a target, and nothing else was wrong with it. */
  private static boolean isOverloaded(Scenario scenario, Row row) {
    return scenario.pace() instanceof Pace.OpenLoop(double rate)
        && row.errors() == row.late()
        && row.requestsPerSecond().filter(range -> range.median() < RATE_LIMIT * rate).isPresent();
  }

  private static boolean isUnjudged(Row row) {
    return row.subject().kind().isJudging()
        && row.judged() < row.requests() - row.refused() - row.errors();
  }

  /** An answer of the corpus always has governed terms. */
  private static boolean isUnguarded(Row row) {
    TargetKind kind = row.subject().kind();
    return kind.isGuarding()
        && (row.guarded().messages() < kind.legs() * row.judged()
            || row.guarded().terms() < row.judged());
  }

  private String faults(Scenario scenario, Subject subject) {
    List<Sample> own = of(scenario, subject);
    List<String> parts = new ArrayList<>();
    for (Outcome outcome : Outcome.values()) {
      long count = own.stream().mapToLong(sample -> sample.result().count(outcome)).sum();
      long before =
          own.stream()
              .mapToLong(sample -> sample.result().warmup().getOrDefault(outcome, 0L))
              .sum();
      if (outcome.isFault() && count > 0) {
        parts.add(outcome.code() + " " + count);
      }
      if (outcome.isFault() && before > 0) {
        parts.add(outcome.code() + " in the warm-up " + before);
      }
    }
    long unsolicited = own.stream().mapToLong(sample -> sample.result().unsolicited()).sum();
    if (unsolicited > 0) {
      parts.add("unsolicited " + unsolicited);
    }
    return String.join(", ", parts);
  }

  /** True if every target that should be there was measured, without a fault, judged, guarded. */
  public boolean isClean() {
    boolean started = launches.stream().noneMatch(launch -> launch instanceof Launch.Failed);
    return started
        && plan.scenarios().stream()
            .allMatch(scenario -> rows(scenario).stream().allMatch(row -> isClean(scenario, row)));
  }

  private static boolean isClean(Scenario scenario, Row row) {
    boolean isRight = row.errors() == 0 || isOverloaded(scenario, row);
    return isRight && !isUnjudged(row) && !isUnguarded(row);
  }

  /**
   * A goal and what came of it.
   *
   * @param measured empty if something that it needs is missing
   */
  record Verdict(Goal goal, Optional<Range> measured) {
    boolean isReached() {
      return measured.filter(range -> goal.bound().isReachedBy(range.median())).isPresent();
    }
  }

  /** The plan's goals. */
  List<Verdict> verdicts() {
    return plan.goals().stream().map(goal -> new Verdict(goal, goal.measured(samples))).toList();
  }

  /** True if every goal of the plan was measured and is reached; also if it has none. */
  public boolean reachesGoals() {
    return verdicts().stream().allMatch(Verdict::isReached);
  }

  private List<Sample> of(Scenario scenario, Subject subject) {
    return samples.stream()
        .filter(sample -> sample.subject().equals(subject) && sample.scenario().equals(scenario))
        .toList();
  }

  private static Optional<Range> range(List<Sample> samples, Function<Sample, Double> figure) {
    return Range.of(samples.stream().map(figure).toList());
  }

  private static Optional<Range> optional(
      List<Sample> samples, Function<Sample, OptionalDouble> figure) {
    return Range.of(
        samples.stream()
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .map(OptionalDouble::getAsDouble)
            .toList());
  }

  /**
   * One phase as measured.
   *
   * @param subject what was measured
   * @param scenario under which load
   * @param round in which round, from 1
   * @param result what was seen
   * @param residentKb resident memory of the target after the phase
   * @param guarded what its guard did in the phase and in the moment before it
   */
  record Sample(
      Subject subject,
      Scenario scenario,
      int round,
      LoadResult result,
      OptionalLong residentKb,
      GuardCount guarded) {}
}
