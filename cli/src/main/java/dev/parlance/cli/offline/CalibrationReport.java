package dev.parlance.cli.offline;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.offline.Calibration.Keep;
import dev.parlance.cli.offline.Calibration.LeftOut;
import dev.parlance.cli.offline.ScoredSet.Outcome;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What {@code calibrate} has found in labelled answers. */
final class CalibrationReport {
  /** Rates of false blocks for which the other error is given. */
  static final List<Double> RATES =
      IntStream.rangeClosed(1, 10).mapToObj(step -> step / 20.0).toList();

  private final Profile profile;
  private final Optional<Profile> other;
  private final List<ScoredSet> sets;
  private final Map<Reason, long[]> otherReasons;
  private final long read;
  private final long refused;

  CalibrationReport(
      Profile profile,
      Optional<Profile> other,
      Collection<ScoredSet> sets,
      Map<Reason, long[]> otherReasons,
      long read,
      long refused) {
    this.profile = profile;
    this.other = other;
    this.sets = List.copyOf(sets);
    this.otherReasons = otherReasons;
    this.read = read;
    this.refused = refused;
  }

  /**
   * The figures of a set, of all answers, or of the mean of the sets.
   *
   * @param grounded how many; of the mean 0, as of the ungrounded ones
   * @param auroc empty if one of the labels is missing
   * @param gain of that over the other profile's, if there is one
   * @param now what the profile makes of it as it is
   * @param curve for each of {@link #RATES} that can be kept: threshold and outcome
   */
  record Row(
      String name,
      int grounded,
      int ungrounded,
      Optional<Auroc.Estimate> auroc,
      Optional<Auroc.Estimate> gain,
      Outcome now,
      Map<Double, Point> curve) {}

  /**
   * A point of the curve.
   *
   * @param threshold NaN where each set has its own
   */
  record Point(double threshold, Outcome outcome) {}

  /**
   * The threshold for a wished rate.
   *
   * @param warnBelow below which support is warned of
   * @param leftOut how the other sets' threshold does on each set
   * @param profile as text for the configuration
   */
  record Chosen(
      double rate,
      Keep keep,
      double threshold,
      double warnBelow,
      List<LeftOut> leftOut,
      String profile) {}

  Profile profile() {
    return profile;
  }

  Optional<Profile> other() {
    return other;
  }

  List<ScoredSet> sets() {
    return sets;
  }

  Map<Reason, long[]> otherReasons() {
    return otherReasons;
  }

  long read() {
    return read;
  }

  long refused() {
    return refused;
  }

  /** The sets that count in the mean and for a threshold. */
  List<ScoredSet> largeSets() {
    return sets.stream().filter(ScoredSet::isLarge).toList();
  }

  Row row(ScoredSet set) {
    boolean both = set.hasBothLabels();
    Map<Double, Point> curve = new LinkedHashMap<>();
    for (double rate : RATES) {
      if (set.isLarge()) {
        Calibration.threshold(List.of(set), rate, Keep.WORST)
            .ifPresent(threshold -> curve.put(rate, new Point(threshold, set.at(threshold))));
      }
    }
    return new Row(
        set.name(),
        set.grounded().count(),
        set.ungrounded().count(),
        both ? Optional.of(set.auroc()) : Optional.empty(),
        both && other.isPresent() ? Optional.of(set.gain()) : Optional.empty(),
        set.at(profile.thresholds().groundingMin()),
        curve);
  }

  Row pooled() {
    return row(ScoredSet.pooled("all lines", sets));
  }

  /** The mean of the large sets, each of which keeps a rate by a threshold of its own. */
  Optional<Row> mean() {
    List<Row> rows = largeSets().stream().map(this::row).toList();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Map<Double, Point> curve = new LinkedHashMap<>();
    for (double rate : RATES) {
      List<Outcome> kept =
          rows.stream()
              .flatMap(row -> Optional.ofNullable(row.curve().get(rate)).stream())
              .map(Point::outcome)
              .toList();
      if (kept.size() == rows.size()) {
        curve.put(rate, new Point(Double.NaN, Outcome.mean(kept)));
      }
    }
    return Optional.of(
        new Row(
            "mean of sets",
            0,
            0,
            Optional.of(Auroc.mean(rows.stream().flatMap(row -> row.auroc().stream()).toList())),
            other.map(_ -> Auroc.mean(rows.stream().flatMap(row -> row.gain().stream()).toList())),
            Outcome.mean(rows.stream().map(Row::now).toList()),
            curve));
  }

  /** Chooses a threshold, or says why none can be. */
  Chosen choose(double rate, Optional<Double> warned, Keep keep, String name) {
    int needed = Calibration.needed(rate);
    List<ScoredSet> counted =
        largeSets().stream().filter(set -> set.grounded().count() >= needed).toList();
    if (counted.isEmpty()) {
      throw CommandProblem.failed(
          """
          calibrate: for a rate of %s expected a set with at least %d grounded and %d ungrounded \
          lines, got none; fewer cannot show such a share\
          """
              .formatted(rate, needed, ScoredSet.MIN_ROWS));
    }
    double threshold =
        Calibration.threshold(counted, rate, keep)
            .orElseThrow(() -> CommandProblem.failed(unreachable(counted, rate, keep)));
    double warnBelow =
        warned
            .map(share -> Calibration.threshold(counted, share, keep).orElseThrow())
            .orElse(
                profile.claims().isOn()
                    ? Math.max(threshold, profile.claims().supportWarnBelow())
                    : 0.0);
    return new Chosen(
        rate,
        keep,
        threshold,
        warnBelow,
        Calibration.leaveOut(counted, rate, keep),
        fragment(name, threshold, warnBelow));
  }

  private String unreachable(List<ScoredSet> counted, double rate, Keep keep) {
    return "calibrate: no groundingMin keeps a rate of %s %s: other rules alone send back %s"
        .formatted(
            rate,
            keep == Keep.WORST ? "in every set" : "in the mean of the sets",
            counted.stream()
                .filter(set -> set.grounded().shareSentBack(0) > (keep == Keep.WORST ? rate : 0))
                .limit(8)
                .map(set ->
                    String.format(
                        Locale.ROOT,
                        "%.0f %% of the grounded lines of %s",
                        100 * set.grounded().shareSentBack(0),
                        set.name()))
                .collect(Collectors.joining(", ")));
  }

  /** The section of a sidecar's configuration that has the new profile. */
  private String fragment(String name, double threshold, double warnBelow) {
    Profile made;
    try {
      made =
          Profiles.derive(
              name, profile, Map.of("groundingMin", threshold, "supportWarnBelow", warnBelow));
    } catch (IllegalArgumentException e) {
      throw CommandProblem.usage("calibrate: --name: " + e.getMessage());
    }
    StringBuilder text =
        new StringBuilder("profiles:\n  ")
            .append(name)
            .append(":\n    extends: ")
            .append(profile.name())
            .append('\n');
    for (String setting : List.of("groundingMin", "supportWarnBelow")) {
      if (!Objects.equals(made.settings().get(setting), profile.settings().get(setting))) {
        text.append("    %s: %s\n".formatted(setting, made.settings().get(setting)));
      }
    }
    return text.toString();
  }

  // ---- for programs ----

  ObjectNode json(Optional<Chosen> chosen) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("profile", profile.name());
    other.ifPresent(against -> json.put("against", against.name()));
    json.put("groundingMin", profile.thresholds().groundingMin());
    json.put("lines", read);
    json.put("refused", refused);
    ObjectNode each = json.putObject("sets");
    sets.forEach(set -> put(each.putObject(set.name()), row(set)));
    put(json.putObject("pooled"), pooled());
    mean().ifPresent(mean -> put(json.putObject("mean"), mean));
    ObjectNode rules = json.putObject("otherRules");
    otherReasons.forEach((reason, counts) ->
        rules.putObject(reason.code()).put("grounded", counts[0]).put("ungrounded", counts[1]));
    chosen.ifPresent(choice -> put(json.putObject("chosen"), choice));
    return json;
  }

  private static void put(ObjectNode json, Row row) {
    if (row.grounded() + row.ungrounded() > 0) {
      json.put("n", row.grounded() + row.ungrounded());
      json.put("baseRate", (double) row.grounded() / (row.grounded() + row.ungrounded()));
    }
    row.auroc().ifPresent(auroc -> put(json.putObject("auroc"), auroc));
    row.gain().ifPresent(gain -> put(json.putObject("gain"), gain));
    put(json, row.now());
    ObjectNode curve = json.putObject("curve");
    row.curve()
        .forEach((rate, point) -> {
          ObjectNode at = curve.putObject(Double.toString(rate));
          if (!Double.isNaN(point.threshold())) {
            at.put("groundingMin", point.threshold());
          }
          put(at, point.outcome());
        });
  }

  private static void put(ObjectNode json, Auroc.Estimate estimate) {
    json.put("value", estimate.value());
    if (!Double.isNaN(estimate.standardError())) {
      json.put("low", estimate.low());
      json.put("high", estimate.high());
    }
  }

  private static void put(ObjectNode json, Outcome outcome) {
    if (!Double.isNaN(outcome.groundedSentBack())) {
      json.put("groundedSentBack", outcome.groundedSentBack());
    }
    if (!Double.isNaN(outcome.ungroundedLetThrough())) {
      json.put("ungroundedLetThrough", outcome.ungroundedLetThrough());
    }
  }

  private void put(ObjectNode json, Chosen chosen) {
    json.put("falseBlocks", chosen.rate());
    json.put("keep", chosen.keep().name().toLowerCase(Locale.ROOT));
    json.put("groundingMin", chosen.threshold());
    json.put("supportWarnBelow", chosen.warnBelow());
    ObjectNode each = json.putObject("sets");
    sets.stream()
        .filter(ScoredSet::hasBothLabels)
        .forEach(set -> put(each.putObject(set.name()), set.at(chosen.threshold())));
    ObjectNode out = json.putObject("leftOut");
    for (LeftOut left : chosen.leftOut()) {
      ObjectNode at = out.putObject(left.set().name());
      OptionalDouble threshold = left.threshold();
      threshold.ifPresent(value -> at.put("groundingMin", value));
      put(at, left.outcome());
    }
    json.put("profile", chosen.profile());
  }
}
