package dev.parlance.policy.pact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.pact.PactNegotiator.Move;
import dev.parlance.policy.pact.PactPolicy.Bound;
import dev.parlance.policy.pact.PactPolicy.Rule;
import dev.parlance.policy.pact.PactState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Policies that hand what they do not find to an arbiter, and take its decision. */
class PactArbiterTest {
  private static final String BOARD = "board";
  private static final PactCase CASE = new PactCase("n-1", "a", "b", BOARD, "p-1", 5000);

  private static Rule rule(String peer, int mostKb, Optional<String> arbiter, int mostOfArbiter) {
    List<Predicate> position = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      boolean isOutput = category == PactCategory.OUTPUT;
      position.add(
          new Predicate(
              category.code(), category.code(), isOutput ? "max_kb=" + mostKb : "free text"));
    }
    Bound bound = mostKb > 10 ? new Bound.AtLeast(mostKb) : new Bound.AtMost(mostKb);
    Bound wider = mostKb > 10 ? new Bound.AtLeast(mostOfArbiter) : new Bound.AtMost(mostOfArbiter);
    return new Rule(
        List.of(peer),
        Set.of(),
        Set.of(),
        Set.of("*"),
        List.of(),
        position,
        Map.of("max_kb", List.of(bound)),
        Set.of(),
        arbiter.map(name -> new PactPolicy.Arbiter(name, 1, Map.of("max_kb", List.of(wider)))));
  }

  /** What both have said at the end; who gave up last is in the list. */
  private static PactState negotiate(Rule a, Rule b, PactState start, List<String> gaveUp) {
    PactState state = start;
    int waits = 0;
    for (int i = 0; i < 80 && waits < 2; i++) {
      String self = i % 2 == 0 ? "a" : "b";
      switch (PactNegotiator.next(state, self, self.equals("a") ? a : b)) {
        case Move.Wait _ -> waits++;
        case Move.Say(List<PactEvent.Body> bodies) -> {
          waits = 0;
          for (PactEvent.Body body : bodies) {
            state = said(state, self, body);
          }
        }
        case Move.GiveUp left -> {
          gaveUp.add(self + " " + left.reason());
          return said(state, self, new PactEvent.Walkaway("n-1", left.reason()));
        }
        case Move.Ratify _ -> {
          return state;
        }
      }
    }
    return state;
  }

  private static PactState said(PactState state, String from, PactEvent.Body body) {
    PactMachine.Step step =
        PactMachine.step(state, new PactEvent.Message(10, from, body.toString(), body));
    assertThat(step.fault()).as(body.toString()).isEmpty();
    return step.next();
  }

  private static PactState invited(Map<String, PactTemplate> templates) {
    return said(
        PactState.start(templates),
        "a",
        new PactEvent.Invocation("n-1", "a", "b", 1000, 1000, List.copyOf(templates.keySet())));
  }

  private static Map<String, PactTemplate> decided(PactCase of, String body) {
    List<Predicate> terms = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      boolean isOutput = category == PactCategory.OUTPUT;
      terms.add(new Predicate(category.code(), category.code(), isOutput ? body : "decided"));
    }
    return Map.of(of.reference(), new PactTemplate(terms, OptionalInt.empty(), Optional.of(of)));
  }

  @Test
  void boundsThatCannotMeet_goToTheArbiterThatBothName() {
    List<String> gaveUp = new ArrayList<>();
    PactState end =
        negotiate(
            rule("b", 20, Optional.of(BOARD), 12),
            rule("a", 4, Optional.of(BOARD), 12),
            invited(Map.of()),
            gaveUp);
    assertThat(gaveUp).isEmpty();
    assertThat(end.phase()).isEqualTo(Phase.ESCALATED);
  }

  @Test
  void whereOneNamesNoArbiter_bothLeave() {
    for (boolean isFirst : new boolean[] {true, false}) {
      List<String> gaveUp = new ArrayList<>();
      PactState end =
          negotiate(
              rule("b", 20, Optional.of(BOARD).filter(_ -> isFirst), 12),
              rule("a", 4, Optional.of(BOARD).filter(_ -> !isFirst), 12),
              invited(Map.of()),
              gaveUp);
      assertThat(end.phase()).isEqualTo(Phase.WALKED_AWAY);
      assertThat(gaveUp).hasSize(1);
    }
  }

  @Test
  void whatTheArbiterDecided_isSignedWithinTheBoundsForIt() {
    List<String> gaveUp = new ArrayList<>();
    Rule a = rule("b", 20, Optional.of(BOARD), 12);
    Rule b = rule("a", 4, Optional.of(BOARD), 12);
    PactState end = negotiate(a, b, invited(decided(CASE, "max_kb=12")), gaveUp);
    assertThat(gaveUp).isEmpty();
    assertThat(end.phase()).isEqualTo(Phase.CONVERGED);
    assertThat(end.agreed()).extracting(Predicate::body).contains("max_kb=12");
    PactState beyond = negotiate(a, b, invited(decided(CASE, "max_kb=13")), gaveUp);
    assertThat(beyond.phase()).isEqualTo(Phase.WALKED_AWAY);
    assertThat(gaveUp).containsExactly("b template_mismatch");
  }

  @Test
  void aDecisionOfAnother_orOfACaseOfOthers_isNoTemplate() {
    Rule a = rule("b", 20, Optional.of(BOARD), 12);
    Rule b = rule("a", 4, Optional.of(BOARD), 12);
    for (PactCase wrong :
        List.of(
            new PactCase("n-1", "a", "b", "mallory", "p-1", 5000),
            new PactCase("n-1", "a", "c", BOARD, "p-1", 5000),
            new PactCase("n-1", "c", "b", BOARD, "p-1", 5000))) {
      List<String> gaveUp = new ArrayList<>();
      negotiate(a, b, invited(decided(wrong, "max_kb=12")), gaveUp);
      assertThat(gaveUp).containsExactly("b template_mismatch");
    }
  }

  @Test
  void aPartyDecidesNothingItself() {
    assertThatThrownBy(() -> new PactCase("n-1", "a", "b", "b", "p-1", 1))
        .hasMessageContaining("none of them");
  }
}
