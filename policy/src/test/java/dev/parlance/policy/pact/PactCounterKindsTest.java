package dev.parlance.policy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactEvent.Body;
import dev.parlance.policy.pact.PactState.Phase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Counters of a kind that has no meaning in the phase that they come in. */
class PactCounterKindsTest {
  private static final PactEvent.AcceptAll ACCEPT_ALL = new PactEvent.AcceptAll("n");
  private static final PactEvent.TemplateChoice TEMPLATE =
      new PactEvent.TemplateChoice("n", "t@1", "accept", "");

  private static PactMachine.Step step(PactState state, String from, Body body) {
    return PactMachine.step(state, new PactEvent.Message(1, from, "{}", body));
  }

  private static PactState open() {
    PactState invited =
        step(
                PactState.start(Map.of()),
                "A",
                new PactEvent.Invocation("n", "A", "B", 1000, 1000, List.of()))
            .next();
    Predicate scope = new Predicate("p", "scope", "x=1");
    return step(invited, "A", new PactEvent.Proposal("n", List.of(scope), OptionalLong.empty()))
        .next();
  }

  @Test
  void whileOpen_theySayNothing_andOnlyToWhoseTurnItIs() {
    PactState open = open();
    for (Body body : List.of(ACCEPT_ALL, TEMPLATE)) {
      assertThat(step(open, "B", body))
          .isEqualTo(new PactMachine.Step(open, Optional.of(PactFault.EMPTY_COUNTER)));
      assertThat(step(open, "A", body))
          .isEqualTo(new PactMachine.Step(open, Optional.of(PactFault.OUT_OF_TURN)));
    }
  }

  @Test
  void whenForced_theyAreNoAcceptance() {
    PactState forced = open();
    for (int i = 0; i < PactMachine.DEFAULT_COUNTERS; i++) {
      PactEvent.Response change = new PactEvent.Response("p", "modify", "", "x=" + i, "");
      forced =
          step(
                  forced,
                  i % 2 == 0 ? "B" : "A",
                  new PactEvent.Position("n", List.of(change), OptionalLong.empty()))
              .next();
    }
    assertThat(forced.phase()).isEqualTo(Phase.FORCED);
    for (Body body : List.of(ACCEPT_ALL, TEMPLATE)) {
      PactMachine.Step step = step(forced, "B", body);
      assertThat(step.fault()).contains(PactFault.FORCED_RESOLUTION);
      assertThat(step.next().phase()).isEqualTo(Phase.WALKED_AWAY);
    }
  }
}
