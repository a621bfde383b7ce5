package dev.parlance.sim;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.EValues;
import dev.parlance.policy.core.Entrenchment;
import dev.parlance.policy.core.Renegotiation;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.core.TermWatch;
import dev.parlance.sim.HueWheel.Speaker;
import dev.parlance.sim.SimulationOptions.Figure3Settings;
import dev.parlance.sim.SimulationResult.Figure3Point;
import dev.parlance.sim.SimulationResult.Panel;
import dev.parlance.sim.SimulationResult.WatchSummary;
import dev.parlance.sim.TableRun.Comparisons;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * One run of one panel. Audits, and the events that disagreement is measured on, have generators of
 * their own, seeded alike for every panel of a run: what differs between panels is what was done.
 */
final class Figure3Run {
  private static final int TERMS = HueWheel.TERMS.size();

  private final Panel panel;
  private final Figure3Settings settings;
  private final CertificationParams params;
  private final CertificationParams watchParams;
  private final SplittableRandom audits;
  private final SplittableRandom heldOut;
  private final int driftTerm;
  private final long[] decidedFirst = new long[TERMS];
  private final long[] decidedSecond = new long[TERMS];
  private final TermWatch[] watches = new TermWatch[TERMS];
  private final boolean[] wasRevoked = new boolean[TERMS];
  private Speaker first = new Speaker(HueWheel.REGULAR);
  private Speaker second = new Speaker(HueWheel.REGULAR);
  private boolean[] core = new boolean[TERMS];
  private boolean coreHadDriftTerm;
  private int revokedAt;
  private int falseRevocations;

  /** What one epoch came to. */
  record EpochOutcome(Comparisons unguarded, Comparisons guarded, int coreSize) {}

  /**
   * What one panel came to.
   *
   * @param revokedAt epoch in which a watched drifted term was revoked, 0 if it was not
   */
  record PanelOutcome(
      List<EpochOutcome> epochs, boolean coreHadDriftTerm, int revokedAt, int falseRevocations) {}

  private Figure3Run(
      Panel panel, Figure3Settings settings, CertificationParams params, SplittableRandom random) {
    this.panel = panel;
    this.settings = settings;
    this.params = params;
    this.watchParams =
        new CertificationParams(params.tau(), params.delta(), params.rhoMin(), Bound.ANYTIME);
    this.driftTerm = random.nextInt(TERMS);
    this.audits = random.split();
    this.heldOut = random.split();
    Arrays.fill(watches, TermWatch.NEW);
  }

  /** Runs a panel; the same seed gives every panel of a run the same events. */
  static PanelOutcome run(
      Panel panel, Figure3Settings settings, CertificationParams params, long seed) {
    return new Figure3Run(panel, settings, params, new SplittableRandom(seed)).run();
  }

  private PanelOutcome run() {
    List<EpochOutcome> outcomes = new ArrayList<>();
    for (int epoch = 1; epoch <= settings.epochs(); epoch++) {
      if (epoch == settings.driftEpoch() && panel != Panel.BASELINE) {
        coreHadDriftTerm = core[driftTerm];
        second = new Speaker(second.wheel().turned(driftTerm, Condition.DRIFT_DEGREES));
      }
      switch (panel) {
        case BASELINE, FROZEN -> {
          if (epoch == 1) {
            certify(settings.firstEvents());
          }
        }
        case RECERTIFIED -> recertify(epoch);
        case RENEGOTIATED -> {
          if (epoch >= settings.renegotiateEpoch()) {
            for (int term = 0; term < TERMS; term++) {
              if (!core[term]) {
                renegotiate(term);
              }
            }
          }
          recertify(epoch);
        }
        case WATCHED -> watch(epoch);
      }
      outcomes.add(measure());
    }
    return new PanelOutcome(outcomes, coreHadDriftTerm, revokedAt, falseRevocations);
  }

  /** The first audit, and from the epoch after the drift on another in every epoch. */
  private void recertify(int epoch) {
    if (epoch == 1) {
      certify(settings.firstEvents());
    } else if (epoch > settings.driftEpoch()) {
      certify(settings.repeatedEvents());
    }
  }

  private void certify(int events) {
    boolean[] next = new boolean[TERMS];
    for (int term = 0; term < TERMS; term++) {
      Tally tally = Tally.NONE;
      for (int i = 0; i < events; i++) {
        double hue = audits.nextDouble(360.0);
        TermVerdict one = first.verdict(term, hue, audits);
        TermVerdict other = second.verdict(term, hue, audits);
        countDecided(term, one, other);
        tally = tally.plus(one, other);
      }
      next[term] = Certifier.decide(tally, params).isCertified();
    }
    core = next;
  }

  private void watch(int epoch) {
    boolean[] next = new boolean[TERMS];
    for (int term = 0; term < TERMS; term++) {
      if (epoch >= settings.renegotiateEpoch() && isContested(term)) {
        renegotiate(term);
        wasRevoked[term] = false;
        watches[term] = watches[term].step(new TermWatch.Event.Reset(), watchParams);
      }
      TermWatch watch = watches[term];
      for (int i = 0; i < settings.watchedEvents(); i++) {
        double hue = audits.nextDouble(360.0);
        TermVerdict one = first.verdict(term, hue, audits);
        TermVerdict other = second.verdict(term, hue, audits);
        countDecided(term, one, other);
        watch = watch.step(new TermWatch.Event.Compared(one, other), watchParams);
      }
      boolean before = watch.certified();
      watch = watch.step(new TermWatch.Event.AuditEnded(0, settings.watchedEvents()), watchParams);
      if (before && !watch.certified()) {
        wasRevoked[term] = true;
        if (term == driftTerm && epoch >= settings.driftEpoch() && revokedAt == 0) {
          revokedAt = epoch;
        } else {
          falseRevocations++;
        }
      }
      watches[term] = watch;
      next[term] = watch.certified();
    }
    core = next;
  }

  /**
   * Revoked, or not certified and with as strong evidence against it as certifying takes for it.
   */
  private boolean isContested(int term) {
    Tally tally = watches[term].tally();
    double against = EValues.logDrift(tally.contradictions(), tally.eligible(), watchParams.tau());
    return wasRevoked[term]
        || (!watches[term].certified() && against >= -Math.log(watchParams.delta()));
  }

  private void countDecided(int term, TermVerdict one, TermVerdict other) {
    decidedFirst[term] += one.isDecided() ? 1 : 0;
    decidedSecond[term] += other.isDecided() ? 1 : 0;
  }

  /** The less entrenched agent takes the other one's use of the term over; both always do here. */
  private void renegotiate(int term) {
    Entrenchment entrenchment =
        Entrenchment.of(
            TableRun.FIRST_AGENT,
            Math.toIntExact(decidedFirst[term]),
            TableRun.SECOND_AGENT,
            Math.toIntExact(decidedSecond[term]));
    Renegotiation adopted =
        Renegotiation.offer(HueWheel.TERMS.get(term), entrenchment)
            .step(Renegotiation.Event.ADOPT)
            .orElseThrow();
    if (adopted.entrenchment().entrenched().equals(TableRun.FIRST_AGENT)) {
      second = new Speaker(second.wheel().adopting(term, first.wheel()));
    } else {
      first = new Speaker(first.wheel().adopting(term, second.wheel()));
    }
  }

  private EpochOutcome measure() {
    Comparisons unguarded = Comparisons.NONE;
    Comparisons guarded = Comparisons.NONE;
    int coreSize = 0;
    double[] hues = heldOut.doubles(settings.heldOutEvents(), 0.0, 360.0).toArray();
    for (int term = 0; term < TERMS; term++) {
      Tally tally = TableRun.measure(first, second, term, hues, heldOut);
      unguarded = unguarded.plus(tally);
      if (core[term]) {
        guarded = guarded.plus(tally);
        coreSize++;
      }
    }
    return new EpochOutcome(unguarded, guarded, coreSize);
  }

  /** Adds the runs of figure 3 up. */
  static final class Figure3 {
    private final Figure3Settings settings;
    private final Map<Panel, Series> series = new EnumMap<>(Panel.class);
    private int runs;
    private long hadDriftTerm;
    private long revoked;
    private long epochsToRevoke;
    private long falseRevocations;

    private static final class Series {
      private final Comparisons[] unguarded;
      private final Comparisons[] guarded;
      private final long[] coreSize;

      private Series(int epochs) {
        unguarded = new Comparisons[epochs];
        guarded = new Comparisons[epochs];
        coreSize = new long[epochs];
        Arrays.fill(unguarded, Comparisons.NONE);
        Arrays.fill(guarded, Comparisons.NONE);
      }
    }

    Figure3(Figure3Settings settings) {
      this.settings = settings;
      for (Panel panel : Panel.values()) {
        series.put(panel, new Series(settings.epochs()));
      }
    }

    /** All panels of one run. */
    static Map<Panel, Figure3Run.PanelOutcome> run(
        Figure3Settings settings, CertificationParams params, long seed) {
      Map<Panel, Figure3Run.PanelOutcome> outcomes = new EnumMap<>(Panel.class);
      for (Panel panel : Panel.values()) {
        outcomes.put(panel, Figure3Run.run(panel, settings, params, seed));
      }
      return outcomes;
    }

    void add(Map<Panel, Figure3Run.PanelOutcome> run) {
      runs++;
      run.forEach((panel, outcome) -> {
        Series sums = series.getOrDefault(panel, new Series(settings.epochs()));
        for (int i = 0; i < settings.epochs(); i++) {
          Figure3Run.EpochOutcome epoch = outcome.epochs().get(i);
          sums.unguarded[i] = sums.unguarded[i].plus(epoch.unguarded());
          sums.guarded[i] = sums.guarded[i].plus(epoch.guarded());
          sums.coreSize[i] += epoch.coreSize();
        }
        if (panel == Panel.WATCHED) {
          falseRevocations += outcome.falseRevocations();
          if (outcome.coreHadDriftTerm()) {
            hadDriftTerm++;
            if (outcome.revokedAt() > 0) {
              revoked++;
              epochsToRevoke += outcome.revokedAt() - settings.driftEpoch();
            }
          }
        }
      });
    }

    List<Figure3Point> points() {
      List<Figure3Point> points = new ArrayList<>();
      series.forEach((panel, sums) -> {
        for (int i = 0; i < settings.epochs(); i++) {
          points.add(
              new Figure3Point(
                  panel,
                  i + 1,
                  sums.unguarded[i].percent().orElse(0.0),
                  sums.guarded[i].percent(),
                  (double) sums.coreSize[i] / runs));
        }
      });
      return points;
    }

    WatchSummary watch() {
      Series sums = series.getOrDefault(Panel.WATCHED, new Series(settings.epochs()));
      return new WatchSummary(
          (double) sums.coreSize[settings.driftEpoch() - 2] / runs,
          revoked == 0
              ? OptionalDouble.empty()
              : OptionalDouble.of((double) epochsToRevoke / revoked),
          hadDriftTerm - revoked,
          falseRevocations);
    }
  }
}
