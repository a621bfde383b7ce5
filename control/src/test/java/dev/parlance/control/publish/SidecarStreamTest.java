package dev.parlance.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.control.publish.SidecarLink.PublishedCore;
import dev.parlance.control.publish.SidecarLink.StreamEnd;
import dev.parlance.control.publish.api.SidecarHello;
import dev.parlance.control.publish.api.SidecarHello.AnnouncedKey;
import dev.parlance.control.publish.api.StoredQuestion;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.ReviewRow;
import dev.parlance.policy.core.CoreId;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.Question;
import dev.parlance.service.event.SidecarEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SidecarStreamTest {
  private static final List<String> AGENTS = List.of("alice", "bob");

  private final Wire wire = new Wire();
  private final SidecarStream stream =
      new SidecarStream(
          wire,
          new ControlMetrics("test", "test"),
          SidecarHello.of(
              Hello.newBuilder().setAgent("alice").setNode("node").setTakesReviews(true).build()),
          SidecarEvents.NOBODY,
          board -> Optional.of(new PublishedBoard(board, 1, new byte[0])),
          new OpenCalls(new ControlMetrics("test", "test"), new AtomicLong()),
          0);
  private long sequence;

  /** A way that takes as many messages as it is told to. */
  private static final class Wire implements SidecarLink {
    private final List<String> sent = new ArrayList<>();
    private int room = Integer.MAX_VALUE;

    @Override
    public void push(List<AnnouncedKey> verdictKeys) {}

    @Override
    public void pushTrust() {
      // nobody is believed here
    }

    @Override
    public boolean isReady() {
      return room > 0;
    }

    @Override
    public void welcome(String replica, int reportIntervalMs) {
      send(replica);
    }

    @Override
    public void push(PublishedCore core) {
      send(core.row().domain() + core.version());
    }

    @Override
    public void push(PublishedBoard board) {
      send(board.board() + board.revision());
    }

    @Override
    public void push(ReviewRow decision) {
      send(decision.item());
    }

    @Override
    public void taken(String item, String refused) {
      send("taken " + item);
    }

    @Override
    public void call(String id, PersonCall call) {
      send("call " + id + " " + call.path());
    }

    @Override
    public void ask(StoredQuestion question) {
      send(question.message().getId());
    }

    private void send(String message) {
      room--;
      sent.add(message);
    }

    @Override
    public void end(StreamEnd why, String detail) {
      sent.add(why.code());
    }
  }

  private void publish(String domain, long version) {
    sequence++;
    stream.offer(
        new PublishedCore(
            new CoreRow(
                "alice+bob " + domain, version, AGENTS, domain, "a", new byte[1], true, sequence),
            0));
    stream.pump(0);
  }

  private static CoreId id(String domain) {
    return new CoreId(AGENTS, domain);
  }

  private void ack(String domain, long version) {
    stream.acked(id(domain), version, 5);
    stream.pump(0);
  }

  private ReviewRow review(long number) {
    return new ReviewRow(number, "bob", "r-" + number, "alice", List.of("00"), true, 1, "");
  }

  @Test
  void decisions_areSentInOrder_onceAllThatHoldAreThere_andNoneTwice() {
    stream.offer(review(3));
    stream.allReviews(List.of(review(1), review(3)));
    stream.offer(review(3));
    stream.offer(review(4));
    stream.pump(0);
    stream.reviewAcked(9);
    assertThat(wire.sent).containsExactly("r-1", "r-3", "r-4");
    stream.reviewAcked(1);
    stream.reviewAcked(3);
    assertThat(stream.hasUnansweredPush(5, 5)).isFalse();
    assertThat(stream.hasUnansweredPush(5, 6)).isTrue();
  }

  @Test
  void ofDecisionsThatWait_theLatestAreKept() {
    wire.room = 0;
    stream.allReviews(List.of());
    for (long number = 1; number <= Store.MAX_REVIEWS + 5; number++) {
      stream.offer(review(number));
    }
    wire.room = 1;
    stream.pump(0);
    assertThat(wire.sent).containsExactly("r-6");
  }

  @Test
  void nextVersion_waitsForTheAnswerToTheOneBefore_andOtherCoresDoNot() {
    publish("a", 1);
    publish("a", 2);
    publish("a", 3);
    publish("b", 1);
    assertThat(wire.sent).containsExactly("a1", "b1");
    ack("a", 1);
    assertThat(wire.sent).containsExactly("a1", "b1", "a3");
    assertThat(stream.holds("alice+bob a", 1)).isTrue();
    assertThat(stream.holds("alice+bob a", 3)).isFalse();
  }

  @Test
  void whileTheWayIsBlocked_onlyTheNewestVersionWaits_inTheOrderOfPublication() {
    wire.room = 0;
    for (int version = 1; version <= 1_000; version++) {
      publish("a", version);
    }
    publish("b", 1);
    publish("a", 1_001);
    wire.room = 10;
    stream.pump(0);
    assertThat(wire.sent).containsExactly("b1", "a1001");
  }

  @Test
  void refusedVersion_isNotOfferedAgain_aNewerOneIs() {
    publish("a", 1);
    stream.refused(id("a"), 1, "malformed");
    publish("a", 1);
    assertThat(wire.sent).containsExactly("a1");
    publish("a", 2);
    assertThat(wire.sent).containsExactly("a1", "a2");
  }

  @Test
  void answerToWhatWasNotSent_countsForNothing() {
    ack("a", 7);
    assertThat(stream.holds("alice+bob a", 7)).isFalse();
    publish("a", 1);
    assertThat(wire.sent).containsExactly("a1");
  }

  @Test
  void pushWithoutAnswer_isNoticed() {
    publish("a", 1);
    assertThat(stream.hasUnansweredPush(100, 100)).isFalse();
    assertThat(stream.hasUnansweredPush(100, 101)).isTrue();
  }

  @Test
  void board_isSentWhenThereIsRoom_andBehindCores() {
    wire.room = 0;
    stream.want("board", 0);
    publish("a", 1);
    assertThat(wire.sent).isEmpty();
    wire.room = 2;
    stream.pump(0);
    assertThat(wire.sent).containsExactly("a1", "board1");
    assertThat(stream.hasUnansweredPush(100, 101)).isTrue();
    ack("a", 1);
    assertThat(stream.hasUnansweredPush(100, 101)).isTrue();
    stream.boardAcked("board", 1);
    assertThat(stream.hasUnansweredPush(100, 101)).isFalse();
  }

  @Test
  void endedStream_sendsNothing_andEndsOnce() {
    stream.end(StreamEnd.AGED, "");
    stream.end(StreamEnd.DRAINING, "");
    publish("a", 1);
    stream.ask(new StoredQuestion(Question.newBuilder().setId("q").build()));
    stream.pump(0);
    assertThat(wire.sent).containsExactly("stream_aged");
  }
}
