package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.CertificateState.Effect;
import dev.parlance.policy.commit.CertificateState.SignatureCheck;
import dev.parlance.policy.commit.CertificateState.SignatureRefusal;
import dev.parlance.policy.commit.CertificateState.Signed;
import dev.parlance.policy.commit.CertificateState.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One test per line of the table in {@link CertificateState}, and what holds of any order. */
class CertificateStateTest {
  private static final String OUTCOME = "ab".repeat(32);
  private static final String OTHER = "cd".repeat(32);
  private static final RoundSpec SPEC = Rounds.spec(new RoundId("r", 1), 4, 1, 2, 0.9);

  private static Signed signed(int member, String outcome) {
    return new Signed(Rounds.agent(member), outcome, SignatureCheck.HOLDS);
  }

  private static CertificateState after(Signed... events) {
    CertificateState state = CertificateState.of(SPEC, OUTCOME);
    for (Signed event : events) {
      state = state.step(event).next();
    }
    return state;
  }

  private static Effect effect(CertificateState state, Signed event) {
    return state.step(event).effect();
  }

  @Test
  void twoFPlusOneSignatures_areFinal_andOneFewerAreNot() {
    CertificateState two = after(signed(0, OUTCOME), signed(2, OUTCOME));
    assertThat(two.status()).isEqualTo(Status.COLLECTING);
    assertThat(two.withheld()).containsExactly(Rounds.agent(1), Rounds.agent(3));
    assertThat(effect(two, signed(3, OUTCOME))).isEqualTo(new Effect.Finished());
    assertThat(two.step(signed(3, OUTCOME)).next().status()).isEqualTo(Status.FINAL);
  }

  @Test
  void aSignatureThatComesLate_isOneMore() {
    CertificateState done = after(signed(0, OUTCOME), signed(1, OUTCOME), signed(2, OUTCOME));
    assertThat(effect(done, signed(3, OUTCOME))).isEqualTo(new Effect.Counted());
    assertThat(done.step(signed(3, OUTCOME)).next().withheld()).isEmpty();
  }

  @Test
  void theSameSignatureAgain_isNoSecondOne() {
    CertificateState two = after(signed(0, OUTCOME), signed(0, OUTCOME), signed(0, OUTCOME));
    assertThat(effect(two, signed(0, OUTCOME))).isEqualTo(new Effect.Repeated());
    assertThat(two.status()).isEqualTo(Status.COLLECTING);
    assertThat(two.signers()).containsExactly(Rounds.agent(0));
  }

  @Test
  void aMemberThatSignsTwoOutcomes_countsForNeither() {
    CertificateState one = after(signed(0, OUTCOME), signed(1, OUTCOME));
    CertificateState.Step step = one.step(signed(1, OTHER));
    assertThat(step.effect()).isEqualTo(new Effect.Contradicted(OUTCOME, OTHER));
    assertThat(step.next().signers()).containsExactly(Rounds.agent(0));
    assertThat(effect(step.next(), signed(1, OUTCOME)))
        .isEqualTo(new Effect.Refused(SignatureRefusal.CONTRADICTED));
  }

  @Test
  void finalStaysFinal_whenAMemberSignsAnotherOutcomeAfterwards() {
    CertificateState done =
        after(signed(0, OUTCOME), signed(1, OUTCOME), signed(2, OUTCOME), signed(2, OTHER));
    assertThat(done.status()).isEqualTo(Status.FINAL);
    assertThat(done.contradicted()).containsExactly(Rounds.agent(2));
  }

  @Test
  void signaturesUnderAnotherOutcome_neverMakeThisOneFinal() {
    CertificateState state = after(signed(0, OTHER), signed(1, OTHER), signed(2, OTHER));
    assertThat(state.status()).isEqualTo(Status.COLLECTING);
    assertThat(state.signers()).isEmpty();
  }

  @Test
  void whatDoesNotHold_isRefusedWithItsReason() {
    CertificateState state = after();
    assertThat(effect(state, new Signed("stranger", OUTCOME, SignatureCheck.HOLDS)))
        .isEqualTo(new Effect.Refused(SignatureRefusal.NOT_A_MEMBER));
    assertThat(effect(state, new Signed(Rounds.agent(0), OUTCOME, SignatureCheck.NO_KEY)))
        .isEqualTo(new Effect.Refused(SignatureRefusal.KEY_UNKNOWN));
    assertThat(effect(state, new Signed(Rounds.agent(0), OUTCOME, SignatureCheck.WRONG)))
        .isEqualTo(new Effect.Refused(SignatureRefusal.SIGNATURE_WRONG));
  }

  @Test
  void fFaultyMembers_neitherPreventFinalityNorMakeTwo_inAnyOrder() {
    Random random = new Random(42);
    for (int run = 0; run < 3_000; run++) {
      int faults = 1 + random.nextInt(5);
      RoundSpec spec = Rounds.spec(new RoundId("r", 1), 3 * faults + 1, faults, 2, 0.9);
      CertificateState here = CertificateState.of(spec, OUTCOME);
      CertificateState there = CertificateState.of(spec, OTHER);
      List<Integer> order = new ArrayList<>();
      for (int member = 0; member < spec.size(); member++) {
        order.add(member);
        order.add(member);
      }
      Collections.shuffle(order, random);
      for (int member : order) {
        boolean isFaulty = member < faults;
        SignatureCheck check =
            isFaulty ? SignatureCheck.values()[random.nextInt(3)] : SignatureCheck.HOLDS;
        String said = isFaulty && random.nextBoolean() ? OTHER : OUTCOME;
        Signed event = new Signed(Rounds.agent(member), said, check);
        here = here.step(event).next();
        there = there.step(event).next();
      }
      assertThat(here.status()).as("run %s", run).isEqualTo(Status.FINAL);
      assertThat(there.status()).as("run %s", run).isEqualTo(Status.COLLECTING);
    }
  }
}
