package dev.parlance.proxy.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.ReviewCall;
import dev.parlance.proto.v1.ReviewItems;
import dev.parlance.proto.v1.ReviewRecorded;
import dev.parlance.proto.v1.ReviewReply;
import dev.parlance.proto.v1.ReviewSummary;
import dev.parlance.proto.v1.Welcome;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.HoldResult;
import dev.parlance.proxy.review.ReviewDesk;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewLimits;
import dev.parlance.proxy.review.ReviewPolicy;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.service.http.HttpReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReviewConsoleTest {
  private static final String WORDS = "The licence ends at noon.";
  private static final Welcome ALL =
      Welcome.newBuilder().setWantsReviewItems(true).setRecordsReviews(true).build();

  @TempDir Path dir = Path.of("");
  private final List<AttachRequest> sent = new CopyOnWriteArrayList<>();
  private final CountDownLatch answering = new CountDownLatch(1);
  private final ReviewConsole console = new ReviewConsole();
  private ReviewQueue queue;
  private ReviewDesk desk;

  @BeforeEach
  void begin() throws IOException {
    queue = ReviewQueue.open(dir, ReviewLimits.DEFAULT, () -> 5_000);
    desk = new ReviewDesk(queue, new ReviewPolicy(0, 1_000, 0, List.of(), _ -> 1), () -> 5_000);
    console.open(new ReviewConsole.Desk(queue, desk::people, this::answer, () -> 5_000), sent::add);
  }

  @AfterEach
  void end() throws IOException {
    answering.countDown();
    queue.close();
  }

  private HttpReply answer(String method, String path, String body, String who) {
    if (path.equals("/review/slow")) {
      try {
        answering.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (path.equals("/review/broken")) {
      throw new IllegalStateException("as asked");
    }
    byte[] bytes =
        path.equals("/review/large")
            ? new byte[4 << 20]
            : path.equals("/review/pieces")
                ? new byte[300 << 10]
                : (method + " " + path + " " + body + " " + who).getBytes(StandardCharsets.UTF_8);
    return HttpReply.of(200, "application/json", bytes);
  }

  private String held(int number) {
    HeldMessage message =
        new HeldMessage(
            "d" + number,
            new HeldMessage.Origin(
                "inbound",
                HeldMessage.Kind.RESPONSE,
                "a2a-1.0",
                "billing",
                "flow",
                new HeldMessage.Keys(
                    "caller", List.of("q" + number), List.of(), List.of(), Optional.empty()),
                "10.0.0.1",
                "agent:8080/secret/path"),
            new HeldMessage.Content(
                200,
                "text/plain",
                List.of(),
                "What ends?".getBytes(StandardCharsets.UTF_8),
                WORDS.getBytes(StandardCharsets.UTF_8),
                HeldMessage.Material.NONE,
                new byte[3]),
            new HeldMessage.Cause("[@C:2; @G:3; @S:B; A:[]]", List.of("g_low"), "", 1),
            1_000);
    return ((HoldResult.Held) queue.hold(message).join()).id();
  }

  private List<ReviewItems> items() {
    return sent.stream()
        .filter(AttachRequest::hasReviewItems)
        .map(AttachRequest::getReviewItems)
        .toList();
  }

  private ReviewReply reply(String path) {
    sent.clear();
    console.called(
        ReviewCall.newBuilder()
            .setCall("c")
            .setMethod("POST")
            .setPath(path)
            .setBody(ByteString.copyFromUtf8("{}"))
            .setWho("ada")
            .build());
    await().until(() -> sent.stream().anyMatch(AttachRequest::hasReviewReply));
    return sent.stream()
        .filter(AttachRequest::hasReviewReply)
        .findFirst()
        .orElseThrow()
        .getReviewReply();
  }

  @Test
  void aNewStream_isToldOfAllThatIsOpen_inPieces_withoutAWord() {
    for (int i = 0; i < 450; i++) {
      held(i);
    }
    assertThat(sent).as("nobody has asked").isEmpty();
    console.welcomed(ALL);
    console.attached(sent::add);
    assertThat(items()).extracting(ReviewItems::getItemsCount).containsExactly(200, 200, 50);
    assertThat(items()).extracting(ReviewItems::getComplete).containsExactly(false, false, true);
    ReviewSummary one = items().getFirst().getItems(0);
    assertThat(one.getRoute()).isEqualTo("billing");
    assertThat(one.getPhase()).isEqualTo("open");
    assertThat(one.getDestination()).isEqualTo("agent:8080");
    assertThat(one.getTextSha256().size()).isEqualTo(32);
    assertThat(items().toString()).doesNotContain("licence", "What ends", "secret");
  }

  @Test
  void withNothingHeld_aNewStreamIsToldSo() {
    console.welcomed(ALL);
    console.attached(sent::add);
    assertThat(items())
        .singleElement()
        .satisfies(none -> assertThat(none.getComplete()).isTrue())
        .satisfies(none -> assertThat(none.getItemsCount()).isZero());
  }

  @Test
  void eachChange_isTold_withWhoIsAtIt() {
    console.welcomed(ALL);
    String id = held(1);
    desk.claim(id, "ann", OptionalLong.empty()).join();
    desk.vote(id, "ann", "seen", Verdict.REJECT, OptionalLong.empty()).join();
    assertThat(items())
        .extracting(said -> said.getItems(0))
        .extracting(item -> item.getState() + " " + item.getPhase() + " " + item.getOwner())
        .containsExactly("pending open ", "pending claimed ann", "rejected  ");
    assertThat(items().getLast().getItems(0).getDecidedBy()).isEqualTo("ann");
  }

  @Test
  void aDecision_isSaidForTheLedger_untilItIsThere() {
    console.welcomed(ALL);
    String id = held(1);
    desk.vote(id, "ann", "seen", Verdict.SEND_BACK, OptionalLong.empty()).join();
    List<AttachRequest> said = new ArrayList<>(sent);
    assertThat(said.stream().filter(AttachRequest::hasReviewVerdict))
        .singleElement()
        .satisfies(one -> assertThat(one.getReviewVerdict().getVerdict()).isEqualTo("send_back"))
        .satisfies(one -> assertThat(one.getReviewVerdict().getWhoList()).containsExactly("ann"));
    sent.clear();
    console.attached(sent::add);
    assertThat(sent.stream().filter(AttachRequest::hasReviewVerdict)).hasSize(1);
    console.recorded(ReviewRecorded.newBuilder().setItem(id).build());
    sent.clear();
    console.attached(sent::add);
    assertThat(sent.stream().filter(AttachRequest::hasReviewVerdict)).isEmpty();
  }

  @Test
  void aControlPlaneThatWantsNothing_isToldNothing() {
    console.welcomed(Welcome.getDefaultInstance());
    held(1);
    console.attached(sent::add);
    assertThat(sent).isEmpty();
  }

  @Test
  void calls_areAnswered_inTheNameOfWhoIsLoggedIn() {
    ReviewReply reply = reply("/review/r-1/claim");
    assertThat(reply.getStatus()).isEqualTo(200);
    assertThat(reply.getBody().toStringUtf8()).isEqualTo("POST /review/r-1/claim {} ada");
    assertThat(reply("/review/broken").getStatus()).isEqualTo(500);
    assertThat(reply("/review/large").getStatus()).isEqualTo(413);
  }

  @Test
  void aLongAnswer_comesInPieces_theLastOfWhichHasTheStatus() {
    reply("/review/pieces");
    await().until(() -> !sent.getLast().getReviewReply().getMore());
    assertThat(sent.stream().map(AttachRequest::getReviewReply))
        .extracting(
            piece -> piece.getBody().size() + " " + piece.getStatus() + " " + piece.getMore())
        .containsExactly("131072 0 true", "131072 0 true", "45056 200 false");
  }

  @Test
  void tooManyCallsAtOnce_areRefused_andLaterOnesAreNot() {
    for (int i = 0; i < 17; i++) {
      console.called(
          ReviewCall.newBuilder()
              .setCall("c" + i)
              .setMethod("GET")
              .setPath("/review/slow")
              .build());
    }
    await().until(() -> sent.size() == 1);
    assertThat(sent.getFirst().getReviewReply().getStatus()).isEqualTo(429);
    answering.countDown();
    await().until(() -> sent.size() == 17);
    await().until(() -> reply("/review/r-1").getStatus() == 200);
  }
}
