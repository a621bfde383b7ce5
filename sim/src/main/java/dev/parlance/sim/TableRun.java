package dev.parlance.sim;

import dev.parlance.ledger.record.Draw;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.sim.HueWheel.Speaker;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** One run of section 5.1: certify on a sample of 400 events, measure on 600 others. */
final class TableRun {
  static final String FIRST_AGENT = "sim-a";
  static final String SECOND_AGENT = "sim-b";
  static final int AUDIT_EVENTS = 400;
  static final int HELD_OUT_EVENTS = 600;

  /** Sparse sampling: events per term, drawn from the audit events without replacement. */
  static final int EVENTS_PER_TERM = 170;

  private TableRun() {}

  /**
   * What a run came to.
   *
   * @param audit what was asked and answered, if it was to be kept
   */
  record Outcome(Comparisons unguarded, Comparisons guarded, int coreSize, Optional<Audit> audit) {}

  /**
   * What was asked and answered.
   *
   * @param name of the run, unique
   * @param pool the audit events, sorted by identifier
   * @param seed hex of what the samples were drawn with
   * @param answers per term the answers in the order of the draw
   * @param certified the certified terms
   */
  record Audit(
      String name,
      List<Hue> pool,
      String seed,
      List<List<Answer>> answers,
      Set<String> certified) {}

  /** An event: a hue in degrees. */
  record Hue(String event, double degrees) {}

  /** Both agents' verdicts on an event. */
  record Answer(String event, TermVerdict first, TermVerdict second) {}

  /**
   * Runs it.
   *
   * @param name unique; an id
   * @param secondAgent what the terms mean to the second agent
   * @param keepAudit whether what was asked is wanted
   */
  static Outcome run(
      String name,
      HueWheel secondAgent,
      CertificationParams params,
      SplittableRandom random,
      boolean keepAudit) {
    Speaker first = new Speaker(HueWheel.REGULAR);
    Speaker second = new Speaker(secondAgent);
    double[] hues = random.doubles(AUDIT_EVENTS, 0.0, 360.0).toArray();
    double[] heldOut = random.doubles(HELD_OUT_EVENTS, 0.0, 360.0).toArray();
    byte[] seed = new byte[Draw.SEED_BYTES];
    random.nextBytes(seed);

    SequencedMap<String, Hue> pool = new LinkedHashMap<>(2 * AUDIT_EVENTS);
    for (int i = 0; i < AUDIT_EVENTS; i++) {
      String event = String.format(Locale.ROOT, "%s-e%03d", name, i);
      pool.put(event, new Hue(event, hues[i]));
    }

    Comparisons unguarded = Comparisons.NONE;
    Comparisons guarded = Comparisons.NONE;
    List<List<Answer>> answers = new ArrayList<>();
    Set<String> certified = new LinkedHashSet<>();
    for (int term = 0; term < HueWheel.TERMS.size(); term++) {
      String key = HueWheel.TERMS.get(term);
      List<Answer> asked = new ArrayList<>(EVENTS_PER_TERM);
      for (String event : Draw.of(seed, key, pool.keySet(), Set.of(), EVENTS_PER_TERM)) {
        double hue = Objects.requireNonNull(pool.get(event), event).degrees();
        asked.add(
            new Answer(event, first.verdict(term, hue, random), second.verdict(term, hue, random)));
      }
      Tally measured = measure(first, second, term, heldOut, random);
      unguarded = unguarded.plus(measured);
      if (Certifier.decide(tally(asked), params).isCertified()) {
        certified.add(key);
        guarded = guarded.plus(measured);
      }
      answers.add(asked);
    }
    Optional<Audit> kept = Optional.empty();
    if (keepAudit) {
      String hex = HexFormat.of().formatHex(seed);
      kept = Optional.of(new Audit(name, List.copyOf(pool.values()), hex, answers, certified));
    }
    return new Outcome(unguarded, guarded, certified.size(), kept);
  }

  private static Tally tally(List<Answer> answers) {
    Tally tally = Tally.NONE;
    for (Answer answer : answers) {
      tally = tally.plus(answer.first(), answer.second());
    }
    return tally;
  }

  /** Both agents' verdicts on hues, counted. */
  static Tally measure(
      Speaker first, Speaker second, int term, double[] hues, RandomGenerator random) {
    int audited = 0;
    int eligible = 0;
    int contradictions = 0;
    for (double hue : hues) {
      TermVerdict one = first.verdict(term, hue, random);
      TermVerdict other = second.verdict(term, hue, random);
      boolean both = one.isDecided() && other.isDecided();
      audited += one.isDecided() || other.isDecided() ? 1 : 0;
      eligible += both ? 1 : 0;
      contradictions += both && one != other ? 1 : 0;
    }
    return new Tally(audited, eligible, contradictions);
  }

  /** Eligible comparisons and how many of them were contradictions. */
  record Comparisons(long eligible, long contradictions) {
    static final Comparisons NONE = new Comparisons(0, 0);

    Comparisons plus(Comparisons other) {
      return new Comparisons(eligible + other.eligible, contradictions + other.contradictions);
    }

    Comparisons plus(Tally tally) {
      return new Comparisons(eligible + tally.eligible(), contradictions + tally.contradictions());
    }

    /** Share of contradictions, percent; empty if nothing was eligible. */
    OptionalDouble percent() {
      return eligible == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(100.0 * contradictions / eligible);
    }
  }
}
