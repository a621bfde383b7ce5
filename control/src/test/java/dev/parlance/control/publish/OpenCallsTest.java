package dev.parlance.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.PersonCall.CallFault;
import dev.parlance.control.publish.PersonCall.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class OpenCallsTest {
  private static final PersonCall CALL = new PersonCall("/review", Optional.empty(), "ada");
  private static final byte[] MEBIBYTE = new byte[1 << 20];

  private final ControlMetrics metrics = new ControlMetrics("test", "test");
  private final AtomicLong allBytes = new AtomicLong();
  private final OpenCalls calls = new OpenCalls(metrics, allBytes);

  private CompletableFuture<Outcome> sent() {
    CompletableFuture<Outcome> call = calls.add(CALL, 0);
    assertThat(calls.next()).isPresent();
    return call;
  }

  private long counted(String result) {
    return metrics
        .scrape()
        .lines()
        .filter(line ->
            line.startsWith("parlance_console_calls_total") && line.contains('"' + result + '"'))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void piecesOfAnAnswer_areOneAnswer_withTheStatusOfTheLast() {
    CompletableFuture<Outcome> call = sent();
    calls.replied("1", 0, "He".getBytes(StandardCharsets.UTF_8), true);
    assertThat(call).isNotDone();
    assertThat(allBytes).hasValue(2);
    calls.replied("1", 404, "llo".getBytes(StandardCharsets.UTF_8), false);
    assertThat(call.join())
        .isInstanceOfSatisfying(
            Outcome.Answered.class,
            answer -> {
              assertThat(answer.status()).isEqualTo(404);
              assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("Hello");
            });
    assertThat(allBytes).hasValue(0);
    assertThat(counted("refused")).isOne();
  }

  @Test
  void aReplyToNoCall_orSaidTwice_isCountedAndDropped() {
    CompletableFuture<Outcome> call = sent();
    calls.replied("2", 200, MEBIBYTE, true);
    calls.replied("", 200, MEBIBYTE, false);
    assertThat(call).isNotDone();
    calls.replied("1", 200, new byte[0], false);
    calls.replied("1", 500, MEBIBYTE, false);
    assertThat(((Outcome.Answered) call.join()).status()).isEqualTo(200);
    assertThat(counted("unmatched")).isEqualTo(3);
    assertThat(allBytes).hasValue(0);
  }

  @Test
  void anAnswerThatIsTooLong_endsItsCallAlone_andItsRestIsDropped() {
    CompletableFuture<Outcome> large = sent();
    CompletableFuture<Outcome> other = sent();
    for (int i = 0; i < 4; i++) {
      calls.replied("1", 0, MEBIBYTE, true);
    }
    calls.replied("1", 200, MEBIBYTE, false);
    calls.replied("2", 200, MEBIBYTE, false);
    assertThat(large.join()).isEqualTo(new Outcome.Failed(CallFault.TOO_LARGE));
    assertThat(other.join()).isInstanceOf(Outcome.Answered.class);
    assertThat(allBytes).hasValue(0);
  }

  @Test
  void unfinishedAnswersOfAllSidecars_areBoundedTogether() {
    allBytes.set(OpenCalls.MAX_ALL_BYTES);
    CompletableFuture<Outcome> call = sent();
    calls.replied("1", 0, new byte[1], true);
    assertThat(call.join()).isEqualTo(new Outcome.Failed(CallFault.BUSY));
    CompletableFuture<Outcome> whole = sent();
    calls.replied("2", 200, MEBIBYTE, false);
    assertThat(whole.join()).as("takes no room").isInstanceOf(Outcome.Answered.class);
    assertThat(allBytes).hasValue(OpenCalls.MAX_ALL_BYTES);
  }

  @Test
  void callsBeyondTheBounds_wait_andBeyondThoseAreRefused() {
    List<CompletableFuture<Outcome>> all = new ArrayList<>();
    for (int i = 0; i < OpenCalls.MAX_WAITING; i++) {
      all.add(calls.add(CALL, 0));
    }
    assertThat(calls.add(CALL, 0).join()).isEqualTo(new Outcome.Failed(CallFault.BUSY));
    for (int i = 0; i < OpenCalls.MAX_SENT; i++) {
      assertThat(calls.next()).isPresent();
    }
    assertThat(calls.next()).isEmpty();
    calls.replied("3", 200, new byte[0], false);
    assertThat(calls.next()).map(OpenCalls.Named::id).contains("17");
    assertThat(all.get(2)).isDone();
  }

  @Test
  void whatIsNotAnsweredInTime_isGivenUp_andItsLateReplyIsNone() {
    CompletableFuture<Outcome> call = sent();
    CompletableFuture<Outcome> waiting = calls.add(CALL, 0);
    calls.replied("1", 0, MEBIBYTE, true);
    assertThat(calls.expire(OpenCalls.DEADLINE_NS)).isFalse();
    assertThat(calls.expire(OpenCalls.DEADLINE_NS + 1)).isTrue();
    assertThat(call.join()).isEqualTo(new Outcome.Failed(CallFault.LATE));
    assertThat(waiting.join()).isEqualTo(new Outcome.Failed(CallFault.LATE));
    calls.replied("1", 200, MEBIBYTE, false);
    assertThat(counted("unmatched")).isOne();
    assertThat(allBytes).hasValue(0);
  }

  @Test
  void withTheStream_allCallsEnd_andLaterOnesAtOnce() {
    CompletableFuture<Outcome> call = sent();
    CompletableFuture<Outcome> waiting = calls.add(CALL, 0);
    calls.replied("1", 0, MEBIBYTE, true);
    calls.end();
    assertThat(call.join()).isEqualTo(new Outcome.Failed(CallFault.LEFT));
    assertThat(counted("left")).isOne();
    assertThat(waiting.join()).isEqualTo(new Outcome.Failed(CallFault.GONE));
    assertThat(calls.add(CALL, 0).join()).isEqualTo(new Outcome.Failed(CallFault.GONE));
    assertThat(allBytes).hasValue(0);
    assertThat(counted("gone")).isEqualTo(2);
  }
}
