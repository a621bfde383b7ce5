package dev.parlance.cli.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Run;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What `parlance review` says to a sidecar about claims, undo, links and figures. */
class ReviewActsTest extends StubbedAdmin {
  private String answer = "{}";
  private int status = 200;

  ReviewActsTest() throws IOException {}

  @Override
  Reply answer(String asked, String authorization) {
    return new Reply(status, answer);
  }

  @Test
  void claim_saysForHowLong() {
    answer = "{\"review\":{\"claim\":{\"who\":\"ada\",\"untilMs\":99999999999999}}}";
    assertThat(review("claim", "r-1", "--for", "15m").out()).contains("r-1 claimed by ada for ");
    assertThat(asked).containsExactly("POST /review/r-1/claim {\"who\":\"ada\",\"forMs\":900000}");
    assertThat(review("claim", "r-1", "--for", "soon").status()).isEqualTo(2);
    assertThat(asked).hasSize(1);
    assertThat(review("claim", "r-1", "--as", "leads", "--as", "legal").status()).isZero();
    assertThat(asked.getLast())
        .isEqualTo("POST /review/r-1/claim {\"who\":\"ada\",\"as\":[\"leads\",\"legal\"]}");
  }

  @Test
  void aClaimOfSomebodyElse_isNamed() {
    status = 409;
    answer =
        "{\"error\":{\"code\":\"claimed\",\"message\":\"somebody else has claimed it\"},"
            + "\"item\":{\"state\":\"pending\",\"review\":{\"claim\":{\"who\":\"bob\"}}}}";
    Run run = review("release", "r-1");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("somebody else has claimed it").contains("bob");
  }

  @Test
  void aDecisionThatCanBeUndone_saysHow() {
    answer =
        "{\"state\":\"pending\",\"review\":{\"phase\":\"decided\",\"countsAtMs\":99999999999999}}";
    assertThat(review("send-back", "r-1", "--note", "cite it").out())
        .contains("r-1 sent back by ada")
        .contains("until then: parlance review undo r-1 --who ada");
    assertThat(review("undo", "r-1").out()).contains("r-1 waits again");
    assertThat(review("unclaim", "r-1", "--who", "eve").out()).contains("r-1 is free again");
    assertThat(asked)
        .containsExactly(
            "POST /review/r-1/send-back {\"who\":\"ada\",\"note\":\"cite it\"}",
            "POST /review/r-1/undo {\"who\":\"ada\"}",
            "POST /review/r-1/unclaim {\"who\":\"eve\"}");
  }

  @Test
  void nowAndIdentical_areAskedFor_andWhatFailedIsNamed() {
    answer =
        "{\"state\":\"rejected\",\"identical\":{\"decided\":[\"r-2\",\"r-3\"],"
            + "\"failed\":[{\"id\":\"r-4\",\"code\":\"claimed\"}]}}";
    Run run = review("reject", "r-1", "--now", "--identical");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("with it 2 that say the same").contains("r-4: claimed");
    assertThat(asked)
        .containsExactly(
            "POST /review/r-1/reject"
                + " {\"who\":\"ada\",\"note\":\"\",\"undoMs\":0,\"identical\":true}");
    assertThat(review("reject", "--all", "--identical").status()).isEqualTo(2);
    assertThat(review("undo", "r-1", "--identical").status()).isEqualTo(1);
    assertThat(asked.getLast())
        .isEqualTo("POST /review/r-1/undo {\"who\":\"ada\",\"identical\":true}");
  }

  @Test
  void link_isPrintedAlone() {
    answer = "{\"token\":\"r-1.reviewer.5.mac\"}";
    assertThat(review("link", "r-1", "--for", "24h", "--role", "reviewer").out())
        .isEqualToIgnoringNewLines("r-1.reviewer.5.mac");
    assertThat(asked)
        .containsExactly(
            "POST /review/r-1/link {\"who\":\"ada\",\"forMs\":86400000,\"role\":\"reviewer\"}");
    assertThat(review("link", "r-1", "--role", "king").status()).isEqualTo(2);
  }

  @Test
  void stats_showFiguresThatAreDefined() {
    answer =
        "{\"waiting\":3,\"oldestAgeMs\":60000,\"phases\":{\"open\":2,\"claimed\":1},"
            + "\"queues\":{\"leads\":3},\"decided\":{\"release\":4},\"escalations\":1,"
            + "\"agreement\":{\"items\":2,\"observed\":0.5,\"fleissKappa\":0.25,\"pairs\":"
            + "[{\"one\":\"ann\",\"other\":\"bob\",\"items\":2}]},"
            + "\"reviewers\":[{\"who\":\"ann\",\"votes\":4,\"inMajority\":3}]}";
    assertThat(review("stats").out())
        .contains("open 2, claimed 1", "leads 3", "release 4", "0.500", "0.250")
        .contains("ann, bob: 2", "ann: 4 decided, 3 as it came to be")
        .doesNotContain("Cohen");
    assertThat(asked).containsExactly("GET /review-stats");
  }

  @Test
  void facets_areShownBelowTheList() {
    answer =
        "{\"items\":[{\"id\":\"r-1\",\"state\":\"pending\",\"review\":{\"phase\":\"claimed\"}}],"
            + "\"total\":1,\"facets\":{\"route\":{\"billing\":1},"
            + "\"g\":{\"counts\":[0,0,0,1],\"unknown\":2}}}";
    assertThat(review("list", "--facets", "--queue", "leads", "--phase", "claimed").out())
        .contains("r-1  claimed")
        .contains("billing 1", "0.15+: 1, not measured: 2");
    assertThat(asked)
        .containsExactly(
            "GET /review?limit=100&state=pending&facets=true&queue=leads&phase=claimed");
  }
}
