package dev.parlance.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.proto.v1.AttachResponse;
import dev.parlance.proto.v1.CoreAck;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.CoreNack;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.Question;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SidecarStreamTest {
  private static final List<String> AGENTS = List.of("alice", "bob");

  private final Wire wire = new Wire();
  private final SidecarStream stream =
      new SidecarStream(
          wire,
          new ControlMetrics("test", "test"),
          Hello.newBuilder().setAgent("alice").setNode("node").build(),
          SidecarEvents.NOBODY,
          0);
  private long sequence;

  /** A way that takes as many messages as it is told to. */
  private static final class Wire implements SidecarLink {
    private final List<String> sent = new ArrayList<>();
    private int room = Integer.MAX_VALUE;

    @Override
    public boolean isReady() {
      return room > 0;
    }

    @Override
    public void send(AttachResponse message) {
      room--;
      sent.add(
          message.hasCore()
              ? message.getCore().getCore().getId().getDomain()
                  + message.getCore().getCore().getVersion()
              : message.getQuestion().getId());
    }

    @Override
    public void end(StreamEnd why, String detail) {
      sent.add(why.code());
    }
  }

  private void publish(String domain, long version) {
    sequence++;
    stream.offer(
        PublishedCore.of(
            new CoreRow(
                "alice+bob " + domain, version, AGENTS, domain, "a", new byte[1], true, sequence),
            0));
    stream.pump(0);
  }

  private static CoreId id(String domain) {
    return CoreId.newBuilder().addAllAgents(AGENTS).setDomain(domain).build();
  }

  private void ack(String domain, long version) {
    stream.acked(CoreAck.newBuilder().setId(id(domain)).setVersion(version).build(), 5);
    stream.pump(0);
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
    stream.refused(
        CoreNack.newBuilder().setId(id("a")).setVersion(1).setReason("malformed").build());
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
  void endedStream_sendsNothing_andEndsOnce() {
    stream.end(StreamEnd.AGED, "");
    stream.end(StreamEnd.DRAINING, "");
    publish("a", 1);
    stream.ask(Question.newBuilder().setId("q").build());
    stream.pump(0);
    assertThat(wire.sent).containsExactly("stream_aged");
  }
}
