package dev.parlance.loadtest.compare;

import dev.parlance.loadtest.compare.ComparePlan.Contest;
import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.compare.ComparePlan.Subject;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.process.TargetKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The loads that a comparison can be asked for by one word. */
public final class ComparePlans {
  private ComparePlans() {}

  /** Which of them. */
  public enum Name {
    /** A first look, in a few minutes. */
    QUICK,
    /** Everything with everything. */
    FULL,
    /** Exactly the rows that the goals are about. */
    GOALS,
    /** One sidecar, and two with mutual TLS between them, beside HAProxy with the same TLS. */
    MESH
  }

  /**
   * Everything to be combined with everything.
   *
   * @param targets in any order
   * @param evidence what targets that read it are to get
   * @param protocols each on both sides
   * @param connections of closed loops
   * @param rates of open loops, per second
   * @param openConnections of open loops
   * @param bodies sizes of answers in units of 1,000 bytes
   */
  public record Axes(
      List<TargetKind> targets,
      List<Freshness> evidence,
      List<Protocol> protocols,
      List<Integer> connections,
      List<Double> rates,
      int openConnections,
      List<Double> bodies) {
    public Axes {
      targets = targets.stream().distinct().sorted().toList();
      evidence = evidence.stream().distinct().sorted().toList();
      protocols = protocols.stream().distinct().sorted().toList();
      connections = List.copyOf(connections);
      rates = List.copyOf(rates);
      bodies = List.copyOf(bodies);
    }
  }

  /**
   * How long a plan measures unless told otherwise.
   *
   * @param seconds window of each phase
   * @param rounds how often
   * @param warmupSeconds of each target
   */
  public record Times(double seconds, int rounds, double warmupSeconds) {}

  /** The times of a plan. */
  public static Times times(Name name) {
    return switch (name) {
      case QUICK -> new Times(5, 3, 20);
      case FULL -> new Times(5, 3, 30);
      case GOALS, MESH -> new Times(6, 7, 40);
    };
  }

  /** What a plan combines; the goals' plan combines nothing and stands for its own rows. */
  public static Axes axes(Name name) {
    List<TargetKind> all =
        Arrays.stream(TargetKind.values()).filter(kind -> !kind.isOfTheMesh()).toList();
    return switch (name) {
      case QUICK ->
          new Axes(
              List.of(
                  TargetKind.DIRECT,
                  TargetKind.HAPROXY,
                  TargetKind.NGINX,
                  TargetKind.PARLANCE_FORWARD,
                  TargetKind.PARLANCE_ENFORCE),
              List.of(Freshness.NEW, Freshness.SEEN),
              List.of(Protocol.HTTP1),
              List.of(16),
              List.of(1000.0),
              16,
              List.of(4.5));
      case FULL, GOALS, MESH ->
          new Axes(
              all,
              List.of(Freshness.NEW, Freshness.SEEN),
              Arrays.asList(Protocol.values()),
              List.of(16, 64, 512),
              List.of(1000.0, 3000.0, 10_000.0),
              64,
              List.of(1.0, 4.5, 100.0));
    };
  }

  /** Every combination: for each protocol and size first the closed loops, then the open ones. */
  public static List<Contest> contests(Axes axes) {
    List<Contest> contests = new ArrayList<>();
    for (Protocol protocol : axes.protocols()) {
      List<Subject> subjects = subjects(axes, protocol);
      for (int corpus = 0; corpus < axes.bodies().size(); corpus++) {
        double kb = axes.bodies().get(corpus);
        for (int count : axes.connections()) {
          Scenario scenario = new Scenario(corpus, kb, protocol, count, new Pace.ClosedLoop());
          contests.add(new Contest(scenario, subjects));
        }
        for (double rate : axes.rates()) {
          Pace pace = new Pace.OpenLoop(rate);
          Scenario scenario = new Scenario(corpus, kb, protocol, axes.openConnections(), pace);
          contests.add(new Contest(scenario, subjects));
        }
      }
    }
    return List.copyOf(contests);
  }

  private static List<Subject> subjects(Axes axes, Protocol protocol) {
    List<Subject> subjects = new ArrayList<>();
    for (TargetKind kind : axes.targets()) {
      if (kind.readsEvidence()) {
        axes.evidence().forEach(evidence -> subjects.add(new Subject(kind, evidence)));
      } else {
        subjects.add(new Subject(kind, Freshness.SEEN));
      }
    }
    if (subjects.isEmpty()) {
      throw new IllegalArgumentException("expected at least one target for " + protocol.label());
    }
    return subjects;
  }

  // ---- the goals' own plan ----

  private static final Subject DIRECT = new Subject(TargetKind.DIRECT, Freshness.SEEN);
  private static final Subject HAPROXY = new Subject(TargetKind.HAPROXY, Freshness.SEEN);
  private static final Subject LUA = new Subject(TargetKind.HAPROXY_LUA, Freshness.SEEN);
  private static final Subject FORWARD = new Subject(TargetKind.PARLANCE_FORWARD, Freshness.SEEN);
  private static final Subject NEW = new Subject(TargetKind.PARLANCE_ENFORCE, Freshness.NEW);
  private static final Subject SEEN = new Subject(TargetKind.PARLANCE_ENFORCE, Freshness.SEEN);

  private static final Scenario HTTP1 =
      new Scenario(0, 4.5, Protocol.HTTP1, 16, new Pace.ClosedLoop());
  private static final Scenario H2 = new Scenario(0, 4.5, Protocol.H2, 16, new Pace.ClosedLoop());
  private static final Scenario OPEN =
      new Scenario(1, 1, Protocol.HTTP1, 32, new Pace.OpenLoop(3000));

  /** The corpora of the goals' rows. */
  public static List<CorpusPlan> goalCorpora(CorpusPlan like) {
    return List.of(like.withSizes(4.5, 4.5), like.withSizes(1, 1));
  }

  /** The goals' rows. */
  public static List<Contest> goalContests() {
    return List.of(
        new Contest(HTTP1, List.of(HAPROXY, LUA, FORWARD, NEW, SEEN)),
        new Contest(H2, List.of(HAPROXY, NEW, SEEN)),
        new Contest(OPEN, List.of(DIRECT, NEW)));
  }

  private static final Subject ONE = new Subject(TargetKind.PARLANCE_ONE, Freshness.SEEN);
  private static final Subject TWO = new Subject(TargetKind.PARLANCE_TWO, Freshness.SEEN);
  private static final Subject TRUSTED = new Subject(TargetKind.PARLANCE_TRUSTED, Freshness.SEEN);
  private static final Subject HAPROXIES = new Subject(TargetKind.HAPROXY_TWO, Freshness.SEEN);

  /** The mesh's rows. */
  public static List<Contest> meshContests() {
    return List.of(new Contest(HTTP1, List.of(HAPROXY, HAPROXIES, ONE, TWO, TRUSTED)));
  }

  /** What is to be reached there. */
  public static List<Goal> meshGoals() {
    return List.of(
        new Goal(
            "CPU, two sidecars with trusted verdicts / one sidecar",
            Goal.Figure.CPU_RATIO,
            HTTP1,
            TRUSTED,
            ONE,
            most(1.3)));
  }

  /** What is to be reached on a machine with two cores. */
  public static List<Goal> goals() {
    return List.of(
        new Goal(
            "CPU, enforcing with new evidence / HAProxy unread",
            Goal.Figure.CPU_RATIO,
            HTTP1,
            NEW,
            HAPROXY,
            most(1.25)),
        new Goal(
            "CPU, enforcing with evidence seen before / HAProxy unread",
            Goal.Figure.CPU_RATIO,
            HTTP1,
            SEEN,
            HAPROXY,
            most(1)),
        new Goal(
            "CPU, HAProxy reading in Lua / enforcing with new evidence",
            Goal.Figure.CPU_RATIO,
            HTTP1,
            LUA,
            NEW,
            new Goal.Bound(Goal.Side.AT_LEAST, 8)),
        new Goal(
            "CPU, forwarding unread / HAProxy unread",
            Goal.Figure.CPU_RATIO,
            HTTP1,
            FORWARD,
            HAPROXY,
            most(0.95)),
        new Goal(
            "CPU over h2c, enforcing with new evidence / HAProxy unread",
            Goal.Figure.CPU_RATIO,
            H2,
            NEW,
            HAPROXY,
            most(1.5)),
        new Goal(
            "ms added to p50 at 3,000/s, enforcing with new evidence",
            Goal.Figure.ADDED_P50_MS,
            OPEN,
            NEW,
            DIRECT,
            most(0.15)),
        new Goal(
            "ms added to p99 at 3,000/s, enforcing with new evidence",
            Goal.Figure.ADDED_P99_MS,
            OPEN,
            NEW,
            DIRECT,
            most(0.5)));
  }

  private static Goal.Bound most(double value) {
    return new Goal.Bound(Goal.Side.AT_MOST, value);
  }
}
