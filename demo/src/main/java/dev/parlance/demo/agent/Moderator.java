package dev.parlance.demo.agent;

import io.a2a.server.agentexecution.RequestContext;
import io.a2a.spec.Event;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The agent that puts claims to a panel and takes the proposals in. It keeps what it hears where
 * anybody on the panel can look, which is what a rushing liar needs.
 */
public final class Moderator extends HostedAgent {
  private final List<Ballot> board = new ArrayList<>();

  private Moderator() throws IOException {
    super("license-moderator");
  }

  /** Starts it on a free loopback port. */
  public static Moderator start() throws IOException {
    Moderator moderator = new Moderator();
    moderator.begin("Puts claims to a panel of agents.", moderator.url(), moderator::answer);
    return moderator;
  }

  /** What it has received in a round so far. */
  public synchronized List<Ballot> heard(String round, long epoch) {
    return board.stream().filter(one -> one.round().equals(round) && one.epoch() == epoch).toList();
  }

  /** As {@link #heard}, once there are so many, or as many as there are when the time is over. */
  public synchronized List<Ballot> awaitHeard(String round, long epoch, int count, long timeoutMs)
      throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (heard(round, epoch).size() < count) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      if (leftMs <= 0) {
        break;
      }
      wait(leftMs);
    }
    return heard(round, epoch);
  }

  private synchronized void note(Ballot heard) {
    board.add(heard);
    notifyAll();
  }

  private Event answer(RequestContext context) throws JSONRPCError {
    note(
        Ballot.in(context.getMessage(), context.getUserInput("\n"))
            .orElseThrow(() -> new InvalidParamsError("expected a proposal")));
    return AnsweringAgent.message(context, "Noted.", Map.of());
  }
}
