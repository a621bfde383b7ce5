package dev.parlance.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Lines of decisions in which the core guard had a say. */
class CoreReplayTest {
  private static final String DOMAIN =
      "loans/eu@v2"; // an id may look like the end of a core's name

  private static final List<CoreFindings> FINDINGS =
      List.of(
          CoreGuard.withoutCore(HeldCore.absent(DOMAIN, Optional.empty())),
          new CoreFindings(held(CoreState.FRESH), 3, 0, 0, List.of()),
          new CoreFindings(held(CoreState.STALE), 0, 0, 0, List.of()),
          new CoreFindings(
              held(CoreState.STALE),
              1,
              1,
              1,
              List.of(
                  new CoreFindings.Offence(
                      "rate", TermStatus.UNTESTED, Optional.of("\u91D1 \u5229")),
                  new CoreFindings.Offence("fee", TermStatus.REVOKED, Optional.empty()))),
          new CoreFindings(
              held(CoreState.FRESH),
              0,
              1,
              0,
              List.of(new CoreFindings.Offence("rate", TermStatus.REFUSED, Optional.empty()))));

  @Test
  void everyDecisionWithACore_reproducesFromItsLine() {
    int lines = 0;
    for (CoreFindings findings : FINDINGS) {
      for (OnUncertified uncertified : OnUncertified.values()) {
        for (OnCoreGap gap : OnCoreGap.values()) {
          for (int errors : new int[] {0, 2}) {
            for (boolean expired : new boolean[] {false, true}) {
              for (ReplayableVerdict judgement :
                  judgements(
                      new CoreCheck(findings, new GuardPolicy(uncertified, gap, gap)),
                      errors,
                      expired)) {
                String line = AuditJson.line(Events.decision("d-1", judgement));
                Explanation explanation = explained(line);
                assertThat(explanation.reproduces()).as(line).isTrue();
                assertThat(explanation.text()).contains("Core ").isASCII();
                assertThat(LoggedVerdict.LoggedCore.read(Replay.JSON.readTree(line)))
                    .isEqualTo(judgement.verdict().core());
                lines++;
              }
            }
          }
        }
      }
    }
    assertThat(lines).isEqualTo(5 * 3 * 3 * 2 * 2 * 4);
  }

  @Test
  void aLineWhoseCoreWasChanged_doesNotReproduce() {
    CoreCheck check = new CoreCheck(FINDINGS.getLast(), GuardPolicy.CONSEQUENTIAL);
    String line = AuditJson.line(Events.decision("d-1", judgements(check, 0, false).getFirst()));
    ObjectNode changed = (ObjectNode) Replay.JSON.readTree(line);
    ((ObjectNode) changed.path("core")).put("onUncertified", "count");
    assertThat(explained(changed.toString()).reproduces()).isFalse();

    ((ObjectNode) changed.path("core")).put("onUncertified", "sometimes");
    assertThat(Replay.of(changed.toString()))
        .isEqualTo(new Replay.Result.Unreadable("bad_line", "unknown onUncertified: 'sometimes'"));
    ((ObjectNode) changed.path("core")).put("onUncertified", "count").put("unknown", 5);
    assertThat(Replay.of(changed.toString())).isInstanceOf(Replay.Result.Unreadable.class);
  }

  private static List<ReplayableVerdict> judgements(CoreCheck check, int errors, boolean expired) {
    List<ReplayableVerdict> judgements = new ArrayList<>();
    for (String answer : List.of(Events.FAITHFUL, Events.INVENTED)) {
      for (Evidence evidence : List.of(Events.evidence(OptionalDouble.empty()), Evidence.NONE)) {
        Verdict verdict =
            new Judge(new TokenOverlapEstimator(1))
                .judge(
                    new AgentMessage(
                        Utf8Span.of(answer), Utf8Span.of("What is granted?"), evidence),
                    Profiles.OVERLAP,
                    errors,
                    Grounding.OPTIONAL,
                    expired,
                    Optional.of(check));
        // As the gate logs it: from the reasons, which name it only where it mattered.
        boolean mattered =
            verdict.decision().reasons().contains(dev.parlance.policy.route.Reason.TTL_EXPIRED);
        judgements.add(
            ReplayableVerdict.of(
                verdict, evidence, Profiles.OVERLAP, Grounding.OPTIONAL, mattered, List.of()));
      }
    }
    return judgements;
  }

  private static HeldCore held(CoreState state) {
    return new HeldCore(
        DOMAIN,
        Optional.of("bank:a"),
        state,
        List.of(
            new CoreVersion(new CoreId(List.of("bank:a", "x/y@z"), DOMAIN), 12),
            new CoreVersion(new CoreId(List.of("bank:a", "c", "d"), DOMAIN), 1)),
        77);
  }

  private static Explanation explained(String line) {
    return switch (Replay.of(line)) {
      case Replay.Result.Explained(Explanation explanation) -> explanation;
      case Replay.Result.Unreadable(String code, String detail) ->
          throw new AssertionError(code + ": " + detail + " in " + line);
    };
  }
}
