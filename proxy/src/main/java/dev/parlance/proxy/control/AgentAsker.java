package dev.parlance.proxy.control;

import java.util.concurrent.CompletableFuture;

/** Puts questions to the local agent. */
public interface AgentAsker extends AutoCloseable {
  /** Of a sidecar without a local agent. */
  AgentAsker NONE =
      new AgentAsker() {
        @Override
        public CompletableFuture<AgentAnswer> ask(String id, AgentQuestion question, long ms) {
          return CompletableFuture.completedFuture(
              new AgentAnswer.Failed(
                  AgentAnswer.Failure.NO_AGENT, "control.localAgent is not configured", 0));
        }

        @Override
        public void close() {
          // Nothing is open.
        }
      };

  /**
   * Asks. The future never fails; an answer in time or the failure is its value.
   *
   * @param id the question's id, which is also the id of the JSON-RPC request
   * @param timeoutMs longest wait, in milliseconds
   */
  CompletableFuture<AgentAnswer> ask(String id, AgentQuestion question, long timeoutMs);

  /** Gives up what is under way; its futures complete as failed. */
  @Override
  void close();
}
