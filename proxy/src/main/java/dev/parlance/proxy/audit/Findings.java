package dev.parlance.proxy.audit;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profile.Thresholds;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.RepairPlan;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.SignalWeights;
import dev.parlance.policy.signal.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Puts the steps of a decision into words. */
final class Findings {
  private static final Set<String> GOOD_ROUND_RESULTS = Set.of("accepted", "repeated", "holds");

  /** Reasons that follow from the text itself, not from a threshold or a budget. */
  private static final Map<Reason, String> RULES =
      Map.of(
          Reason.EMPTY_ANSWER, "the answer has no token",
          Reason.SHORT_ANSWER, "the answer has fewer tokens than the profile asks for",
          Reason.CITATION_UNKNOWN, "it cites something that is not in the evidence",
          Reason.NUMBER_UNSUPPORTED,
              "it has a number that neither the evidence nor the question has",
          Reason.QUESTION_ECHO, "it only repeats words of the question");

  private Findings() {}

  /** What the message was. */
  static List<Explanation.Finding> exchange(JsonNode json) {
    List<Explanation.Finding> findings = new ArrayList<>();
    findings.add(
        note(
            "Message",
            "%s, draft %s of flow %s, %s %s %s %s from %s, %s"
                .formatted(
                    shown(json, "kind"),
                    json.path("attempt"),
                    shown(json, "flow"),
                    shown(json, "direction"),
                    shown(json, "protocol"),
                    shown(json, "method"),
                    shown(json, "path"),
                    shown(json, "peer"),
                    shown(json, "ts"))));
    JsonNode stream = json.path("stream");
    if (stream.isObject()) {
      findings.add(
          note(
              "Stream",
              "in mode %s, after %s events of %s bytes, the first that waited held for %s ms"
                  .formatted(
                      shown(stream, "mode"),
                      stream.path("events"),
                      stream.path("bytes"),
                      stream.path("heldMs"))));
    }
    return findings;
  }

  private static String shown(JsonNode json, String name) {
    String text = json.path(name).asString("");
    return text.isEmpty() ? "-" : text;
  }

  /** What the gate did in the end. */
  static List<Explanation.Finding> outcome(JsonNode json) {
    List<Explanation.Finding> findings = new ArrayList<>();
    round(json.path("round")).ifPresent(findings::add);
    JsonNode judged = json.path("judged");
    String route = json.path("route").asString("");
    String reasons = Replay.codes(json.path("reasons"));
    if (judged.has("route") && !judged.path("route").asString("").equals(route)) {
      findings.add(
          note(
              "Gate",
              "the judge said %s; the gate made it %s [%s]"
                  .formatted(judged.path("route").asString(""), route, reasons)));
    } else {
      findings.add(note("Gate", "%s [%s]".formatted(route, reasons)));
    }
    findings.add(
        note(
            "Action",
            "%s, in mode %s, by rule '%s' of configuration %s"
                .formatted(
                    shown(json, "action"),
                    shown(json, "mode"),
                    shown(json, "routeRule"),
                    shown(json, "configRevision"))));
    if (json.has("reviewId")) {
      findings.add(note("Review", "held as " + json.path("reviewId").asString("")));
    }
    return findings;
  }

  /** What it had to do with a round, which stands between the judge's word and what was done. */
  private static Optional<Explanation.Finding> round(JsonNode round) {
    if (!round.isObject()) {
      return Optional.empty();
    }
    String result = shown(round, "result");
    String detail = round.path("detail").asString("");
    boolean good = GOOD_ROUND_RESULTS.contains(result);
    return Optional.of(
        new Explanation.Finding(
            "Round",
            "%s of %s: %s%s"
                .formatted(
                    shown(round, "what"),
                    shown(round, "id"),
                    result,
                    detail.isEmpty() ? "" : " (" + detail + ")"),
            good ? Explanation.Bearing.PASS : Explanation.Bearing.FAIL));
  }

  /** From the counts to the route. */
  static List<Explanation.Finding> judgement(JsonNode json, LoggedVerdict logged, Verdict verdict) {
    List<Explanation.Finding> findings = new ArrayList<>();
    Optional<Signals> signals = verdict.signals();
    if (signals.isEmpty()) {
      findings.add(
          note(
              "Evidence",
              "none, and the route says that grounding is %s; nothing can be measured"
                  .formatted(logged.grounding().code())));
    } else {
      counts(json, logged, findings);
      equations(logged, signals.get(), findings);
    }
    rules(verdict, findings);
    logged.core().ifPresent(check -> core(check, findings));
    budget(logged, verdict, findings);
    verdict.header().map(AspHeader::text).ifPresent(text -> findings.add(note("Header", text)));
    findings.add(
        note(
            "Judge",
            "%s [%s], regime %s, profile %s"
                .formatted(
                    verdict.decision().route().code(),
                    Replay.codes(verdict.decision().reasons()),
                    verdict.regime().code(),
                    logged.profile().name())));
    return findings;
  }

  private static void counts(
      JsonNode json, LoggedVerdict logged, List<Explanation.Finding> findings) {
    Counts counts = logged.measurement().counts();
    Features features = logged.measurement().features();
    findings.add(
        note(
            "Evidence",
            "%s; %d ids cited, %d of them known: cited [%s], known [%s]"
                .formatted(
                    logged.source().code(),
                    counts.cited(),
                    counts.citedKnown(),
                    Replay.codes(json.path("citedIds")),
                    Replay.codes(json.path("validIds")))));
    findings.add(
        note(
            "Features",
            "of %d tokens %d are in the evidence, %d in the question, %d in neither: o_c=%s s_cite=%s n=%s o_q=%s"
                .formatted(
                    counts.tokens(),
                    counts.inContext(),
                    counts.inQuestion(),
                    counts.novel(),
                    features.contextOverlap(),
                    features.citationScore(),
                    features.novelRatio(),
                    features.questionOverlap())));
  }

  private static void equations(
      LoggedVerdict logged, Signals signals, List<Explanation.Finding> findings) {
    Profile profile = logged.profile();
    SignalWeights weights = profile.weights();
    Thresholds thresholds = profile.thresholds();
    Features f = logged.measurement().features();
    if (!signals.valid()) {
      findings.add(
          new Explanation.Finding(
              "Eqs. 1-5",
              "a feature is not finite: the worst is assumed",
              Explanation.Bearing.FAIL));
      return;
    }
    findings.add(
        tested(
            "Eq. 1",
            "@G = clamp(%s*%s + %s*%s) = %s, at least %s is asked"
                .formatted(
                    weights.groundingOverlapWeight(),
                    f.contextOverlap(),
                    weights.groundingCitationWeight(),
                    f.citationScore(),
                    signals.grounding(),
                    thresholds.groundingMin()),
            signals.grounding() >= thresholds.groundingMin()));
    findings.add(
        tested(
            "Eq. 2",
            "@S = clamp(%s*%s + %s*(1-%s)) = %s, at most %s is allowed"
                .formatted(
                    weights.stochasticityNovelWeight(),
                    f.novelRatio(),
                    weights.stochasticityCitationWeight(),
                    f.citationScore(),
                    signals.stochasticity(),
                    thresholds.stochasticityMax()),
            signals.stochasticity() <= thresholds.stochasticityMax()));
    findings.add(
        note(
            "Eq. 3",
            logged.confidence().isPresent()
                ? "@C = %s, the agent's own confidence".formatted(signals.certainty())
                : "@C = @G*(1-@S) = %s".formatted(signals.certainty())));
    findings.add(drift(profile, signals.driftSqrtJsd()));
  }

  private static Explanation.Finding drift(Profile profile, double drift) {
    SignalWeights weights = profile.weights();
    Thresholds thresholds = profile.thresholds();
    Explanation.Bearing bearing = Explanation.Bearing.PASS;
    if (!(drift <= thresholds.driftCritSqrtJsd())) {
      bearing = Explanation.Bearing.FAIL;
    } else if (!(drift <= thresholds.driftWarnSqrtJsd())) {
      bearing = Explanation.Bearing.WARN;
    }
    return new Explanation.Finding(
        "Eqs. 4, 5",
        "d = sqrt(JSD) from the ideal (%s, %s, %s, %s) = %s, warns above %s, fails above %s"
            .formatted(
                weights.idealContextOverlap(),
                weights.idealCitation(),
                weights.idealNovel(),
                weights.idealQuestionOverlap(),
                drift,
                thresholds.driftWarnSqrtJsd(),
                thresholds.driftCritSqrtJsd()),
        bearing);
  }

  private static void rules(Verdict verdict, List<Explanation.Finding> findings) {
    for (Reason reason : verdict.decision().reasons()) {
      String rule = RULES.get(reason);
      if (rule != null) {
        findings.add(new Explanation.Finding("Rule", rule, Explanation.Bearing.FAIL));
      }
    }
  }

  private static void core(CoreCheck check, List<Explanation.Finding> findings) {
    CoreFindings found = check.findings();
    HeldCore core = found.core();
    GuardOutcome outcome = GuardOutcome.of(check);
    Explanation.Bearing bearing =
        switch (outcome.route()) {
          case EXECUTE -> Explanation.Bearing.PASS;
          case WARN -> Explanation.Bearing.WARN;
          case REGENERATE, YIELD -> Explanation.Bearing.FAIL;
        };
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
    String policy =
        "onUncertified %s, onStale %s, onAbsent %s"
            .formatted(
                check.policy().onUncertified().code(),
                check.policy().onStale().code(),
                check.policy().onAbsent().code());
    findings.add(
        new Explanation.Finding(
            "Core",
            "%s (%s): %s [%s]"
                .formatted(held, policy, outcome.route().code(), outcome.reason().code()),
            bearing));
    RepairPlan.terms(found).ifPresent(words -> findings.add(note("Terms", words)));
  }

  private static void budget(
      LoggedVerdict logged, Verdict verdict, List<Explanation.Finding> findings) {
    List<Reason> reasons = verdict.decision().reasons();
    boolean stopped = reasons.contains(Reason.BUDGET) || reasons.contains(Reason.TTL_EXPIRED);
    String unread =
        stopped && logged.profile().yieldUnreadWhenSpent()
            ? "; the profile yields such drafts whatever they say"
            : "";
    findings.add(
        new Explanation.Finding(
            "Eq. 6",
            "E = %d of %d regenerations spent, the flow's time is %s%s"
                .formatted(
                    logged.errors(),
                    logged.profile().errorMax(),
                    logged.ttlExpired() ? "over" : "not over",
                    unread),
            stopped ? Explanation.Bearing.FAIL : Explanation.Bearing.NOTE));
  }

  private static Explanation.Finding tested(String topic, String text, boolean passes) {
    return new Explanation.Finding(
        topic, text, passes ? Explanation.Bearing.PASS : Explanation.Bearing.FAIL);
  }

  private static Explanation.Finding note(String topic, String text) {
    return new Explanation.Finding(topic, text, Explanation.Bearing.NOTE);
  }
}
