package dev.parlance.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.control.publish.api.SidecarHello;
import dev.parlance.control.publish.api.SidecarHello.AnnouncedKey;
import dev.parlance.control.publish.api.StoredQuestion;
import dev.parlance.control.store.Store.ReviewRow;
import dev.parlance.proto.v1.Hello;
import dev.parlance.service.event.SidecarEvents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class BoardReadersTest {
  private final Map<String, Long> signed = new HashMap<>();
  private final BoardReaders readers =
      new BoardReaders(board ->
          Optional.ofNullable(signed.get(board))
              .map(revision -> new PublishedBoard(board, revision, new byte[0])));

  private final class Sidecar implements SidecarLink {
    private final List<String> sent = new ArrayList<>();
    private final SidecarStream stream =
        new SidecarStream(
            this,
            new ControlMetrics("test", "test"),
            SidecarHello.of(Hello.newBuilder().setAgent("alice").setNode("node").build()),
            SidecarEvents.NOBODY,
            readers.source(),
            new OpenCalls(new ControlMetrics("test", "test"), new AtomicLong()),
            0);

    private Sidecar want(String board) {
      readers.want(stream, board, 0);
      stream.pump(0);
      return this;
    }

    @Override
    public void push(List<AnnouncedKey> verdictKeys) {}

    @Override
    public void pushTrust() {
      // nobody is believed here
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void welcome(String replica, int reportIntervalMs) {}

    @Override
    public void push(PublishedCore core) {}

    @Override
    public void push(PublishedBoard board) {
      sent.add(board.board() + board.revision());
    }

    @Override
    public void push(ReviewRow decision) {}

    @Override
    public void taken(String item, String refused) {}

    @Override
    public void call(String id, PersonCall call) {
      // nobody is at a console
    }

    @Override
    public void ask(StoredQuestion question) {}

    @Override
    public void end(StreamEnd why, String detail) {}
  }

  @Test
  void boardThatIsNotSignedYet_isSentOnceItIs_toThoseThatWantIt() {
    Sidecar one = new Sidecar().want("a");
    Sidecar two = new Sidecar().want("b");
    assertThat(one.sent).isEmpty();
    signed.put("a", 1L);
    readers.changed(List.of("a", "c"));
    assertThat(one.sent).containsExactly("a1");
    assertThat(two.sent).isEmpty();
  }

  @Test
  void boardThatNobodyWantsAnyMore_hasNoReader() {
    Sidecar one = new Sidecar().want("a").want("b");
    Sidecar two = new Sidecar().want("a");
    readers.drop(one.stream, "a");
    assertThat(readers.isRead("a")).isTrue();
    two.stream.gone();
    readers.gone(two.stream);
    assertThat(readers.isRead("a")).isFalse();
    assertThat(readers.isRead("b")).isTrue();
    one.stream.gone();
    readers.gone(one.stream);
    assertThat(readers.areAny()).isFalse();
  }

  @Test
  void sidecarThatIsGone_wantsNothing() {
    Sidecar one = new Sidecar();
    one.stream.gone();
    readers.gone(one.stream);
    one.want("a");
    assertThat(readers.areAny()).isFalse();
  }

  @Test
  void boardsOverTheBound_loseTheirReader() {
    Sidecar one = new Sidecar();
    for (int i = 0; i <= BoardPushes.MAX_BOARDS; i++) {
      one.want("b" + i);
    }
    assertThat(readers.isRead("b0")).isFalse();
    assertThat(readers.isRead("b1")).isTrue();
  }
}
