package dev.parlance.proxy.gate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.parlance.policy.message.Chunk;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The results that the local agent retrieved through this sidecar: the evidence of an agent that
 * declares none. Thread-safe.
 *
 * <p>They are kept by what may join them with an answer, each of which is a flow here: the trace,
 * else the conversation (a session of MCP, a context of A2A), and where there is no trace the
 * connection of the local agent. A trace says that they belong together; the others only that they
 * may.
 *
 * <p>Bounded in each direction: past the flows the least used one is forgotten; past the chunks or
 * bytes of one flow its oldest chunks go, so that what was retrieved last is what an answer is held
 * against. A chunk that repeats an earlier one by id and text takes its place as the newest. A
 * chunk larger than a whole flow may be is not kept. A flow is forgotten {@code ttlMs} after the
 * last recording, and the least used ones sooner where all together would take more memory than
 * they may.
 */
public final class ObservedEvidence {
  private static final int NS_PER_MS = 1_000_000;

  /**
   * The chunks of one flow; immutable, so that readers need no lock.
   *
   * @param chunks oldest first
   * @param bytes of their ids and texts
   * @param cut how many have gone, or were too large
   */
  private record Found(List<Chunk> chunks, long bytes, int cut) {}

  /**
   * What may join an exchange with another one.
   *
   * @param trace trace id
   * @param session conversation between these two
   * @param connection of the client, by a name that no other has
   */
  public record Keys(
      Optional<String> trace, Optional<String> session, Optional<String> connection) {
    /** What only may join it, the surest first. */
    private Stream<String> weak() {
      Optional<String> untraced = trace.isPresent() ? Optional.empty() : connection;
      return Stream.of(session.map(id -> "session " + id), untraced.map(id -> "connection " + id))
          .flatMap(Optional::stream);
    }
  }

  private final AtomicLong lastStrayMs = new AtomicLong(Long.MIN_VALUE);

  /** Objects and references of one chunk, and of one flow, beside their texts. */
  private static final int OBJECT_BYTES = 128;

  private static final int SHARE_OF_HEAP = 8;

  private static final Found NOTHING = new Found(List.of(), 0, 0);

  private final LongSupplier nowMs;
  private final Cache<String, Found> flows;
  private final int chunksPerFlow;
  private final int bytesPerFlow;

  /**
   * An empty store.
   *
   * @param flows most flows kept
   * @param chunksPerFlow most chunks kept of a flow
   * @param bytesPerFlow most bytes of text and ids kept of a flow
   * @param ttlMs time after the last recording until a flow is forgotten
   * @param nowMs a clock that only goes forward, in milliseconds
   */
  public ObservedEvidence(
      int flows, int chunksPerFlow, int bytesPerFlow, long ttlMs, LongSupplier nowMs) {
    this(
        flows,
        chunksPerFlow,
        bytesPerFlow,
        ttlMs,
        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP,
        nowMs);
  }

  /**
   * An empty store.
   *
   * @param bytes most memory of all flows together
   */
  ObservedEvidence(
      int flows, int chunksPerFlow, int bytesPerFlow, long ttlMs, long bytes, LongSupplier nowMs) {
    if (flows < 1 || chunksPerFlow < 1 || bytesPerFlow < 1 || ttlMs < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "expected bounds of at least 1, got %d flows, %d chunks, %d bytes, %d ms, %d bytes in all"
              .formatted(flows, chunksPerFlow, bytesPerFlow, ttlMs, bytes));
    }
    // Each flow weighs at least its share, so that one bound keeps both.
    int share = (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(bytes, flows));
    Ticker ticker = () -> nowMs.getAsLong() * NS_PER_MS;
    this.flows =
        Caffeine.newBuilder()
            .maximumWeight(Math.max(bytes, share))
            .<String, Found>weigher((flow, found) -> Math.max(share, weight(flow, found)))
            .ticker(ticker)
            // Forgetting is cheap enough for the event loop, and the bound holds at every moment.
            .executor(Runnable::run)
            .expireAfterWrite(Duration.ofMillis(ttlMs))
            .build();
    this.nowMs = nowMs;
    this.chunksPerFlow = chunksPerFlow;
    this.bytesPerFlow = bytesPerFlow;
  }

  /**
   * Notes what was delivered to the local agent. The texts are copied; the bodies they lie in are
   * not kept.
   *
   * @param flow id of the flow
   */
  public void record(String flow, List<Chunk> chunks) {
    if (!chunks.isEmpty()) {
      flows.asMap().compute(flow, (_, found) -> added(found == null ? NOTHING : found, chunks));
    }
  }

  /**
   * Notes what was delivered to the local agent.
   *
   * @param isAsked true if a question came in under the trace
   */
  public void record(Keys keys, List<Chunk> chunks, boolean isAsked) {
    keys.trace().ifPresent(trace -> record(trace, chunks));
    keys.weak().forEach(key -> record(key, chunks));
    if (!isAsked && !chunks.isEmpty()) {
      lastStrayMs.set(nowMs.getAsLong());
    }
  }

  /** An answer in this conversation was held against these: a later one may use them, too. */
  public void carryOver(Keys keys, List<Chunk> chunks) {
    keys.session().ifPresent(id -> record("session " + id, chunks));
  }

  /** What an answer may have used that no trace joins with it; empty if there is nothing. */
  public List<Chunk> near(Keys keys) {
    return keys.weak()
        .map(this::of)
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /**
   * True if results have passed that no question's trace joins with it.
   *
   * @param startNs since then, by {@link System#nanoTime}
   */
  public boolean hasStraysSince(long startNs) {
    return lastStrayMs.get() >= startNs / NS_PER_MS;
  }

  private Found added(Found found, List<Chunk> chunks) {
    Deque<Chunk> kept = new ArrayDeque<>(found.chunks());
    long bytes = found.bytes();
    int cut = found.cut();
    for (Chunk chunk : chunks) {
      long size = size(chunk);
      if (size <= bytesPerFlow) {
        if (kept.remove(chunk)) {
          bytes -= size;
        }
        kept.addLast(new Chunk(chunk.id(), chunk.text().detached()));
        bytes += size;
        while (kept.size() > chunksPerFlow || bytes > bytesPerFlow) {
          bytes -= size(kept.removeFirst());
          cut++;
        }
      } else {
        cut++;
      }
    }
    return new Found(List.copyOf(kept), bytes, cut);
  }

  private static int weight(String flow, Found found) {
    return (int)
        Math.min(
            Integer.MAX_VALUE,
            found.bytes() + flow.length() + (1L + found.chunks().size()) * OBJECT_BYTES);
  }

  private static long size(Chunk chunk) {
    return (long) chunk.text().length() + chunk.id().length();
  }

  /** What was recorded for the flow, oldest first; empty if nothing was, or not lately. */
  public List<Chunk> of(String flow) {
    Found found = flows.getIfPresent(flow);
    return found == null ? List.of() : found.chunks();
  }

  /** How many chunks of the flow are kept no more, because there were too many. */
  public int cut(String flow) {
    Found found = flows.getIfPresent(flow);
    return found == null ? 0 : found.cut();
  }
}
