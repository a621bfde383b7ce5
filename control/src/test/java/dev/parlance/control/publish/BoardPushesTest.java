package dev.parlance.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BoardPushesTest {
  private final BoardPushes pushes = new BoardPushes();
  private final Map<String, Long> revisions = new HashMap<>();

  private void publish(String board, long revision) {
    revisions.put(board, revision);
    pushes.changed(board);
  }

  private String next() {
    return pushes
        .next(
            board ->
                Optional.ofNullable(revisions.get(board))
                    .map(revision -> new PublishedBoard(board, revision, new byte[0])),
            0)
        .map(board -> board.board() + board.revision())
        .orElse("-");
  }

  @Test
  void boardThatIsWanted_isSent_ifItIsNewerThanWhatIsHeld() {
    revisions.putAll(Map.of("a", 3L, "b", 3L, "c", 3L));
    pushes.want("a", 2);
    pushes.want("b", 3);
    pushes.want("d", 0);
    assertThat(next()).isEqualTo("a3");
    assertThat(next()).isEqualTo("-");
    publish("d", 1);
    assertThat(next()).isEqualTo("d1");
  }

  @Test
  void changesDuringAPush_areOnePush_ofTheLast() {
    pushes.want("a", 0);
    publish("a", 1);
    assertThat(next()).isEqualTo("a1");
    publish("a", 2);
    publish("a", 3);
    assertThat(next()).isEqualTo("-");
    assertThat(pushes.acked("a", 1)).isTrue();
    assertThat(next()).isEqualTo("a3");
    assertThat(pushes.acked("a", 3)).isTrue();
    assertThat(next()).isEqualTo("-");
  }

  @Test
  void slowAnswerForOneBoard_holdsUpNoOther() {
    pushes.want("a", 0);
    pushes.want("b", 0);
    publish("a", 1);
    assertThat(next()).isEqualTo("a1");
    publish("a", 2);
    publish("b", 1);
    assertThat(next()).isEqualTo("b1");
  }

  @Test
  void refusedRevision_isNotSentAgain_untilThereIsANewerOne() {
    pushes.want("a", 0);
    publish("a", 1);
    assertThat(next()).isEqualTo("a1");
    assertThat(pushes.refused("a", 1)).isTrue();
    publish("a", 1);
    assertThat(next()).isEqualTo("-");
    publish("a", 2);
    assertThat(next()).isEqualTo("a2");
  }

  @Test
  void answerToWhatWasNotSent_countsForNothing() {
    pushes.want("a", 0);
    assertThat(pushes.acked("a", 0)).isFalse();
    assertThat(pushes.acked("a", 7)).isFalse();
    assertThat(pushes.refused("b", 7)).isFalse();
    publish("a", 1);
    assertThat(next()).isEqualTo("a1");
  }

  @Test
  void boardThatIsDropped_isSentNoMore() {
    pushes.want("a", 0);
    publish("a", 1);
    pushes.drop("a");
    publish("a", 2);
    assertThat(next()).isEqualTo("-");
    pushes.want("a", 0);
    assertThat(next()).isEqualTo("a2");
  }

  @Test
  void boardsOverTheBound_areThoseAskedForFirst() {
    for (int i = 0; i < BoardPushes.MAX_BOARDS; i++) {
      assertThat(pushes.want("b" + i, 0)).isEmpty();
    }
    assertThat(pushes.want("b0", 0)).isEmpty();
    assertThat(pushes.want("one more", 0)).containsExactly("b1");
    publish("b1", 1);
    assertThat(next()).isEqualTo("-");
    publish("b0", 1);
    assertThat(next()).isEqualTo("b01");
    assertThat(pushes.all()).hasSize(BoardPushes.MAX_BOARDS);
  }

  @Test
  void pushWithoutAnswer_isNoticed() {
    pushes.want("a", 0);
    publish("a", 1);
    assertThat(next()).isEqualTo("a1");
    assertThat(pushes.hasUnanswered(100, 100)).isFalse();
    assertThat(pushes.hasUnanswered(100, 101)).isTrue();
    assertThat(pushes.acked("a", 1)).isTrue();
    assertThat(pushes.hasUnanswered(100, 101)).isFalse();
  }
}
