package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObservedEvidenceTest {
  private final AtomicLong nowMs = new AtomicLong();

  private ObservedEvidence store(int flows, int chunks, int bytes) {
    return new ObservedEvidence(flows, chunks, bytes, 1000, nowMs::get);
  }

  private static Chunk chunk(String id, String text) {
    return new Chunk(id, Utf8Span.of(text));
  }

  @Test
  void whatWasRecorded_isGivenForItsFlowOnly_oldestFirst() {
    ObservedEvidence store = store(10, 10, 1000);
    store.record("a", List.of(chunk("1", "one")));
    store.record("a", List.of(chunk("2", "two")));
    store.record("b", List.of());
    assertThat(store.of("a")).containsExactly(chunk("1", "one"), chunk("2", "two"));
    assertThat(store.of("b")).isEmpty();
  }

  @Test
  void pastTheChunksOfAFlow_theOldestGo() {
    ObservedEvidence store = store(10, 2, 1000);
    store.record("a", List.of(chunk("1", "one"), chunk("2", "two"), chunk("3", "three")));
    assertThat(store.of("a")).extracting(Chunk::id).containsExactly("2", "3");
  }

  @Test
  void pastTheBytesOfAFlow_theOldestGo_andAHugeChunkIsNotKept() {
    ObservedEvidence store = store(10, 10, 10);
    store.record("a", List.of(chunk("1", "four"), chunk("2", "four")));
    store.record("a", List.of(chunk("3", "four")));
    assertThat(store.of("a")).extracting(Chunk::id).containsExactly("2", "3");
    store.record("a", List.of(chunk("4", "more than all")));
    assertThat(store.of("a")).extracting(Chunk::id).containsExactly("2", "3");
  }

  @Test
  void chunkThatComesAgain_isKeptOnceAsTheNewest() {
    ObservedEvidence store = store(10, 2, 1000);
    store.record("a", List.of(chunk("1", "one"), chunk("2", "two"), chunk("1", "one")));
    store.record("a", List.of(chunk("3", "three")));
    assertThat(store.of("a")).extracting(Chunk::id).containsExactly("1", "3");
  }

  @Test
  void flowIsForgotten_afterItsTime_andEachRecordingRenewsIt() {
    ObservedEvidence store = store(10, 10, 1000);
    store.record("a", List.of(chunk("1", "one")));
    nowMs.set(900);
    store.record("a", List.of(chunk("2", "two")));
    nowMs.set(1800);
    assertThat(store.of("a")).hasSize(2);
    nowMs.set(1901);
    assertThat(store.of("a")).isEmpty();
  }

  @Test
  void texts_areCopiedFromTheBodyTheyLieIn() {
    byte[] body = {'o', 'n', 'e'};
    ObservedEvidence store = store(10, 10, 1000);
    store.record("a", List.of(new Chunk("1", Utf8Span.of(body))));
    body[0] = 'X';
    assertThat(store.of("a").getFirst().text().toString()).isEqualTo("one");
  }

  @Test
  void pastTheFlows_othersAreForgotten() {
    ObservedEvidence store = store(10, 10, 1000);
    for (int i = 0; i < 1000; i++) {
      store.record("flow-" + i, List.of(chunk("1", "one")));
    }
    long kept = IntStream.range(0, 1000).filter(i -> !store.of("flow-" + i).isEmpty()).count();
    assertThat(kept).isBetween(1L, 10L);
  }

  @Test
  void pastTheMemoryOfAllFlows_theLeastUsedAreForgotten() {
    int bytes = 20_000;
    ObservedEvidence store = new ObservedEvidence(1000, 10, 5000, 1000, bytes, nowMs::get);
    String text = "x".repeat(1000);
    for (int i = 0; i < 200; i++) {
      store.record("flow-" + i, List.of(chunk("1", text)));
    }
    long kept = IntStream.range(0, 200).filter(i -> !store.of("flow-" + i).isEmpty()).count();
    assertThat(kept * text.length()).isBetween(bytes / 2L, (long) bytes);
  }

  @Test
  void boundsBelowOne_areRefused() {
    assertThatThrownBy(() -> store(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void manyThreads_loseNothingWithinTheBounds() throws Exception {
    int threads = 4;
    int each = 200;
    ObservedEvidence store = store(4, threads * each, 1 << 20);
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        String name = "t" + t;
        done.add(
            pool.submit(() -> {
              start.await();
              for (int i = 0; i < each; i++) {
                store.record("shared", List.of(chunk(name + "-" + i, "text")));
                assertThat(store.of("shared")).isNotEmpty();
              }
              return name;
            }));
      }
      start.countDown();
      for (Future<?> one : done) {
        one.get();
      }
    }
    assertThat(store.of("shared")).hasSize(threads * each).doesNotHaveDuplicates();
  }
}
