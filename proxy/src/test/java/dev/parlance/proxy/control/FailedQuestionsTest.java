package dev.parlance.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.control.AgentAnswer.Failure;
import org.junit.jupiter.api.Test;

class FailedQuestionsTest {
  @Test
  void anAuditThatFailsAsAWhole_isSaidOnceInAMinute_withHowManyWereNot() {
    FailedQuestions failed = new FailedQuestions();
    assertThat(failed.add(Failure.UNREADABLE_ANSWER, 5)).hasValue(0);
    for (int i = 0; i < 300; i++) {
      assertThat(failed.add(Failure.UNREADABLE_ANSWER, 5 + i)).isEmpty();
    }
    assertThat(failed.add(Failure.UNREADABLE_ANSWER, 4 + FailedQuestions.PAUSE_MS)).isEmpty();
    assertThat(failed.add(Failure.UNREADABLE_ANSWER, 5 + FailedQuestions.PAUSE_MS)).hasValue(301);
    assertThat(failed.add(Failure.UNREADABLE_ANSWER, 5 + 2 * FailedQuestions.PAUSE_MS)).hasValue(0);
  }

  @Test
  void anotherFailure_isSaidBesideIt() {
    FailedQuestions failed = new FailedQuestions();
    assertThat(failed.add(Failure.TIMEOUT, 0)).hasValue(0);
    assertThat(failed.add(Failure.AGENT_UNREACHABLE, 1)).hasValue(0);
    assertThat(failed.add(Failure.TIMEOUT, 2)).isEmpty();
  }
}
