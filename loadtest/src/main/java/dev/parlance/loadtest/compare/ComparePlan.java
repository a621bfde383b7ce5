package dev.parlance.loadtest.compare;

import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.process.MeasuredSidecar;
import dev.parlance.loadtest.process.TargetKind;
import dev.parlance.loadtest.process.TargetKind.Build;
import dev.parlance.loadtest.process.TargetKind.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What to compare and how long.
 *
 * @param contests in the order of the report
 * @param times how long, and how often
 * @param corpora one for each pair of sizes of answers and requests
 * @param coreTerms terms of the core that an enforcing sidecar guards, 1-200,000
 * @param goals what is to be reached; empty for none
 * @param sidecars how they are started
 */
public record ComparePlan(
    List<Contest> contests,
    Times times,
    List<CorpusPlan> corpora,
    int coreTerms,
    List<Goal> goals,
    MeasuredSidecar.Commands sidecars) {
  public static final int DEFAULT_CORE_TERMS = 1_000;
  private static final int LEAST_TIMEOUT_MS = 10_000;

  /** What one request may cost a target: it has all connections to serve before it comes again. */
  private static final int TIMEOUT_MS_PER_CONNECTION = 100;

  /** About what starting a target takes, and what lies between two phases. */
  private static final double START_SECONDS = 1.5;

  private static final double BETWEEN_SECONDS = 0.1;

  /** Connections and caches of a proxy that compiles nothing are warm after this. */
  private static final double OTHERS_SECONDS = 2;

  private static final double LOAD_WARMUP_SECONDS = 20;
  private static final int LOAD_WARMUP_REQUESTS = 60_000;
  private static final int LOAD_WARMUP_CONNECTIONS = 16;

  public ComparePlan {
    contests = List.copyOf(contests);
    corpora = List.copyOf(corpora);
    goals = List.copyOf(goals);
    LoadPlan.check("terms of the core", coreTerms, 1, 200_000);
    if (contests.isEmpty() || corpora.isEmpty()) {
      throw new IllegalArgumentException(
          "expected at least one target, one size of answers, one protocol, and one number of"
              + " connections or one rate");
    }
  }

  /**
   * The same with the sidecars of an older build beside ours under every load, and the goal that
   * ours take no more processor time than those.
   */
  public ComparePlan besideBaseline() {
    List<Contest> both = new ArrayList<>();
    List<Goal> more = new ArrayList<>(goals);
    for (Contest contest : contests) {
      List<Subject> subjects = new ArrayList<>();
      for (Subject subject : contest.subjects()) {
        subjects.add(subject);
        if (subject.kind().isSidecar()) {
          Subject older = new Subject(subject.kind(), subject.evidence(), Build.BASELINE);
          subjects.add(older);
          more.add(
              new Goal(
                  "CPU, " + subject.label() + " / baseline, " + contest.scenario().label(),
                  Goal.Figure.CPU_RATIO,
                  contest.scenario(),
                  subject,
                  older,
                  new Goal.Bound(Goal.Side.AT_MOST, 1)));
        }
      }
      both.add(new Contest(contest.scenario(), subjects));
    }
    return new ComparePlan(both, times, corpora, coreTerms, more, sidecars);
  }

  /** The loads, in the order of the report. */
  List<Scenario> scenarios() {
    return contests.stream().map(Contest::scenario).toList();
  }

  /** The processes to start, each once. */
  List<Target> targets() {
    return contests.stream()
        .flatMap(contest ->
            contest.subjects().stream().map(subject -> subject.at(contest.scenario().protocol())))
        .distinct()
        .toList();
  }

  /** The largest body in bytes, about. */
  int largestBodyBytes() {
    double kb =
        corpora.stream()
            .mapToDouble(corpus -> Math.max(corpus.answerKb(), corpus.requestKb()))
            .max()
            .orElseThrow();
    return (int) Math.ceil(kb * 1150); // a chunk more than was wanted
  }

  /** One phase; its own short warm-up lets connections, caches and the clock of the core settle. */
  LoadPlan phase(Scenario scenario, Freshness evidence, int port) {
    return new LoadPlan(
        port,
        evidence.path(scenario.corpus()),
        scenario.pace(),
        scenario.connections(),
        settleMs(),
        (int) Math.round(times.seconds() * 1000),
        LoadPlan.MAX_REQUESTS,
        timeoutMs(scenario),
        scenario.protocol());
  }

  private static int timeoutMs(Scenario scenario) {
    return Math.max(LEAST_TIMEOUT_MS, TIMEOUT_MS_PER_CONNECTION * scenario.connections());
  }

  private int settleMs() {
    return Math.clamp(Math.round(times.seconds() * 1000) / 5, 50, 1000);
  }

  /** The first load of a target, with everything it gets there: what it is warmed up with. */
  Contest firstContest(Target target) {
    for (Contest contest : contests) {
      List<Subject> own = own(contest, target);
      if (!own.isEmpty()) {
        return new Contest(contest.scenario(), own);
      }
    }
    throw new IllegalArgumentException("nothing is asked of " + target.code());
  }

  private static List<Subject> own(Contest contest, Target target) {
    return contest.subjects().stream()
        .filter(subject -> subject.at(contest.scenario().protocol()).equals(target))
        .toList();
  }

  private double warmupSeconds(Target target) {
    return target.kind().isSidecar()
        ? times.warmupSeconds()
        : Math.min(times.warmupSeconds(), OTHERS_SECONDS);
  }

  /** True if a target that has had so many requests, and its warm-up so often, needs another. */
  boolean isCold(Target target, long requests, int warmups) {
    return target.kind().isSidecar()
        && requests < times.warmupRequests()
        && warmups < Times.MOST_WARMUPS;
  }

  /** Closed-loop load that gives a target the time to compile itself; one for each evidence. */
  List<LoadPlan> warmups(Target target, int port) {
    Contest first = firstContest(target);
    int wholeMs = (int) Math.round(warmupSeconds(target) * 1000);
    int eachMs = Math.max(10, wholeMs / first.subjects().size());
    return IntStream.range(0, wholeMs == 0 ? 0 : first.subjects().size())
        .mapToObj(i ->
            new LoadPlan(
                port,
                first.subjects().get(i).evidence().path(first.scenario().corpus()),
                new Pace.ClosedLoop(),
                first.scenario().connections(),
                0,
                eachMs,
                LoadPlan.MAX_REQUESTS,
                timeoutMs(first.scenario()),
                first.scenario().protocol()))
        .toList();
  }

  /** Load straight on the upstream that gives the load generator the time to compile itself. */
  LoadPlan loadWarmup(Protocol protocol, int port) {
    return new LoadPlan(
        port,
        Freshness.SEEN.path(0),
        new Pace.ClosedLoop(),
        LOAD_WARMUP_CONNECTIONS,
        0,
        (int) Math.round(Math.clamp(times.warmupSeconds(), 0.01, LOAD_WARMUP_SECONDS) * 1000),
        LOAD_WARMUP_REQUESTS,
        LEAST_TIMEOUT_MS,
        protocol);
  }

  /** About how long it takes with these targets, their start included. */
  Duration estimate(Collection<Target> ready) {
    double phase = times.seconds() + settleMs() / 1e3 + BETWEEN_SECONDS;
    long phases =
        contests.stream()
            .mapToLong(
                contest -> ready.stream().mapToLong(target -> own(contest, target).size()).sum())
            .sum();
    double before =
        ready.stream().mapToDouble(target -> warmupSeconds(target) + START_SECONDS).sum();
    return Duration.ofMillis(Math.round(1000 * (times.rounds() * phases * phase + before)));
  }

  /**
   * How long a plan measures, and how often.
   *
   * @param seconds measured window of each phase, 0.05-600
   * @param rounds how often everything is repeated, 1-100
   * @param warmupSeconds closed-loop load on each sidecar before the first round, 0-120; other
   *     targets, which compile nothing, get at most two seconds of it
   * @param warmupRequests fewest requests of a sidecar before the first round: its warm-up comes
   *     again until it has had them, but at most {@value #MOST_WARMUPS} times
   */
  public record Times(double seconds, int rounds, double warmupSeconds, int warmupRequests) {
    static final int MOST_WARMUPS = 8;

    public Times {
      if (!(seconds >= 0.05 && seconds <= 600)) {
        throw new IllegalArgumentException("seconds must lie in 0.05-600, got " + seconds);
      }
      if (!(warmupSeconds >= 0 && warmupSeconds <= 120)) {
        throw new IllegalArgumentException(
            "warm-up must lie in 0-120 seconds, got " + warmupSeconds);
      }
      LoadPlan.check("rounds", rounds, 1, 100);
      LoadPlan.check("requests of the warm-up", warmupRequests, 0, LoadPlan.MAX_REQUESTS);
    }
  }

  /**
   * One load, and who is measured under it.
   *
   * @param scenario the load
   * @param subjects in the order of the report, each once
   */
  public record Contest(Scenario scenario, List<Subject> subjects) {
    public Contest {
      subjects = List.copyOf(subjects);
      if (subjects.isEmpty() || subjects.stream().distinct().count() != subjects.size()) {
        throw new IllegalArgumentException("expected subjects, each once, got " + subjects);
      }
    }
  }

  /**
   * One kind of load that targets are put under.
   *
   * @param corpus index of the corpus at the upstream
   * @param answerKb wanted size of its answers in units of 1,000 bytes
   * @param protocol the HTTP that is spoken on both sides of the target
   * @param connections keep-alive connections, each with one request at a time
   * @param pace how requests follow each other
   */
  record Scenario(int corpus, double answerKb, Protocol protocol, int connections, Pace pace) {
    /** For people. */
    String label() {
      return pace.label()
          + ", "
          + connections
          + " connections, answers of "
          + answerKb
          + " KB, "
          + protocol.label();
    }
  }

  /**
   * One line of a table: a target, and for those that read evidence which kind they get.
   *
   * @param kind what stands between load and upstream
   * @param evidence what the upstream answers with; {@code SEEN} for targets that do not read it
   * @param build where a sidecar comes from
   */
  record Subject(TargetKind kind, Freshness evidence, Build build) {
    /** One of the build under test. */
    Subject(TargetKind kind, Freshness evidence) {
      this(kind, evidence, Build.THIS);
    }

    /** The process that it is measured at. */
    Target at(Protocol protocol) {
      return new Target(kind, protocol, build);
    }

    /** For people: evidence is only named where it matters. */
    String label() {
      String name = kind.name(build);
      return kind.readsEvidence() ? name + ", " + evidence.code() : name;
    }
  }
}
