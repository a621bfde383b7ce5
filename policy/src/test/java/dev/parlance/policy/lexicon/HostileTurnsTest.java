package dev.parlance.policy.lexicon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Texts that are written to keep their reader busy: what they cost grows with their length. */
class HostileTurnsTest {
  private static final int MAX_TURN_CHARS = 256 << 10;

  /** Time on the processor, since other builds may share the machine. */
  private static Duration cost(Runnable work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    work.run();
    return Duration.ofNanos(threads.getCurrentThreadCpuTime() - begin);
  }

  @Test
  void aCommonWordBeforeManyDefinitions_isNotLookedForAgainForEach() {
    StringBuilder text = new StringBuilder("a ".repeat(MAX_TURN_CHARS / 4)).append("\n[PART 2]");
    for (int i = 0; text.length() < MAX_TURN_CHARS; i++) {
      text.append("\na b").append(Integer.toString(i, 36)).append("=x");
    }
    Board board = Board.empty(BoardRules.DEFAULT);
    Turn turn = new Turn("ann", Channel.PUBLIC, text.toString(), false);
    assertThat(board.step(turn).next().entries()).isEmpty();
    assertThat(cost(() -> board.step(turn))).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void whatIsBetweenTheCreditsOfALine_isDefinitionAndCoiner() {
    for (String line :
        new String[] {
          "- a = x (by ann, used 4)",
          "- a = x (by ann, used 4, contested)",
          "- a = x (by y (by z, used 1), used 2)",
          "- a = x, used 3) (by ann, used 4)"
        }) {
      assertThat(start(line)).as(line).isZero();
    }
    for (String line :
        new String[] {
          "- a = (by ann, used 4)",
          "- a =  (by ann, used 4)",
          "- a = x (by , used 4)",
          "- a = x (by ann, used )",
          "- a = x (by ann, used 12345678901234567890)",
          "- a = x (by ann, used 4",
          "- a = x (by ann, used 4) then",
          "- a = x, used 4)"
        }) {
      assertThat(start(line)).as(line).isEqualTo(-1);
    }
  }

  private static int start(String line) {
    return KnownTerms.blockStart(
        Utf8Span.of(KnownTerms.HEADING + "\n" + line + "\n" + KnownTerms.END));
  }

  @Test
  void aTextThatIsAlmostABlock_isReadOnce() {
    String almost =
        KnownTerms.HEADING + "\n- a = x" + " (by x".repeat(300) + ", used x)\n" + KnownTerms.END;
    Utf8Span text = Utf8Span.of(almost);
    assertThat(text.length()).isLessThanOrEqualTo(KnownTerms.BYTES_MAX);
    assertThat(KnownTerms.blockStart(text)).isEqualTo(-1);
    // As many as there is room for in a body of 8 MiB.
    Duration all =
        cost(() -> {
          for (int i = 0; i < (8 << 20) / text.length(); i++) {
            assertThat(KnownTerms.blockStart(text)).isEqualTo(-1);
          }
        });
    assertThat(all).isLessThan(Duration.ofSeconds(3));
  }
}
