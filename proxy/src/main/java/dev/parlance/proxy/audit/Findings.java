package dev.parlance.proxy.audit;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.message.VerdictNote;
import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Profile.Thresholds;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.RepairPlan;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.SignalWeights;
import dev.parlance.policy.signal.Signals;
import dev.parlance.proxy.audit.Explanation.Bearing;
import dev.parlance.proxy.audit.Explanation.Finding;
import dev.parlance.proxy.audit.Replay.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Puts the steps of a decision into words. */
final class Findings {
  private static final Set<String> GOOD_ROUND_RESULTS = Set.of("accepted", "repeated", "holds");

  private static final Map<String, Reason> BY_CODE =
      Arrays.stream(Reason.values()).collect(Collectors.toMap(Reason::code, Function.identity()));

  private final JsonNode json;
  private final Numbers numbers;
  private final List<Finding> all = new ArrayList<>();

  private Findings(JsonNode json, Numbers numbers) {
    this.json = json;
    this.numbers = numbers;
  }

  /** Of a decision that no judge was asked for. */
  static List<Finding> unjudged(JsonNode json, Numbers numbers) {
    Findings findings = new Findings(json, numbers);
    findings.exchange();
    findings.why(Optional.empty(), Optional.empty());
    JsonNode by = json.path("judgedBy");
    if (by.isObject()) {
      findings.note(
          "Judge",
          "%s has judged it, as %s in its decision log, and is believed; nothing was measured here",
          shown(by, "node"),
          shown(by, "decision"));
    } else {
      findings.note("Judge", "nobody judged this message, so there is nothing to compute");
    }
    findings.outcome();
    return findings.all;
  }

  /** From the counts to the route. */
  static List<Finding> judged(
      JsonNode json, LoggedVerdict logged, Verdict verdict, Numbers numbers) {
    Findings findings = new Findings(json, numbers);
    findings.exchange();
    findings.why(verdict.signals(), Optional.of(logged.profile().thresholds()));
    findings.judgement(logged, verdict);
    findings.notes();
    findings.outcome();
    return findings.all;
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency for one method
  private void add(Bearing bearing, String topic, String format, Object... arguments) {
    all.add(new Finding(topic, format.formatted(arguments), bearing));
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private void note(String topic, String format, Object... arguments) {
    add(Bearing.NOTE, topic, format, arguments);
  }

  private static Bearing passes(boolean passes) {
    return passes ? Bearing.PASS : Bearing.FAIL;
  }

  /** What the message was. */
  private void exchange() {
    note(
        "Message",
        "%s, draft %s of flow %s, %s %s %s %s from %s, %s",
        shown(json, "kind"),
        json.path("attempt"),
        shown(json, "flow"),
        shown(json, "direction"),
        shown(json, "protocol"),
        shown(json, "method"),
        shown(json, "path"),
        shown(json, "peer"),
        shown(json, "ts"));
    JsonNode stream = json.path("stream");
    if (stream.isObject()) {
      note(
          "Stream",
          "in mode %s, after %s events of %s bytes, the first that waited held for %s ms",
          shown(stream, "mode"),
          stream.path("events"),
          stream.path("bytes"),
          stream.path("heldMs"));
    }
  }

  /** Each reason as a sentence, with the number and its bound where there is one. */
  private void why(Optional<Signals> signals, Optional<Thresholds> thresholds) {
    Bearing bearing =
        switch (text(json, "route")) {
          case "execute" -> Bearing.PASS;
          case "warn" -> Bearing.WARN;
          default -> Bearing.FAIL;
        };
    for (JsonNode code : json.path("reasons")) {
      Reason reason = BY_CODE.get(code.asString(""));
      if (reason != null) {
        String measured =
            signals.isPresent() && thresholds.isPresent()
                ? measured(reason, signals.get(), thresholds.get())
                : "";
        add(bearing, "Why", "%s%s", reason.sentence(), measured);
      }
    }
  }

  private String measured(Reason reason, Signals signals, Thresholds thresholds) {
    return switch (reason) {
      case G_LOW -> bound("grounding", signals.grounding(), "least", thresholds.groundingMin());
      case S_HIGH ->
          bound("stochasticity", signals.stochasticity(), "most", thresholds.stochasticityMax());
      case D_CRIT -> bound("drift", signals.driftSqrtJsd(), "most", thresholds.driftCritSqrtJsd());
      case D_WARN -> bound("drift", signals.driftSqrtJsd(), "most", thresholds.driftWarnSqrtJsd());
      default -> "";
    };
  }

  private String bound(String signal, double value, String side, double bound) {
    return " (%s %s, at %s %s)".formatted(signal, shown(value), side, shown(bound));
  }

  private String shown(double number) {
    return numbers.shown(number);
  }

  private static String text(JsonNode json, String name) {
    return json.path(name).asString("");
  }

  private static String shown(JsonNode json, String name) {
    String text = text(json, name);
    return text.isEmpty() ? "-" : text;
  }

  /** What explains the verdict. */
  private void notes() {
    for (JsonNode note : json.path("notes")) {
      String code = note.asString("");
      note(
          "Note",
          "%s: %s",
          code,
          Arrays.stream(VerdictNote.values())
              .filter(known -> known.code().equals(code))
              .findFirst()
              .map(VerdictNote::sentence)
              .orElse("unknown here"));
    }
  }

  /** What the gate did in the end. */
  private void outcome() {
    JsonNode round = json.path("round");
    if (round.isObject()) {
      // It stands between the judge's word and what was done.
      String detail = text(round, "detail");
      add(
          passes(GOOD_ROUND_RESULTS.contains(shown(round, "result"))),
          "Round",
          "%s of %s: %s%s",
          shown(round, "what"),
          shown(round, "id"),
          shown(round, "result"),
          detail.isEmpty() ? "" : " (" + detail + ")");
    }
    JsonNode pact = json.path("pact");
    if (pact.isObject()) {
      String detail = text(pact, "detail");
      add(
          passes(DecisionEvent.Pact.KEPT.equals(shown(pact, "result"))),
          "Pact",
          "%s: %s%s",
          shown(pact, "id"),
          shown(pact, "result"),
          detail.isEmpty() ? "" : " (" + detail + ")");
    }
    JsonNode lexicon = json.path("lexicon");
    if (lexicon.isObject()) {
      note(
          "Lexicon",
          "%s: %s of %s lines count, the others are text: %s",
          shown(lexicon, "board"),
          lexicon.path("counted").asInt(0),
          lexicon.path("lines").asInt(0),
          shown(lexicon, "result"));
    }
    JsonNode judged = json.path("judged");
    String route = text(json, "route");
    String reasons = Replay.codes(json.path("reasons"));
    if (judged.has("route") && !text(judged, "route").equals(route)) {
      note(
          "Gate",
          "the judge said %s; the gate made it %s [%s]",
          text(judged, "route"),
          route,
          reasons);
    } else {
      note("Gate", "%s [%s]", route, reasons);
    }
    note(
        "Action",
        "%s, in mode %s, by rule '%s' of configuration %s",
        shown(json, "action"),
        shown(json, "mode"),
        shown(json, "routeRule"),
        shown(json, "configRevision"));
    if (json.has("reviewId")) {
      note("Review", "held as %s", text(json, "reviewId"));
    }
  }

  private void judgement(LoggedVerdict logged, Verdict verdict) {
    Optional<Signals> signals = verdict.signals();
    if (signals.isEmpty()) {
      note(
          "Evidence",
          "none, and the route says that grounding is %s; nothing can be measured",
          logged.grounding().code());
    } else {
      counts(logged);
      equations(logged, signals.get());
    }
    for (Reason reason : verdict.decision().reasons()) {
      // Of the others another step tells.
      if (reason.group() == Reason.Group.CONTENT && !isFinal(reason)) {
        add(Bearing.FAIL, "Rule", "%s", reason.sentence());
      }
    }
    logged.measurement().claims().ifPresent(this::claims);
    logged.core().ifPresent(this::core);
    budget(logged, verdict);
    verdict.header().ifPresent(header -> note("Header", "%s", header.text()));
    note(
        "Judge",
        "%s [%s], regime %s, profile %s",
        verdict.decision().route().code(),
        Replay.codes(verdict.decision().reasons()),
        verdict.regime().code(),
        logged.profile().name());
  }

  /** True if {@link #why} has told it. */
  private boolean isFinal(Reason reason) {
    return json.path("reasons")
        .valueStream()
        .anyMatch(code -> code.asString("").equals(reason.code()));
  }

  private void claims(ClaimFindings found) {
    note(
        "Claims",
        "%d, the weakest with support %s%s",
        found.claims(),
        shown(found.support()),
        found.notes().isEmpty()
            ? ""
            : "; "
                + found.notes().stream()
                    .map(ClaimFindings.ClaimNote::code)
                    .collect(java.util.stream.Collectors.joining(", ")));
    for (ClaimFindings.WeakClaim claim : found.weak()) {
      note(
          "Claim",
          "support %s: %s; nearest %s",
          shown(claim.support()),
          marked(claim),
          claim.nearest().map(Findings::shown).orElse("nothing"));
      for (ClaimFindings.Detail detail : claim.details()) {
        note(
            "Claim",
            "%s: %s, in the evidence %s",
            Reason.of(detail.departure()).sentence(),
            shown(detail.said()),
            detail.instead().map(Findings::shown).orElse("nothing like it"));
      }
    }
  }

  private static String shown(ClaimFindings.Excerpt excerpt) {
    String where = excerpt.where().isEmpty() ? "" : "[" + excerpt.where() + "] ";
    return where + '"' + excerpt.text() + "\" (" + excerpt.from() + ".." + excerpt.to() + ")";
  }

  /** A claim with what departs in it between double brackets. */
  private static String marked(ClaimFindings.WeakClaim claim) {
    String text = claim.text().text();
    StringBuilder marked = new StringBuilder();
    int at = 0;
    for (ClaimFindings.Detail detail :
        claim.details().stream()
            .sorted(Comparator.comparingInt(one -> one.said().from()))
            .toList()) {
      String said = detail.said().text();
      int found = said.isEmpty() ? -1 : text.indexOf(said, at);
      if (found >= 0) {
        marked.append(text, at, found).append("[[").append(said).append("]]");
        at = found + said.length();
      }
    }
    marked.append(text, at, text.length());
    ClaimFindings.Excerpt whole = claim.text();
    return shown(
        new ClaimFindings.Excerpt(whole.where(), whole.from(), whole.to(), marked.toString()));
  }

  private void counts(LoggedVerdict logged) {
    Counts counts = logged.measurement().counts();
    Features features = logged.measurement().features();
    note(
        "Evidence",
        "%s; %d ids cited, %d of them known: cited [%s], known [%s]",
        logged.source().code(),
        counts.cited(),
        counts.citedKnown(),
        Replay.codes(json.path("citedIds")),
        Replay.codes(json.path("validIds")));
    note(
        Explanation.FEATURES,
        "of %d tokens %d are in the evidence, %d in the question, %d in neither: o_c=%s s_cite=%s"
            + " n=%s o_q=%s",
        counts.tokens(),
        counts.inContext(),
        counts.inQuestion(),
        counts.novel(),
        shown(features.contextOverlap()),
        shown(features.citationScore()),
        shown(features.novelRatio()),
        shown(features.questionOverlap()));
  }

  private void equations(LoggedVerdict logged, Signals signals) {
    SignalWeights weights = logged.profile().weights();
    Thresholds thresholds = logged.profile().thresholds();
    Features f = logged.measurement().features();
    if (!signals.valid()) {
      add(Bearing.FAIL, "Eqs. 1-5", "a feature is not finite: the worst is assumed");
      return;
    }
    add(
        passes(signals.grounding() >= thresholds.groundingMin()),
        "Eq. 1",
        "@G = clamp(%s*%s + %s*%s) = %s, at least %s is asked",
        shown(weights.groundingOverlapWeight()),
        shown(f.contextOverlap()),
        shown(weights.groundingCitationWeight()),
        shown(f.citationScore()),
        shown(signals.grounding()),
        shown(thresholds.groundingMin()));
    add(
        passes(signals.stochasticity() <= thresholds.stochasticityMax()),
        "Eq. 2",
        "@S = clamp(%s*%s + %s*(1-%s)) = %s, at most %s is allowed",
        shown(weights.stochasticityNovelWeight()),
        shown(f.novelRatio()),
        shown(weights.stochasticityCitationWeight()),
        shown(f.citationScore()),
        shown(signals.stochasticity()),
        shown(thresholds.stochasticityMax()));
    note(
        "Eq. 3",
        logged.confidence().isPresent()
            ? "@C = %s, the agent's own confidence"
            : "@C = @G*(1-@S) = %s",
        shown(signals.certainty()));
    double drift = signals.driftSqrtJsd();
    boolean warns = !(drift <= thresholds.driftWarnSqrtJsd());
    add(
        !(drift <= thresholds.driftCritSqrtJsd())
            ? Bearing.FAIL
            : warns ? Bearing.WARN : Bearing.PASS,
        "Eqs. 4, 5",
        "d = sqrt(JSD) from the ideal (%s, %s, %s, %s) = %s, warns above %s, fails above %s",
        shown(weights.idealContextOverlap()),
        shown(weights.idealCitation()),
        shown(weights.idealNovel()),
        shown(weights.idealQuestionOverlap()),
        shown(drift),
        shown(thresholds.driftWarnSqrtJsd()),
        shown(thresholds.driftCritSqrtJsd()));
  }

  private void core(CoreCheck check) {
    CoreFindings found = check.findings();
    HeldCore core = found.core();
    GuardOutcome outcome = GuardOutcome.of(check);
    String held =
        core.cores().isEmpty()
            ? "there is none for domain " + core.domain()
            : "%s, %s, confirmed %d ms before; of %d governed terms %d certified, %d unknown, %d revoked"
                .formatted(
                    core.cores().stream()
                        .map(CoreVersion::toString)
                        .collect(Collectors.joining(", ")),
                    core.state().code(),
                    core.ageMs(),
                    found.checked(),
                    found.certified(),
                    found.unknown(),
                    found.revoked());
    add(
        switch (outcome.route()) {
          case EXECUTE -> Bearing.PASS;
          case WARN -> Bearing.WARN;
          case REGENERATE, YIELD -> Bearing.FAIL;
        },
        "Core",
        "%s (onUncertified %s, onStale %s, onAbsent %s): %s [%s]",
        held,
        check.policy().onUncertified().code(),
        check.policy().onStale().code(),
        check.policy().onAbsent().code(),
        outcome.route().code(),
        outcome.reason().code());
    RepairPlan.terms(found).ifPresent(words -> note("Terms", "%s", words));
  }

  private void budget(LoggedVerdict logged, Verdict verdict) {
    List<Reason> reasons = verdict.decision().reasons();
    boolean stopped = reasons.contains(Reason.BUDGET) || reasons.contains(Reason.TTL_EXPIRED);
    add(
        stopped ? Bearing.FAIL : Bearing.NOTE,
        "Eq. 6",
        "E = %d of %d regenerations spent, the flow's time is %s%s",
        logged.errors(),
        logged.profile().errorMax(),
        logged.ttlExpired() ? "over" : "not over",
        stopped && logged.profile().yieldUnreadWhenSpent()
            ? "; the profile yields such drafts whatever they say"
            : "");
  }
}
