package dev.parlance.loadtest.compare;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.parlance.loadtest.compare.ComparePlan.Contest;
import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.compare.ComparePlan.Subject;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.process.TargetKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The loads that a comparison can be asked for by one word: the resource {@code plans.json}. */
public final class ComparePlans {
  private static final Map<Name, Planned> PLANS = read();

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
    MESH,
    /** Five figures of one machine, in under five minutes. */
    BENCH
  }

  /** A plan as it is written down: axes to be combined, or loads of its own. */
  @SuppressWarnings("UnusedMethod") // its reader makes it
  record Planned(
      ComparePlan.Times times,
      Optional<Axes> axes,
      @JsonSetter(nulls = Nulls.AS_EMPTY) List<Load> loads,
      @JsonSetter(nulls = Nulls.AS_EMPTY) List<Aim> goals) {
    Planned {
      loads = List.copyOf(loads);
      goals = List.copyOf(goals);
    }
  }

  /** A load; {@code rate} 0 is a closed loop. */
  @SuppressWarnings("UnusedMethod") // its reader makes it
  record Load(
      int corpus,
      double answerKb,
      Protocol protocol,
      int connections,
      double rate,
      List<String> subjects) {
    Load {
      subjects = List.copyOf(subjects);
    }

    Scenario scenario() {
      Pace pace = rate > 0 ? new Pace.OpenLoop(rate) : new Pace.ClosedLoop();
      return new Scenario(corpus, answerKb, protocol, connections, pace);
    }
  }

  /** A goal that names its load by its place. */
  record Aim(
      String text,
      Goal.Figure figure,
      int load,
      String subject,
      String against,
      Goal.Side side,
      double value) {}

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

  private static Map<Name, Planned> read() {
    try (InputStream in = ComparePlans.class.getResourceAsStream("plans.json")) {
      return new EnumMap<>(
          JsonMapper.shared()
              .readValue(
                  Objects.requireNonNull(in, "plans.json"),
                  new TypeReference<Map<Name, Planned>>() {}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Planned of(Name name) {
    return Objects.requireNonNull(PLANS.get(name), name.name());
  }

  /** The times of a plan. */
  public static ComparePlan.Times times(Name name) {
    return of(name).times();
  }

  /** What a plan combines; empty if it stands for its own loads. */
  public static Optional<Axes> axes(Name name) {
    return of(name).axes();
  }

  /** A plan's own loads. */
  public static List<Contest> contests(Name name) {
    return of(name).loads().stream()
        .map(load ->
            new Contest(
                load.scenario(), load.subjects().stream().map(ComparePlans::subject).toList()))
        .toList();
  }

  /** What is to be reached, on a machine with two cores. */
  public static List<Goal> goals(Name name) {
    return of(name).goals().stream()
        .map(aim ->
            new Goal(
                aim.text(),
                aim.figure(),
                of(name).loads().get(aim.load()).scenario(),
                subject(aim.subject()),
                subject(aim.against()),
                new Goal.Bound(aim.side(), aim.value())))
        .toList();
  }

  /** A target, and behind a blank its evidence if it is not that which was seen before. */
  private static Subject subject(String words) {
    boolean isNew = words.endsWith(" NEW");
    TargetKind kind = TargetKind.valueOf(isNew ? words.substring(0, words.length() - 4) : words);
    return new Subject(kind, isNew ? Freshness.NEW : Freshness.SEEN);
  }

  /** The corpora of the loads that plans have of their own. */
  public static List<CorpusPlan> corpora(CorpusPlan like) {
    return List.of(like.withSizes(4.5, 4.5), like.withSizes(1, 1));
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
}
