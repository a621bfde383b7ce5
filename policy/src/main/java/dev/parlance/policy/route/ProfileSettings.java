package dev.parlance.policy.route;

import dev.parlance.policy.route.ClaimRules.CitationRule;
import dev.parlance.policy.route.Profile.Thresholds;
import dev.parlance.policy.route.Regime.RegimeLimits;
import dev.parlance.policy.signal.SignalWeights;
import dev.parlance.policy.text.Coded;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The settings of a profile by name: reading them all, and building a profile from them. */
final class ProfileSettings {
  /** What a setting takes. */
  private enum Kind {
    FRACTION,
    WHOLE,
    SWITCH,
    CITATIONS
  }

  /** One setting; the range is for the message and is checked here before the records check it. */
  private record Setting(
      String name, Kind kind, double min, double max, Function<Profile, Object> read) {
    String range() {
      return switch (kind) {
        case FRACTION -> "a number in [" + plain(min) + "," + plain(max) + "]";
        case WHOLE -> "a whole number in [" + plain(min) + "," + plain(max) + "]";
        case SWITCH -> "true or false";
        case CITATIONS -> "required, preferred or ignored";
      };
    }

    /** The value in the setting's own type, or nothing if it is out of kind or range. */
    Optional<Object> accept(Object value) {
      return switch (kind) {
        case SWITCH -> value instanceof Boolean ? Optional.of(value) : Optional.empty();
        case CITATIONS ->
            Coded.find(CitationRule.values(), String.valueOf(value)).map(CitationRule::code);
        case FRACTION -> number(value).filter(this::inRange).<Object>map(BigDecimal::doubleValue);
        case WHOLE ->
            number(value)
                .filter(this::inRange)
                .filter(number -> number.stripTrailingZeros().scale() <= 0)
                .<Object>map(BigDecimal::longValueExact);
      };
    }

    private boolean inRange(BigDecimal number) {
      return number.compareTo(BigDecimal.valueOf(min)) >= 0
          && number.compareTo(BigDecimal.valueOf(max)) <= 0;
    }
  }

  private static final List<Setting> ALL =
      List.of(
          fraction("groundingOverlapWeight", p -> p.weights().groundingOverlapWeight()),
          fraction("groundingCitationWeight", p -> p.weights().groundingCitationWeight()),
          fraction("stochasticityNovelWeight", p -> p.weights().stochasticityNovelWeight()),
          fraction("stochasticityCitationWeight", p -> p.weights().stochasticityCitationWeight()),
          fraction("citationKnownScore", p -> p.weights().citationKnownScore()),
          fraction("citationUnknownScore", p -> p.weights().citationUnknownScore()),
          fraction("citationNoneScore", p -> p.weights().citationNoneScore()),
          fraction("idealContextOverlap", p -> p.weights().idealContextOverlap()),
          fraction("idealCitation", p -> p.weights().idealCitation()),
          fraction("idealNovel", p -> p.weights().idealNovel()),
          fraction("idealQuestionOverlap", p -> p.weights().idealQuestionOverlap()),
          new Setting("driftFloor", Kind.FRACTION, 1e-9, 1, p -> p.weights().driftFloor()),
          fraction("driftQuestionOverlapMin", p -> p.weights().driftQuestionOverlapMin()),
          fraction("driftQuestionOverlapMax", p -> p.weights().driftQuestionOverlapMax()),
          fraction("groundingMin", p -> p.thresholds().groundingMin()),
          fraction("stochasticityMax", p -> p.thresholds().stochasticityMax()),
          fraction("driftWarnSqrtJsd", p -> p.thresholds().driftWarnSqrtJsd()),
          fraction("driftCritSqrtJsd", p -> p.thresholds().driftCritSqrtJsd()),
          whole("errorMax", 0, Profile.ERROR_MAX_LIMIT, p -> (long) p.errorMax()),
          whole("flowTtlMs", 1, Profile.FLOW_TTL_LIMIT_MS, Profile::flowTtlMs),
          toggle("yieldUnreadWhenSpent", Profile::yieldUnreadWhenSpent),
          whole(
              "minAnswerTokens",
              0,
              ContentRules.MIN_ANSWER_TOKENS_MAX,
              p -> (long) p.rules().minAnswerTokens()),
          rule("regenerateEmptyAnswer", Reason.EMPTY_ANSWER),
          rule("regenerateUnknownCitation", Reason.CITATION_UNKNOWN),
          rule("regenerateUnsupportedNumber", Reason.NUMBER_UNSUPPORTED),
          rule("regenerateQuestionEcho", Reason.QUESTION_ECHO),
          toggle("judgeClaims", p -> p.claims().isOn()),
          fraction("supportWarnBelow", p -> p.claims().supportWarnBelow()),
          toggle("regenerateChanges", p -> p.claims().regenerateChanges()),
          new Setting("citations", Kind.CITATIONS, 0, 0, p -> p.claims().citations().code()),
          fraction("regimeGapOverlapMin", p -> p.regimes().gapOverlapMin()),
          fraction("regimeGapEvidenceOnlyMin", p -> p.regimes().gapEvidenceOnlyMin()),
          fraction("regimePartialOverlapMin", p -> p.regimes().partialOverlapMin()));

  private ProfileSettings() {}

  static Map<String, Object> read(Profile profile) {
    Map<String, Object> values = new LinkedHashMap<>();
    ALL.forEach(setting -> values.put(setting.name(), setting.read().apply(profile)));
    return Collections.unmodifiableMap(values);
  }

  static Profile derive(String newName, Profile base, Map<String, Object> changes) {
    Map<String, Object> values = new LinkedHashMap<>(read(base));
    List<String> faults = new ArrayList<>();
    changes.forEach((name, value) -> {
      Optional<Setting> setting =
          ALL.stream().filter(known -> known.name().equals(name)).findFirst();
      Optional<Object> accepted = setting.flatMap(known -> known.accept(value));
      if (accepted.isPresent()) {
        values.put(name, accepted.get());
      } else if (setting.isPresent()) {
        faults.add(name + " must be " + setting.get().range() + ", got " + shown(value));
      } else {
        faults.add("unknown setting " + shown(name) + DidYouMean.hint(name, values.keySet()));
      }
    });
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("profile " + newName + ": " + String.join("; ", faults));
    }
    return build(newName, new Values(values));
  }

  private static Profile build(String name, Values v) {
    SignalWeights weights =
        new SignalWeights(
            v.fraction("groundingOverlapWeight"),
            v.fraction("groundingCitationWeight"),
            v.fraction("stochasticityNovelWeight"),
            v.fraction("stochasticityCitationWeight"),
            v.fraction("citationKnownScore"),
            v.fraction("citationUnknownScore"),
            v.fraction("citationNoneScore"),
            v.fraction("idealContextOverlap"),
            v.fraction("idealCitation"),
            v.fraction("idealNovel"),
            v.fraction("idealQuestionOverlap"),
            v.fraction("driftFloor"),
            v.fraction("driftQuestionOverlapMin"),
            v.fraction("driftQuestionOverlapMax"));
    Thresholds thresholds =
        new Thresholds(
            v.fraction("groundingMin"),
            v.fraction("stochasticityMax"),
            v.fraction("driftWarnSqrtJsd"),
            v.fraction("driftCritSqrtJsd"));
    Set<Reason> rules = EnumSet.noneOf(Reason.class);
    v.addIfOn("regenerateEmptyAnswer", Reason.EMPTY_ANSWER, rules);
    v.addIfOn("regenerateUnknownCitation", Reason.CITATION_UNKNOWN, rules);
    v.addIfOn("regenerateUnsupportedNumber", Reason.NUMBER_UNSUPPORTED, rules);
    v.addIfOn("regenerateQuestionEcho", Reason.QUESTION_ECHO, rules);
    return new Profile(
        name,
        weights,
        thresholds,
        Math.toIntExact(v.whole("errorMax")),
        v.whole("flowTtlMs"),
        v.isOn("yieldUnreadWhenSpent"),
        new ContentRules(Math.toIntExact(v.whole("minAnswerTokens")), rules),
        new RegimeLimits(
            v.fraction("regimeGapOverlapMin"),
            v.fraction("regimeGapEvidenceOnlyMin"),
            v.fraction("regimePartialOverlapMin")),
        new ClaimRules(
            v.isOn("judgeClaims"),
            v.fraction("supportWarnBelow"),
            v.isOn("regenerateChanges"),
            Coded.find(CitationRule.values(), v.get("citations", String.class)).orElseThrow()));
  }

  /** Values of the right kind under every name; a missing one would be a bug. */
  private record Values(Map<String, Object> byName) {
    double fraction(String name) {
      return get(name, Double.class);
    }

    long whole(String name) {
      return get(name, Long.class);
    }

    boolean isOn(String name) {
      return get(name, Boolean.class);
    }

    void addIfOn(String name, Reason rule, Set<Reason> rules) {
      if (isOn(name)) {
        rules.add(rule);
      }
    }

    <T> T get(String name, Class<T> type) {
      Object value = byName.get(name);
      if (!type.isInstance(value)) {
        throw new IllegalStateException("no " + type.getSimpleName() + " under " + name);
      }
      return type.cast(value);
    }
  }

  private static Setting fraction(String name, Function<Profile, Object> read) {
    return new Setting(name, Kind.FRACTION, 0, 1, read);
  }

  private static Setting whole(String name, long min, long max, Function<Profile, Object> read) {
    return new Setting(name, Kind.WHOLE, min, max, read);
  }

  private static Setting toggle(String name, Function<Profile, Object> read) {
    return new Setting(name, Kind.SWITCH, 0, 1, read);
  }

  private static Setting rule(String name, Reason reason) {
    return toggle(name, p -> p.rules().regenerateOn().contains(reason));
  }

  /** The exact number, if {@code value} is a finite one of sensible length. */
  private static Optional<BigDecimal> number(Object value) {
    return switch (value) {
      case Integer whole -> Optional.of(BigDecimal.valueOf(whole));
      case Long whole -> Optional.of(BigDecimal.valueOf(whole));
      case Double fraction when Double.isFinite(fraction) ->
          Optional.of(BigDecimal.valueOf(fraction));
      case Float fraction when Float.isFinite(fraction) ->
          Optional.of(BigDecimal.valueOf(fraction));
      case BigDecimal decimal -> Optional.of(decimal);
      case java.math.BigInteger whole -> Optional.of(new BigDecimal(whole));
      default -> Optional.empty();
    };
  }

  private static String plain(double bound) {
    return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
  }

  private static String shown(Object value) {
    String text = String.valueOf(value);
    String cut = text.length() > 64 ? text.substring(0, 64) + "..." : text;
    return value instanceof CharSequence ? "'" + cut + "'" : cut;
  }

  /** Finds the name that was probably meant. */
  static final class DidYouMean {
    private static final int LONGEST_NAME = 64;

    private DidYouMean() {}

    /** {@code ", did you mean X?"} for the nearest name if it is near, else how to see them all. */
    static String hint(String name, Collection<String> known) {
      if (name.length() > LONGEST_NAME) {
        return "";
      }
      String wanted = plain(name);
      return known.stream()
          .min(Comparator.comparingInt(candidate -> distance(wanted, plain(candidate))))
          .filter(best -> distance(wanted, plain(best)) <= 1 + wanted.length() / 4)
          .map(best -> ", did you mean " + best + "?")
          .orElse(", known are " + String.join(", ", known));
    }

    /** Spelling habits (case, snake, kebab) are no difference. */
    private static String plain(String name) {
      return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /** Levenshtein distance: inserted, dropped or replaced characters. */
    private static int distance(String a, String b) {
      int[] row = new int[b.length() + 1];
      for (int j = 0; j <= b.length(); j++) {
        row[j] = j;
      }
      for (int i = 1; i <= a.length(); i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= b.length(); j++) {
          int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
          diagonal = row[j];
          row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
        }
      }
      return row[b.length()];
    }
  }
}
