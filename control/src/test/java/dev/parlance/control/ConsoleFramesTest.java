package dev.parlance.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.control.api.GrpcErrors;
import dev.parlance.control.config.ConsoleConfig;
import dev.parlance.control.publish.HeldItem;
import dev.parlance.control.publish.PersonCall;
import dev.parlance.control.publish.PersonCall.CallFault;
import dev.parlance.control.publish.PersonCall.Outcome;
import dev.parlance.control.publish.SidecarDirectory;
import dev.parlance.control.publish.SidecarDirectory.Seat;
import dev.parlance.control.publish.SidecarDirectory.Standing;
import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.ReviewCall;
import dev.parlance.proto.v1.ReviewItems;
import dev.parlance.proto.v1.ReviewReply;
import dev.parlance.proto.v1.ReviewSummary;
import dev.parlance.service.config.Listen;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sidecars announce to the console and answer to it, over real gRPC, good and bad. */
final class ConsoleFramesTest {
  private static final Seat ANN = new Seat("ann", "ann-1");
  private static final Seat BEN = new Seat("ben", "ben-1");
  private static final ConsoleConfig CONSOLE =
      new ConsoleConfig(new Listen("127.0.0.1", 0), "ada", Optional.empty(), Optional.empty());

  @TempDir Path data;
  private Optional<Kit> started = Optional.empty();

  @AfterEach
  void close() {
    started.ifPresent(Kit::close);
  }

  private Kit kit() throws Exception {
    if (started.isEmpty()) {
      started = Optional.of(Kit.start(Kit.config(data).withConsole(CONSOLE)));
    }
    return started.get();
  }

  private FakeSidecar attach(String agent) throws Exception {
    FakeSidecar sidecar =
        kit()
            .keep(
                FakeSidecar.connect(
                    kit().port(), kit().plane.attachToken(agent), agent, Minds.plain()));
    sidecar.hello(agent + "-1", true).welcomed.get(30, TimeUnit.SECONDS);
    // It is welcomed before it can be found.
    Seat seat = new Seat(agent, agent + "-1");
    SidecarDirectory directory = kit().plane.hub().directory();
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> directory.standing(seat).filter(Standing::attached).isPresent());
    return sidecar;
  }

  private static ReviewSummary summary(String id, String state) {
    return ReviewSummary.newBuilder()
        .setId(id)
        .setTextSha256(ByteString.copyFrom(new byte[32]))
        .setRoute("billing\u0007")
        .addReasons("g_low")
        .setHeldAtMs(7)
        .setState(state)
        .setOwner("ann")
        .setOwnerUntilMs(9)
        .build();
  }

  private static void announce(FakeSidecar sidecar, boolean complete, ReviewSummary... items) {
    sidecar.send(
        AttachRequest.newBuilder()
            .setReviewItems(
                ReviewItems.newBuilder().addAllItems(List.of(items)).setComplete(complete))
            .build());
  }

  private Standing standing(Seat seat) throws Exception {
    return kit().plane.hub().directory().standing(seat).orElseThrow();
  }

  private CompletableFuture<Outcome> call(Seat seat, String path) throws Exception {
    return kit().plane.hub().call(seat, new PersonCall(path, Optional.empty(), "ada"));
  }

  private static AttachRequest reply(String call, int status, String body, boolean more) {
    return AttachRequest.newBuilder()
        .setReviewReply(
            ReviewReply.newBuilder()
                .setCall(call)
                .setStatus(status)
                .setBody(ByteString.copyFromUtf8(body))
                .setMore(more))
        .build();
  }

  private static Function<ReviewCall, List<AttachRequest>> saying(String body) {
    return call -> List.of(reply(call.getCall(), 200, body, false));
  }

  private static String text(CompletableFuture<Outcome> call) throws Exception {
    return call.get(30, TimeUnit.SECONDS) instanceof Outcome.Answered(int status, byte[] body)
        ? status + " " + new String(body, StandardCharsets.UTF_8)
        : call.get().toString();
  }

  private String metrics() throws Exception {
    return kit().plane.metrics();
  }

  @Test
  void whatIsAnnounced_isKnown_withoutWords_andShownAsFarAsItCanBe() throws Exception {
    FakeSidecar ann = attach("ann");
    assertThat(ann.wantsItems()).isTrue();
    announce(ann, true, summary("r-1", "pending"), summary("r-2", "released"));
    await().atMost(Kit.PATIENCE).until(() -> standing(ANN).open() == 2);
    HeldItem item = kit().plane.hub().directory().open(ANN).getFirst();
    assertThat(item.route()).as("no character that steers a terminal").isEqualTo("billing?");
    assertThat(item.claim()).contains(new HeldItem.Claim("ann", 9));
    announce(ann, false, summary("r-1", "rejected"));
    await().atMost(Kit.PATIENCE).until(() -> standing(ANN).open() == 1);
  }

  @Test
  void itemsThatCanBeNone_areCounted_andTheOthersAreKept() throws Exception {
    FakeSidecar ann = attach("ann");
    announce(
        ann,
        true,
        summary("../admin", "pending"),
        summary("r-1", "eaten"),
        summary("r-2", "pending").toBuilder()
            .setTextSha256(ByteString.copyFrom(new byte[33]))
            .build(),
        summary("r-3", "pending"));
    await().atMost(Kit.PATIENCE).until(() -> standing(ANN).open() == 1);
    assertThat(metrics()).contains("parlance_control_reviews_total{result=\"malformed\"} 3");
    assertThat(ann.ended).isNotDone();
  }

  @Test
  void withoutAConsole_nothingIsWanted_andNothingIsKept() throws Exception {
    started = Optional.of(Kit.start(data));
    FakeSidecar ann = attach("ann");
    assertThat(ann.wantsItems()).isFalse();
    announce(ann, true, summary("r-1", "pending"));
    ann.replying(saying("{}"));
    assertThat(text(call(ANN, "/review"))).as("taken in after the items").isEqualTo("200 {}");
    assertThat(standing(ANN).open()).isZero();
  }

  @Test
  void aCall_isAnswered_inPieces_inTheNameOfWhoIsLoggedIn() throws Exception {
    FakeSidecar ann =
        attach("ann")
            .replying(call ->
                List.of(
                    reply(call.getCall(), 0, "{\"a\"", true),
                    reply(call.getCall(), 202, ":1}", false)));
    CompletableFuture<Outcome> answer =
        kit()
            .plane
            .hub()
            .call(
                ANN, new PersonCall("/review/r-1/claim", Optional.of("{\"who\":\"ada\"}"), "ada"));
    assertThat(text(answer)).isEqualTo("202 {\"a\":1}");
    ReviewCall asked = ann.calls.getFirst();
    assertThat(asked.getMethod()).isEqualTo("POST");
    assertThat(asked.getWho()).isEqualTo("ada");
    assertThat(asked.getBody().toStringUtf8()).isEqualTo("{\"who\":\"ada\"}");
  }

  @Test
  void repliesNobodyAskedFor_endNothing() throws Exception {
    FakeSidecar ann = attach("ann");
    FakeSidecar ben = attach("ben");
    ann.replying(call ->
        List.of(
            reply("no-such-call", 200, "x", false),
            reply("", 200, "x".repeat(200_000), true),
            reply(call.getCall(), 200, "first", false),
            reply(call.getCall(), 500, "second", false)));
    ben.replying(saying("mine"));
    assertThat(text(call(ANN, "/review"))).isEqualTo("200 first");
    assertThat(text(call(BEN, "/review"))).as("ids are of one stream").isEqualTo("200 mine");
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> metrics().contains("parlance_console_calls_total{result=\"unmatched\"} 3"));
    assertThat(text(call(ANN, "/review"))).isEqualTo("200 first");
    assertThat(ann.ended).isNotDone();
    assertThat(ben.ended).isNotDone();
  }

  @Test
  void anAnswerWithoutAnEnd_isCutOff_andTheNextCallIsAnswered() throws Exception {
    FakeSidecar ann = attach("ann");
    String piece = "x".repeat(200_000);
    ann.replying(call ->
        java.util.stream.IntStream.range(0, 17)
            .mapToObj(_ -> reply(call.getCall(), 0, piece, true))
            .toList());
    assertThat(call(ANN, "/review").get(30, TimeUnit.SECONDS))
        .isEqualTo(new Outcome.Failed(CallFault.TOO_LARGE));
    ann.replying(saying("ok"));
    assertThat(text(call(ANN, "/review"))).isEqualTo("200 ok");
  }

  @Test
  void aPieceThatIsTooLarge_endsThatStreamAlone() throws Exception {
    FakeSidecar ann = attach("ann");
    FakeSidecar ben = attach("ben").replying(saying("ok"));
    ann.replying(call -> List.of(reply(call.getCall(), 200, "x".repeat(300_000), false)));
    assertThat(call(ANN, "/review").get(30, TimeUnit.SECONDS))
        .isEqualTo(new Outcome.Failed(CallFault.LEFT));
    assertThat(ann.ended.get(30, TimeUnit.SECONDS).getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(ann.trailers.get(30, TimeUnit.SECONDS).get(GrpcErrors.REASON))
        .isEqualTo("message_too_large");
    assertThat(text(call(BEN, "/review"))).isEqualTo("200 ok");
  }

  @Test
  void whoLeaves_leavesItsCallsWithoutAnAnswer_andItsItemsBehind() throws Exception {
    FakeSidecar ann = attach("ann");
    announce(ann, true, summary("r-1", "pending"));
    await().atMost(Kit.PATIENCE).until(() -> standing(ANN).open() == 1);
    CompletableFuture<Outcome> call = call(ANN, "/review");
    await().atMost(Kit.PATIENCE).until(() -> ann.calls.size() == 1);
    ann.close();
    assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome.Failed(CallFault.LEFT));
    await().atMost(Kit.PATIENCE).until(() -> !standing(ANN).attached());
    assertThat(standing(ANN).open()).isOne();
    assertThat(call(ANN, "/review").get(30, TimeUnit.SECONDS))
        .isEqualTo(new Outcome.Failed(CallFault.GONE));
    assertThat(metrics()).contains("parlance_console_sidecars{state=\"gone\"} 1");
    FakeSidecar again = attach("ann").replying(saying("ok"));
    announce(again, true);
    await().atMost(Kit.PATIENCE).until(() -> standing(ANN).open() == 0);
    assertThat(text(call(ANN, "/review"))).isEqualTo("200 ok");
  }

  @Test
  void frames_beforeHello_endTheStream() throws Exception {
    for (AttachRequest early :
        List.of(
            reply("1", 200, "", false),
            AttachRequest.newBuilder().setReviewItems(ReviewItems.newBuilder()).build())) {
      FakeSidecar one =
          kit()
              .keep(
                  FakeSidecar.connect(
                      kit().port(), kit().plane.attachToken("ann"), "ann", Minds.plain()));
      one.send(early);
      assertThat(one.ended.get(30, TimeUnit.SECONDS).getCode())
          .isEqualTo(Status.Code.FAILED_PRECONDITION);
    }
  }
}
