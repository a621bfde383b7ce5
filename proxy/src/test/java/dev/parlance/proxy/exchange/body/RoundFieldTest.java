package dev.parlance.proxy.exchange.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.wire.api.RoundStatus;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundFieldTest {
  private static final RoundId ID = new RoundId("loan/7", 2);

  private static String field(RoundStatus status) {
    HttpHeaders headers = new DefaultHttpHeaders();
    VerdictFields.writeRound(headers, status);
    return headers.get(VerdictFields.ROUND);
  }

  private static RoundStatus.Ended ended(
      String kind, Optional<String> reason, Optional<String> verdict, Optional<String> digest) {
    return new RoundStatus.Ended(kind, reason, verdict, digest, "note");
  }

  @Test
  void fieldOfARound_namesItsState_andItsOutcomeOnceItHasEnded() {
    assertThat(field(new RoundStatus(ID, "collecting", 100, Optional.empty())))
        .isEqualTo("loan/7:2; state=collecting");
    assertThat(
            field(
                new RoundStatus(
                    ID,
                    "decided",
                    0,
                    Optional.of(
                        ended(
                            "verdict_commit",
                            Optional.empty(),
                            Optional.of("YES"),
                            Optional.of("ab"))))))
        .isEqualTo("loan/7:2; state=decided; outcome=verdict_commit; digest=ab");
    assertThat(
            field(
                new RoundStatus(
                    ID,
                    "expired",
                    0,
                    Optional.of(
                        ended(
                            "abort",
                            Optional.of("INSUFFICIENT_DELIVERY"),
                            Optional.empty(),
                            Optional.empty())))))
        .isEqualTo("loan/7:2; state=expired; outcome=abort; reason=INSUFFICIENT_DELIVERY");
  }

  @Test
  void whatIsNoName_neverReachesAHeader() {
    RoundStatus strange =
        new RoundStatus(
            ID,
            "decided\r\nX: y",
            0,
            Optional.of(
                ended(
                    "abort",
                    Optional.of("a; state=open"),
                    Optional.of("YES\u0000"),
                    Optional.empty())));
    assertThat(field(strange)).isEqualTo("loan/7:2; outcome=abort");
  }

  @Test
  void fieldThatAnAgentWrote_isTakenOff() {
    HttpHeaders headers = new DefaultHttpHeaders().add("parlance-ROUND", "r:1").add("Accept", "*");
    assertThat(VerdictFields.strip(headers)).isEqualTo(1);
    assertThat(headers.names()).containsExactly("Accept");
  }
}
