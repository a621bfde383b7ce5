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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Puts the steps of a decision into words. */
final class Findings {
  private static final Set<String> GOOD_ROUND_RESULTS = Set.of("accepted", "repeated", "holds");

  private final JsonNode json;
  private final List<Finding> all = new ArrayList<>();

  private Findings(JsonNode json) {
    this.json = json;
  }

  /** Of a decision that no judge was asked for. */
  static List<Finding> unjudged(JsonNode json) {
    Findings findings = new Findings(json);
    findings.exchange();
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
  static List<Finding> judged(JsonNode json, LoggedVerdict logged, Verdict verdict) {
    Findings findings = new Findings(json);
    findings.exchange();
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
      if (reason.group() == Reason.Group.CONTENT) {
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

  private void claims(ClaimFindings found) {
    note(
        "Claims",
        "%d, the weakest with support %s%s",
        found.claims(),
        found.support(),
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
          claim.support(),
          shown(claim.text()),
          claim.nearest().map(Findings::shown).orElse("nothing"));
      for (ClaimFindings.Detail detail : claim.details()) {
        note(
            "Claim",
            "%s: %s, in the evidence %s",
            detail.departure().code(),
            shown(detail.said()),
            detail.instead().map(Findings::shown).orElse("nothing like it"));
      }
    }
  }

  private static String shown(ClaimFindings.Excerpt excerpt) {
    String where = excerpt.where().isEmpty() ? "" : "[" + excerpt.where() + "] ";
    return where + '"' + excerpt.text() + "\" (" + excerpt.from() + ".." + excerpt.to() + ")";
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
        "Features",
        "of %d tokens %d are in the evidence, %d in the question, %d in neither: o_c=%s s_cite=%s"
            + " n=%s o_q=%s",
        counts.tokens(),
        counts.inContext(),
        counts.inQuestion(),
        counts.novel(),
        features.contextOverlap(),
        features.citationScore(),
        features.novelRatio(),
        features.questionOverlap());
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
        weights.groundingOverlapWeight(),
        f.contextOverlap(),
        weights.groundingCitationWeight(),
        f.citationScore(),
        signals.grounding(),
        thresholds.groundingMin());
    add(
        passes(signals.stochasticity() <= thresholds.stochasticityMax()),
        "Eq. 2",
        "@S = clamp(%s*%s + %s*(1-%s)) = %s, at most %s is allowed",
        weights.stochasticityNovelWeight(),
        f.novelRatio(),
        weights.stochasticityCitationWeight(),
        f.citationScore(),
        signals.stochasticity(),
        thresholds.stochasticityMax());
    note(
        "Eq. 3",
        logged.confidence().isPresent()
            ? "@C = %s, the agent's own confidence"
            : "@C = @G*(1-@S) = %s",
        signals.certainty());
    double drift = signals.driftSqrtJsd();
    boolean warns = !(drift <= thresholds.driftWarnSqrtJsd());
    add(
        !(drift <= thresholds.driftCritSqrtJsd())
            ? Bearing.FAIL
            : warns ? Bearing.WARN : Bearing.PASS,
        "Eqs. 4, 5",
        "d = sqrt(JSD) from the ideal (%s, %s, %s, %s) = %s, warns above %s, fails above %s",
        weights.idealContextOverlap(),
        weights.idealCitation(),
        weights.idealNovel(),
        weights.idealQuestionOverlap(),
        drift,
        thresholds.driftWarnSqrtJsd(),
        thresholds.driftCritSqrtJsd());
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
