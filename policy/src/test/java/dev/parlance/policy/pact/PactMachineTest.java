package dev.parlance.policy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactEvent.Body;
import dev.parlance.policy.pact.PactState.Phase;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each message, and time, in each phase. */
class PactMachineTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          phase,       INVOCATION,   PROPOSAL,     COUNTER,      RATIFICATION,  WALKAWAY,     DISSOLUTION,  time
          INIT,        INVITED,      OUT_OF_STATE, OUT_OF_STATE, OUT_OF_STATE,  OUT_OF_STATE, OUT_OF_STATE, INIT
          INVITED,     OUT_OF_STATE, OPEN,         CONVERGED,    NOT_CONVERGED, WALKED_AWAY,  OUT_OF_STATE, WALKED_AWAY
          OPEN,        OUT_OF_STATE, OUT_OF_STATE, CONVERGED,    NOT_CONVERGED, WALKED_AWAY,  OUT_OF_STATE, WALKED_AWAY
          FORCED,      OUT_OF_STATE, OUT_OF_STATE, CONVERGED,    NOT_CONVERGED, WALKED_AWAY,  OUT_OF_STATE, WALKED_AWAY
          ESCALATED,   OUT_OF_STATE, ARBITRATED,   OUT_OF_STATE, NOT_CONVERGED, WALKED_AWAY,  OUT_OF_STATE, WALKED_AWAY
          ARBITRATED,  OUT_OF_STATE, OUT_OF_STATE, ARBITRATED,   NOT_CONVERGED, WALKED_AWAY,  OUT_OF_STATE, WALKED_AWAY
          CONVERGED,   OUT_OF_STATE, OUT_OF_STATE, OUT_OF_STATE, ACTIVE,        WALKED_AWAY,  OUT_OF_STATE, WALKED_AWAY
          RATIFYING,   OUT_OF_STATE, OUT_OF_STATE, OUT_OF_STATE, ACTIVE,        WALKED_AWAY,  OUT_OF_STATE, WALKED_AWAY
          ACTIVE,      OUT_OF_STATE, IMMUTABLE,    IMMUTABLE,    IMMUTABLE,     IMMUTABLE,    DISSOLVED,    DISSOLVED
          WALKED_AWAY, CLOSED,       CLOSED,       CLOSED,       CLOSED,        CLOSED,       CLOSED,       WALKED_AWAY
          DISSOLVED,   CLOSED,       CLOSED,       CLOSED,       CLOSED,        CLOSED,       CLOSED,       DISSOLVED
          IN_DISPUTE,  CLOSED,       CLOSED,       CLOSED,       CLOSED,        CLOSED,       CLOSED,       IN_DISPUTE
          """)
  void everyMessage_inEveryPhase(
      Phase phase,
      String invocation,
      String proposal,
      String counter,
      String ratification,
      String walkaway,
      String dissolution,
      String time) {
    PactState state = in(phase);
    assertThat(state.phase()).isEqualTo(phase);
    assertThat(said(state, "a", PactWorld.invocation())).isEqualTo(invocation);
    String proposer = phase == Phase.ESCALATED ? PactMachine.ARBITER : "a";
    assertThat(said(state, proposer, PactWorld.proposal(PactWorld.all("one")))).isEqualTo(proposal);
    assertThat(said(state, mover(state), counter(state))).isEqualTo(counter);
    assertThat(said(state, "b", PactWorld.ratification(state, Set.of("a", "b"))))
        .isEqualTo(ratification);
    assertThat(said(state, "a", PactWorld.walkaway())).isEqualTo(walkaway);
    assertThat(said(state, "b", PactWorld.dissolution("work_failed"))).isEqualTo(dissolution);
    assertThat(PactMachine.step(state, new PactEvent.Clock(99, Optional.empty())).next().phase())
        .hasToString(time);
  }

  private static String said(PactState state, String from, Body body) {
    PactMachine.Step step = PactMachine.step(state, PactWorld.message(1, from, body));
    return step.fault().map(PactFault::name).orElse(step.next().phase().name());
  }

  private static String mover(PactState state) {
    return state.phase() == Phase.INVITED ? "b" : state.talks().mover();
  }

  private static Body counter(PactState state) {
    return switch (state.phase()) {
      case INVITED -> PactWorld.template("accept");
      case ARBITRATED -> PactWorld.acceptAll();
      case OPEN, FORCED -> PactWorld.acceptance(state, mover(state));
      default ->
          PactWorld.position(OptionalLong.empty(), PactWorld.response("scope", "modify", "two"));
    };
  }

  private static PactState then(PactState state, String from, Body body) {
    PactMachine.Step step = PactMachine.step(state, PactWorld.message(1, from, body));
    assertThat(step.fault()).isEmpty();
    return step.next();
  }

  /** A state of each phase, by the shortest way. */
  private static PactState in(Phase phase) {
    return switch (phase) {
      case INIT -> PactWorld.start(1);
      case INVITED -> then(in(Phase.INIT), "a", PactWorld.invocation());
      case OPEN -> then(in(Phase.INVITED), "a", PactWorld.proposal(PactWorld.all("one")));
      case FORCED ->
          then(
              in(Phase.OPEN),
              "b",
              PactWorld.position(
                  OptionalLong.empty(),
                  PactWorld.response("scope", "modify", "two"),
                  PactWorld.response("action", "accept", ""),
                  PactWorld.response("output", "accept", ""),
                  PactWorld.response("success", "accept", ""),
                  PactWorld.response("failure", "accept", ""),
                  PactWorld.response("dispute", "accept", ""),
                  PactWorld.response("audit", "accept", ""),
                  PactWorld.response("termination", "accept", "")));
      case ESCALATED ->
          then(then(in(Phase.OPEN), "a", PactWorld.escalation()), "b", PactWorld.escalation());
      case ARBITRATED ->
          then(in(Phase.ESCALATED), PactMachine.ARBITER, PactWorld.proposal(PactWorld.all("two")));
      case CONVERGED -> then(in(Phase.INVITED), "b", PactWorld.template("accept"));
      case RATIFYING ->
          then(in(Phase.CONVERGED), "a", PactWorld.ratification(in(Phase.CONVERGED), Set.of("a")));
      case ACTIVE ->
          then(
              in(Phase.CONVERGED),
              "a",
              PactWorld.ratification(in(Phase.CONVERGED), Set.of("a", "b")));
      case WALKED_AWAY -> then(in(Phase.OPEN), "a", PactWorld.walkaway());
      case DISSOLVED -> then(in(Phase.ACTIVE), "a", PactWorld.dissolution("work_failed"));
      case IN_DISPUTE -> then(in(Phase.ACTIVE), "a", PactWorld.dissolution("dispute_escalated"));
    };
  }
}
