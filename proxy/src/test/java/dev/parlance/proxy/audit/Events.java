package dev.parlance.proxy.audit;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Events for tests, judged by the real judge. */
final class Events {
  static final String CONTEXT =
      "Each Contributor grants You a perpetual, worldwide, non-exclusive, no-charge, royalty-free,"
          + " irrevocable copyright license to reproduce and distribute the Work.";
  static final String FAITHFUL =
      "Each Contributor grants You a perpetual, worldwide, royalty-free copyright license to"
          + " reproduce and distribute the Work [Chunk 3].";
  static final String INVENTED =
      "Nobody may ever resell anything; fines of 5000 dollars apply immediately everywhere.";

  private Events() {}

  static Evidence evidence(OptionalDouble confidence) {
    return new Evidence(
        EvidenceSource.DECLARED,
        List.of(new Chunk("3", Utf8Span.of(CONTEXT))),
        List.of(),
        confidence,
        List.of(
            new Assumption(Assumption.Basis.H, "guess"), new Assumption(Assumption.Basis.K, "42")));
  }

  static ReplayableVerdict judged(
      Estimator estimator,
      String answer,
      Evidence evidence,
      Profile profile,
      int errors,
      Grounding grounding,
      boolean ttlExpired) {
    var message = new AgentMessage(Utf8Span.of(answer), Utf8Span.of("What is granted?"), evidence);
    Verdict verdict = new Judge(estimator).judge(message, profile, errors, grounding, ttlExpired);
    return ReplayableVerdict.of(verdict, evidence, profile, grounding, ttlExpired, List.of());
  }

  static ReplayableVerdict judged(String answer) {
    return judged(
        new TokenOverlapEstimator(1L),
        answer,
        evidence(OptionalDouble.empty()),
        Profiles.OVERLAP,
        0,
        Grounding.OPTIONAL,
        false);
  }

  static DecisionEvent decision(String id, ReplayableVerdict judgement) {
    Decision decision = judgement.verdict().decision();
    return decision(id, Optional.of(judgement), decision.route(), decision.reasons());
  }

  static DecisionEvent decision(
      String id, Optional<ReplayableVerdict> judgement, Route route, List<Reason> reasons) {
    return new DecisionEvent(
        1_700_000_000_123L,
        "node-b",
        id,
        "rev-7",
        new DecisionEvent.Place(
            "flow-1",
            "0af7651916cd43dd8448eb211c80319c",
            "inbound",
            "response",
            "a2a-1.0",
            "POST",
            "/rpc?token=secret",
            "127.0.0.1",
            "default"),
        1,
        "enforce",
        judgement,
        route,
        reasons,
        "forward",
        Optional.empty(),
        new DecisionEvent.Traffic(200, 512, 640, "ab".repeat(32), 1500, 40, 1400),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  static DecisionEvent decision(String id) {
    return decision(id, judged(FAITHFUL));
  }

  static DecisionEvent held(String id, String reviewId) {
    DecisionEvent event = decision(id);
    return new DecisionEvent(
        event.tsMs(),
        event.node(),
        event.id(),
        event.configRevision(),
        event.place(),
        3,
        event.mode(),
        event.judgement(),
        Route.YIELD,
        List.of(Reason.G_LOW, Reason.BUDGET),
        "hold",
        Optional.of(reviewId),
        event.traffic(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
