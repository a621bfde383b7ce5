package dev.parlance.demo.agent;

import io.a2a.server.agentexecution.RequestContext;
import io.a2a.spec.Event;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The agent that puts claims to a panel and takes the proposals in. It keeps what it hears where
 * anybody on the panel can look, which is what a rushing liar needs.
 */
public final class Moderator implements AnsweringAgent {
  private final List<Ballot> board = new ArrayList<>();

  /** What it has received in a round so far. */
  public synchronized List<Ballot> heard(String round, long epoch) {
    return board.stream().filter(one -> one.round().equals(round) && one.epoch() == epoch).toList();
  }

  /** As {@link #heard}, once there are so many, or as many as there are when the time is over. */
  public synchronized List<Ballot> awaitHeard(String round, long epoch, int count, long timeoutMs)
      throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    long leftMs = timeoutMs;
    while (heard(round, epoch).size() < count && leftMs > 0) {
      wait(leftMs);
      leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
    }
    return heard(round, epoch);
  }

  @Override
  public synchronized Event answer(RequestContext context) throws JSONRPCError {
    board.add(
        Ballot.in(context.getMessage(), context.getUserInput("\n"))
            .orElseThrow(() -> new InvalidParamsError("expected a proposal")));
    notifyAll();
    return AnsweringAgent.message(context, "Noted.", Map.of());
  }
}
