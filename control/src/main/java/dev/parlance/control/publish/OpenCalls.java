package dev.parlance.control.publish;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.PersonCall.CallFault;
import dev.parlance.control.publish.PersonCall.Outcome;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls of persons to one attached sidecar, from the question to its whole answer.
 *
 * <pre>
 *   add -> waiting -> next -> on its way -> replied (the last piece) -> Answered
 *            |                    |
 *            +------ expire ------+-> LATE        end -> GONE, all of them
 * </pre>
 *
 * <table>
 *   <caption>Limits</caption>
 *   <tr><td>on their way to one sidecar</td><td>16</td><td>the next one waits</td></tr>
 *   <tr><td>waiting for one sidecar</td><td>64</td><td>BUSY</td></tr>
 *   <tr><td>bytes of one answer</td><td>3 MiB</td><td>TOO_LARGE</td></tr>
 *   <tr><td>bytes of unfinished answers, all sidecars</td><td>64 MiB</td><td>BUSY</td></tr>
 *   <tr><td>time, with waiting</td><td>10 s</td><td>LATE</td></tr>
 * </table>
 *
 * A reply to no call of this stream (made up, said twice, too late) is counted and dropped.
 */
final class OpenCalls {
  static final int MAX_SENT = 16;
  static final int MAX_WAITING = 64;
  static final int MAX_REPLY_BYTES = 3 << 20;
  static final long MAX_ALL_BYTES = 64L << 20;
  static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(10);

  private final ControlMetrics metrics;
  private final AtomicLong allBytes;
  private final Deque<Open> waiting = new ArrayDeque<>();
  private final Map<String, Open> sent = new HashMap<>();
  private long last;
  private boolean ended;

  /** A call with the name that its reply carries back. */
  record Named(String id, PersonCall call) {}

  /** A call, and what has come of its answer. */
  private static final class Open {
    private final Named named;
    private final long addedNs;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    Open(Named named, long addedNs) {
      this.named = named;
      this.addedNs = addedNs;
    }
  }

  /**
   * No calls yet.
   *
   * @param allBytes bytes of unfinished answers of all sidecars
   */
  OpenCalls(ControlMetrics metrics, AtomicLong allBytes) {
    this.metrics = metrics;
    this.allBytes = allBytes;
  }

  /** A new call; what comes of it completes on the thread that finds out. */
  CompletableFuture<Outcome> add(PersonCall call, long nowNs) {
    CallFault fault;
    synchronized (this) {
      if (!ended && waiting.size() < MAX_WAITING) {
        last++;
        Open open = new Open(new Named(Long.toString(last), call), nowNs);
        waiting.add(open);
        return open.outcome;
      }
      fault = ended ? CallFault.GONE : CallFault.BUSY;
    }
    metrics.count(ControlMeter.CONSOLE_CALLS, fault.code());
    return CompletableFuture.completedFuture(new Outcome.Failed(fault));
  }

  /** The next one to send, if one may be. */
  synchronized Optional<Named> next() {
    if (sent.size() >= MAX_SENT || waiting.isEmpty()) {
      return Optional.empty();
    }
    Open open = waiting.remove();
    sent.put(open.named.id(), open);
    return Optional.of(open.named);
  }

  /**
   * A piece of an answer.
   *
   * @param status of the last piece
   * @param more true: another piece follows
   */
  void replied(String id, int status, byte[] piece, boolean more) {
    Open open;
    Outcome outcome;
    synchronized (this) {
      open = sent.get(id);
      if (open == null) {
        metrics.count(ControlMeter.CONSOLE_CALLS, "unmatched");
        return;
      }
      if (open.body.size() + piece.length > MAX_REPLY_BYTES) {
        outcome = new Outcome.Failed(CallFault.TOO_LARGE);
      } else if (more && allBytes.get() + piece.length > MAX_ALL_BYTES) {
        outcome = new Outcome.Failed(CallFault.BUSY);
      } else {
        open.body.writeBytes(piece);
        if (more) {
          allBytes.addAndGet(piece.length);
          return;
        }
        allBytes.addAndGet(piece.length);
        outcome = new Outcome.Answered(status, open.body.toByteArray());
      }
      forget(open);
    }
    complete(open, outcome);
  }

  /** Gives up what has taken too long; true if others may be sent now. */
  boolean expire(long nowNs) {
    List<Open> late = new ArrayList<>();
    synchronized (this) {
      waiting.stream().filter(open -> nowNs - open.addedNs > DEADLINE_NS).forEach(late::add);
      sent.values().stream().filter(open -> nowNs - open.addedNs > DEADLINE_NS).forEach(late::add);
      late.forEach(this::forget);
    }
    late.forEach(open -> complete(open, new Outcome.Failed(CallFault.LATE)));
    return !late.isEmpty();
  }

  /** The stream is over: there will be no answers. */
  void end() {
    List<Open> unasked;
    List<Open> asked;
    synchronized (this) {
      ended = true;
      unasked = List.copyOf(waiting);
      asked = List.copyOf(sent.values());
      unasked.forEach(this::forget);
      asked.forEach(this::forget);
    }
    unasked.forEach(open -> complete(open, new Outcome.Failed(CallFault.GONE)));
    asked.forEach(open -> complete(open, new Outcome.Failed(CallFault.LEFT)));
  }

  private void forget(Open open) {
    waiting.remove(open);
    sent.remove(open.named.id());
    allBytes.addAndGet(-open.body.size());
  }

  private void complete(Open open, Outcome outcome) {
    metrics.count(
        ControlMeter.CONSOLE_CALLS,
        switch (outcome) {
          case Outcome.Answered(int status, byte[] _) ->
              status >= 200 && status < 300 ? "answered" : "refused";
          case Outcome.Failed(CallFault fault) -> fault.code();
        });
    open.outcome.complete(outcome);
  }
}
