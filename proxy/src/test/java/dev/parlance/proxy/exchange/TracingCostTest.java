package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import dev.parlance.proxy.config.TraceSettings;
import dev.parlance.proxy.trace.FakeCollector;
import dev.parlance.proxy.trace.Tracer;
import dev.parlance.relay.net.EventLoops;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What traces cost an exchange: runs in turns with and without, in one process. */
class TracingCostTest {
  /** Most bytes allocated on the loop for the span of an exchange; measured: 640. */
  private static final long SPAN_BYTES = 1_500;

  private static final int FEW = 5;

  /** {@code -Dexchange.blocks=40} measures, and prints medians. */
  private static final int BLOCKS = Integer.getInteger("exchange.blocks", FEW);

  private static final int BLOCK = 150;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final String WORDS = "One word after the other stands here. ".repeat(100);
  private static final byte[] REQUEST =
      """
      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
      "contextId":"flow-1","role":"ROLE_USER","parts":[{"text":"When is the impeller due?"}],\
      "metadata":{"history":"#"}}}}\
      """
          .replace("#", WORDS)
          .getBytes(StandardCharsets.UTF_8);
  private static final byte[] ANSWER =
      """
      {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"a-1","contextId":"flow-1",\
      "role":"ROLE_AGENT","parts":[{"text":"The impeller is due after 2000 hours [Chunk c1]."}],\
      "metadata":{"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c1","text":\
      "The impeller is due after 2000 hours. #"}]}}}}}\
      """
          .replace("#", WORDS)
          .getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder = Path.of("");

  private record Cost(long bytes, long cpuNs) {
    static Cost of(long thread) {
      return new Cost(THREADS.getThreadAllocatedBytes(thread), THREADS.getThreadCpuTime(thread));
    }

    Cost since(Cost before) {
      return new Cost((bytes - before.bytes) / BLOCK, (cpuNs - before.cpuNs) / BLOCK);
    }
  }

  @Test
  void spans_costLittleOnTheLoop_andTheRestOnTheirOwnThread() throws IOException {
    AtomicInteger exported = new AtomicInteger();
    List<Cost> onLoop = new ArrayList<>();
    List<Cost> onExporter = new ArrayList<>();
    try (EventLoops loops = EventLoops.start(1);
        FakeCollector collector = new FakeCollector();
        Tracer tracer = tracer(collector, exported)) {
      EventLoop loop = loops.next();
      long exporter = threadOf("parlance-traces");
      String observing = "routes:\n  - { name: a, mode: observe, annotate: full }\n";
      try (ExchangeLoop without = new ExchangeLoop(folder.resolve("a"), loop, observing);
          ExchangeLoop with =
              new ExchangeLoop(folder.resolve("b"), loop, observing, Optional.of(tracer))) {
        for (int block = 0; block < 2 * BLOCKS; block++) {
          Cost plain = cost(loop, without);
          Cost before = Cost.of(exporter);
          Cost traced = cost(loop, with);
          int spans = (block + 1) * BLOCK;
          await().atMost(60, TimeUnit.SECONDS).until(() -> exported.get() == spans);
          if (block >= BLOCKS) {
            onLoop.add(new Cost(traced.bytes - plain.bytes, traced.cpuNs - plain.cpuNs));
            onExporter.add(Cost.of(exporter).since(before));
          }
        }
      }
    }
    Cost more = median(onLoop);
    Cost rest = median(onExporter);
    if (BLOCKS > FEW) {
      System.out.printf(
          "a span: %,d bytes and %.1f us on the loop, %,d bytes and %.1f us on the exporter's"
              + " thread%n",
          more.bytes, more.cpuNs / 1000.0, rest.bytes, rest.cpuNs / 1000.0);
    }
    assertThat(more.bytes).isBetween(1L, SPAN_BYTES);
    assertThat(rest.bytes).isPositive();
  }

  private static Cost cost(EventLoop loop, ExchangeLoop exchanges) {
    return CompletableFuture.supplyAsync(
            () -> {
              Cost before = Cost.of(Thread.currentThread().threadId());
              exchanges.run("/a2a", "application/json", REQUEST, ANSWER, BLOCK);
              return Cost.of(Thread.currentThread().threadId()).since(before);
            },
            loop)
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
  }

  private static Cost median(List<Cost> blocks) {
    return new Cost(
        blocks.stream().map(Cost::bytes).sorted().toList().get(blocks.size() / 2),
        blocks.stream().map(Cost::cpuNs).sorted().toList().get(blocks.size() / 2));
  }

  private static long threadOf(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .findFirst()
        .orElseThrow()
        .threadId();
  }

  private static Tracer tracer(FakeCollector collector, AtomicInteger exported) throws IOException {
    return Tracer.open(
        new TraceSettings(
            URI.create(collector.url()),
            Optional.empty(),
            Optional.empty(),
            1,
            false,
            65_536,
            256,
            10,
            10_000),
        "test",
        "test",
        System::currentTimeMillis,
        (_, spans) -> exported.addAndGet(spans));
  }
}
