package dev.parlance.demo.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.agent.OfficerExecutor.Officer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfficerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "The license shall terminate. [Chunk c05]|HIGH RISK: the source [Chunk c05] says: The"
            + " license shall terminate.",
        "You must keep the notice. More.|MODERATE RISK: an answer that names no source says: You"
            + " must keep the notice.",
        "Anyone may read it|LOW RISK: an answer that names no source says: Anyone may read it",
      })
  void answer_isClassified_withOneSentenceOfItAsReason(String answer, String decision) {
    assertThat(
            Officer.decide(
                new AgentReply.Answered(
                    answer, "message", AgentReply.ReceivedVerdict.NONE, Map.of())))
        .isEqualTo(decision);
  }

  @Test
  void rejectedTask_isHeldForReview() {
    assertThat(Officer.decide(withheld("working"))).isEqualTo("NO DECISION: held for review");
  }

  @Test
  void otherEnds_giveNoDecision() {
    assertThat(Officer.decide(withheld("failed"))).isEqualTo("NO DECISION: the task is failed");
    assertThat(Officer.decide(new AgentReply.Failed("no answer in time")))
        .isEqualTo("NO DECISION: no answer in time");
  }

  private static AgentReply withheld(String state) {
    return new AgentReply.Withheld(
        "held", state, AgentReply.ReceivedVerdict.NONE, Optional.empty());
  }
}
