package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static dev.parlance.proxy.control.Signed.board;
import static dev.parlance.proxy.control.Signed.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.ReviewTermRequest;
import dev.parlance.proto.v1.SignedBoard;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Terms that a person decides about in the review queue of a sidecar. */
class ReviewedTermsTest extends LexiconScene {
  /** A board with one term of alice's that waits, or was decided on. */
  private static SignedBoard reviewed(long revision, CoinedStatus status) {
    return board(
        revision,
        1,
        17,
        LexiconEntry.Share.REVIEWED,
        List.of(term("radial play", status, Optional.empty(), false)));
  }

  private JsonNode held() throws Exception {
    return JSON.readTree(admin("GET", "/review?state=pending", "").body()).path("items");
  }

  private HttpResponse<String> admin(String method, String path, String body) throws Exception {
    String token = Files.readString(dir.resolve("data/admin.token")).strip();
    return in.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.adminPort() + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> decide(String id, String verb) throws Exception {
    return admin("POST", "/review/" + id + "/" + verb, "{\"who\":\"ada\",\"note\":\"read\"}");
  }

  private static String state(HttpResponse<String> item) {
    return JSON.readTree(item.body()).path("state").asString("");
  }

  private String coinReviewed() throws Exception {
    start(COIN);
    boards.put(reviewed(5, CoinedStatus.WAITING));
    ofAlice = _ -> answer(COINING);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    awaiting().until(() -> held().size() == 1);
    JsonNode item = held().get(0);
    assertThat(item.path("question").asString("")).isEqualTo("radial play");
    assertThat(item.path("answer").asString("")).isEqualTo(STRANGE);
    assertThat(item.path("flow").asString("")).isEqualTo(BOARD);
    return item.path("id").asString("");
  }

  @Test
  void aTermThatWaits_isInTheReviewQueue_andReleasedThereOnceTheLedgerHasIt() throws Exception {
    String id = coinReviewed();
    boards.failReports(1);
    assertThat(decide(id, "release").statusCode()).isEqualTo(503);
    assertThat(held()).hasSize(1);
    HttpResponse<String> released = decide(id, "release");
    assertThat(state(released)).isEqualTo("delivered");
    assertThat(boards.reviewed())
        .singleElement()
        .matches(one -> one.getShare() && one.getTerm().getKey().equals("radial play"));
    assertThat(decide(id, "reject").statusCode()).isEqualTo(409);
    assertThat(boards.reviewed()).hasSize(1);
  }

  @Test
  void aTermThatIsRejected_isRetired() throws Exception {
    String id = coinReviewed();
    assertThat(state(decide(id, "reject"))).isEqualTo("rejected");
    assertThat(boards.reviewed()).singleElement().matches(one -> !one.getShare());
  }

  @Test
  void whatSomebodyElseHasDecided_isSettledAsTheLedgerSays() throws Exception {
    String id = coinReviewed();
    boards.onReview(_ -> false);
    assertThat(decide(id, "release").statusCode()).isEqualTo(409);
    awaiting().until(() -> state(admin("GET", "/review/" + id, "")).equals("rejected"));
    // A second term, which the board itself says is shared.
    boards.onReview(ReviewTermRequest::getShare);
    ofAlice = _ -> answer(COINING + ".");
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    awaiting().until(() -> held().size() == 1);
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    push(reviewed(6, CoinedStatus.ACTIVE));
    awaiting().until(() -> held().isEmpty());
    assertThat(boards.reviewed()).hasSize(1);
  }

  @Test
  void aTermOfATurnThatNobodyHeard_waitsForNobody() throws Exception {
    start(COIN);
    boards.put(reviewed(5, CoinedStatus.WAITING));
    ofAlice = _ -> answer(COINING);
    leaveDuringCoin("How often?", Optional.empty());
    awaiting().until(() -> !boards.retracted().isEmpty());
    awaiting().until(() -> held().isEmpty());
  }
}
