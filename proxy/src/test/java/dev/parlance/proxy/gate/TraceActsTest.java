package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TraceActsTest {
  private static final long SECOND_NS = 1_000_000_000;

  private final AtomicLong nowNs = new AtomicLong(5 * SECOND_NS);
  private final TraceActs acts = new TraceActs(nowNs::get);

  private long asked(String trace) {
    long startNs = nowNs.addAndGet(SECOND_NS);
    acts.asked(trace);
    nowNs.addAndGet(SECOND_NS);
    return startNs;
  }

  @Test
  void anActUnderTheTraceOfAQuestion_countsForItAlone() {
    long one = asked("one");
    long other = asked("other");

    acts.acted(Optional.of("one"));

    assertThat(acts.since(Optional.of("one"), one)).isTrue();
    assertThat(acts.since(Optional.of("other"), other)).isFalse();
  }

  @Test
  void anActBeforeAQuestion_doesNotCount() {
    asked("one");
    acts.acted(Optional.of("one"));
    acts.acted(Optional.empty());

    long later = asked("one");

    assertThat(acts.since(Optional.of("one"), later)).isFalse();
    assertThat(acts.since(Optional.empty(), later)).isFalse();
  }

  @Test
  void anActThatBelongsToNoQuestion_countsForAllThatWait() {
    long one = asked("one");

    acts.acted(Optional.of("of its own"));

    assertThat(acts.since(Optional.of("one"), one)).isTrue();
    long two = asked("two");
    assertThat(acts.since(Optional.of("two"), two)).isFalse();
    acts.acted(Optional.empty());
    assertThat(acts.since(Optional.of("two"), two)).isTrue();
  }

  @Test
  void anyActCountsForAQuestionWithoutATrace() {
    asked("one");
    long untraced = nowNs.addAndGet(SECOND_NS);
    nowNs.addAndGet(SECOND_NS);
    assertThat(acts.since(Optional.empty(), untraced)).isFalse();

    acts.acted(Optional.of("one"));

    assertThat(acts.since(Optional.empty(), untraced)).isTrue();
  }
}
