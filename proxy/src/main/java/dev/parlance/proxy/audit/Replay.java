package dev.parlance.proxy.audit;

import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Signals;
import dev.parlance.service.SyntaxFault;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Computes a logged decision again from what was logged with it, by the judge itself, and says
 * whether the same comes out. Numbers must be equal as doubles.
 *
 * <p>Without evidence nothing was measured; then only the route can be checked, and that the answer
 * was empty is taken from the line itself.
 */
public final class Replay {
  /**
   * Reads lines of the log. Apart from {@link AuditJson}, which writes them: making a mapper is a
   * tenth of the start, and a sidecar that nobody asks for its lines needs none.
   */
  static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private Replay() {}

  /** What came of a replay. */
  public sealed interface Result {
    /** It could be read; see whether it reproduces. */
    record Explained(Explanation explanation) implements Result {}

    /**
     * It could not be read.
     *
     * @param code stable reason code: {@code not_json}, {@code not_a_decision}, {@code bad_line}
     * @param detail what is wrong with it
     */
    record Unreadable(String code, String detail) implements Result {}
  }

  /** How numbers are told. */
  public enum Numbers {
    /** To three decimals, for people. */
    ROUNDED,
    /** So that they read back as the same double. */
    EXACT;

    /** A number as it is told. */
    String shown(double number) {
      return this == EXACT || !Double.isFinite(number)
          ? Double.toString(number)
          : BigDecimal.valueOf(number)
              .setScale(3, RoundingMode.HALF_EVEN)
              .stripTrailingZeros()
              .toPlainString();
    }
  }

  /** Replays one line of the decision log; numbers are told exactly. */
  public static Result of(String line) {
    return of(line, Numbers.EXACT);
  }

  /** Replays one line of the decision log. */
  public static Result of(String line, Numbers numbers) {
    JsonNode json;
    try {
      json = JSON.readTree(line);
    } catch (JacksonException e) {
      return new Result.Unreadable("not_json", SyntaxFault.json(e));
    }
    if (!json.path("type").asString("").equals("decision")) {
      return new Result.Unreadable(
          "not_a_decision", "type is '" + json.path("type").asString("") + "'");
    }
    try {
      return new Result.Explained(replay(json, numbers));
    } catch (IllegalArgumentException e) {
      return new Result.Unreadable("bad_line", String.valueOf(e.getMessage()));
    }
  }

  private static Explanation replay(JsonNode json, Numbers numbers) {
    if (!json.has("judged")) {
      return Explanation.of(json, Findings.unjudged(json, numbers), List.of(), 0);
    }
    LoggedVerdict logged = LoggedVerdict.read(json);
    Verdict verdict =
        new Judge(message -> logged.measurement())
            .judge(
                logged.message(),
                logged.profile(),
                logged.errors(),
                logged.grounding(),
                logged.ttlExpired(),
                logged.core());
    var differences = new Differences();
    verdict.signals().ifPresent(signals -> differences.signals(json, logged, signals));
    differences.text("header", json, verdict.header().map(AspHeader::text).orElse(""));
    differences.text("regime", json, verdict.regime().code());
    JsonNode judged = json.path("judged");
    Decision decision = verdict.decision();
    differences.text("route", judged, decision.route().code());
    differences.add("reasons", codes(judged.path("reasons")), codes(decision.reasons()));
    if (judged.path("route").equals(json.path("route"))) {
      // that its author is not asked again is no matter of the judge
      String last = codes(json.path("reasons"));
      String off = ", " + Reason.REGENERATE_OFF.code();
      differences.add(
          "final reasons",
          last.endsWith(off) ? last.substring(0, last.length() - off.length()) : last,
          codes(judged.path("reasons")));
    }
    return Explanation.of(
        json,
        Findings.judged(json, logged, verdict, numbers),
        differences.found,
        differences.compared);
  }

  static String codes(List<Reason> reasons) {
    return reasons.stream().map(Reason::code).collect(Collectors.joining(", "));
  }

  static String codes(JsonNode reasons) {
    return reasons.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
  }

  /** Collects what came out otherwise. */
  private static final class Differences {
    private final List<Explanation.Difference> found = new ArrayList<>();
    private int compared;

    void add(String what, String logged, String computed) {
      compared++;
      if (!Objects.equals(logged, computed)) {
        found.add(new Explanation.Difference(what, logged, computed));
      }
    }

    void text(String name, JsonNode json, String computed) {
      add(name, json.path(name).asString(""), computed);
    }

    private void number(String what, JsonNode json, double computed) {
      double logged = LoggedVerdict.number(what, json.path(what));
      // Doubles print so that they read back the same; -0.0 and 0.0 are one number here.
      add(what, Double.toString(logged + 0.0), Double.toString(computed + 0.0));
    }

    void signals(JsonNode json, LoggedVerdict logged, Signals signals) {
      Features features = logged.measurement().features();
      if (features.isFinite()) {
        Features counted = logged.measurement().counts().features(logged.profile().weights());
        // Where claims are judged it is the support of the weakest one.
        boolean isEmpty = logged.measurement().counts().tokens() == 0;
        number(
            "contextOverlap",
            json.path("features"),
            logged
                .measurement()
                .claims()
                .filter(_ -> !isEmpty)
                .map(ClaimFindings::support)
                .orElse(counted.contextOverlap()));
        number("citationScore", json.path("features"), counted.citationScore());
        number("novelRatio", json.path("features"), counted.novelRatio());
        number("questionOverlap", json.path("features"), counted.questionOverlap());
      }
      number("certainty", json.path("signals"), signals.certainty());
      number("grounding", json.path("signals"), signals.grounding());
      number("stochasticity", json.path("signals"), signals.stochasticity());
      number("drift", json, signals.driftSqrtJsd());
    }
  }
}
