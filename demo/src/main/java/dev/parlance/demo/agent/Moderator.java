package dev.parlance.demo.agent;

import io.a2a.A2A;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import io.a2a.spec.TaskNotCancelableError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The agent that puts claims to a panel and takes the proposals in. It keeps what it hears where
 * anybody on the panel can look, which is what a rushing liar needs.
 */
public final class Moderator implements AutoCloseable {
  private final AgentServer server;
  private final List<Heard> board = new ArrayList<>();

  private Moderator(AgentServer server) {
    this.server = server;
  }

  /**
   * A proposal as the moderator received it.
   *
   * @param round name of the round
   * @param epoch its epoch
   * @param verdict the verdict
   * @param rationale the words
   */
  public record Heard(String round, long epoch, String verdict, String rationale) {}

  /** Starts it on a free loopback port. */
  public static Moderator start() throws IOException {
    AgentServer server = AgentServer.bind(0, Binding.JSONRPC);
    Moderator moderator = new Moderator(server);
    server.start(
        AgentCards.of("license-moderator", "Puts claims to a panel of agents.", moderator.url()),
        moderator.executor());
    return moderator;
  }

  /** Where it listens. */
  public String url() {
    return "http://127.0.0.1:" + server.port() + "/";
  }

  /** What it has received in a round so far. */
  public synchronized List<Heard> heard(String round, long epoch) {
    return board.stream().filter(one -> one.round().equals(round) && one.epoch() == epoch).toList();
  }

  /** As {@link #heard}, once there are so many, or as many as there are when the time is over. */
  public synchronized List<Heard> awaitHeard(String round, long epoch, int count, long timeoutMs)
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

  private synchronized void note(Heard heard) {
    board.add(heard);
    notifyAll();
  }

  private AgentExecutor executor() {
    return new AgentExecutor() {
      @Override
      public void execute(RequestContext context, EventQueue queue) throws JSONRPCError {
        Message message = context.getMessage();
        Map<String, Object> metadata =
            message.getMetadata() == null ? Map.of() : message.getMetadata();
        if (!(metadata.get(Extensions.ROUND) instanceof Map<?, ?> members
            && members.get("round") instanceof String round
            && members.get("epoch") instanceof Number epoch
            && members.get("verdict") instanceof String verdict)) {
          throw new InvalidParamsError("expected a proposal");
        }
        note(new Heard(round, epoch.longValue(), verdict, context.getUserInput("\n")));
        queue.enqueueEvent(
            new Message.Builder(A2A.toAgentMessage("Noted."))
                .contextId(context.getContextId())
                .build());
      }

      @Override
      public void cancel(RequestContext context, EventQueue queue) throws JSONRPCError {
        throw new TaskNotCancelableError("proposals are taken in at once");
      }
    };
  }

  @Override
  public void close() {
    server.close();
  }
}
