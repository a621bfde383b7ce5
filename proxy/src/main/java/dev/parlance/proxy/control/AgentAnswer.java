package dev.parlance.proxy.control;

import dev.parlance.policy.text.Coded;
import java.util.concurrent.CompletableFuture;

/** What came of a question to the local agent. */
public sealed interface AgentAnswer {
  /** How the agent gave its word. */
  enum Form implements Coded {
    /** In the extension's metadata. */
    EXTENSION,
    /** As the only word of its answer. */
    PLAIN
  }

  /** Why there is no answer that counts. */
  enum Failure implements Coded {
    /** No connection, no usable card, or a server error. */
    AGENT_UNREACHABLE,
    /** A JSON-RPC error, or a task that it rejected or could not finish. */
    AGENT_REFUSED,
    /** It said something that is not exactly one of the words. */
    UNREADABLE_ANSWER,
    /** Not in time. */
    TIMEOUT,
    /** This sidecar has no local agent to ask. */
    NO_AGENT
  }

  /**
   * The agent gave one of the words.
   *
   * @param word one of the question's words
   * @param form how it gave it
   * @param sha256 of its whole answer, lower-case hex
   * @param tookMs how long it took
   */
  record Said(String word, Form form, String sha256, long tookMs) implements AgentAnswer {}

  /**
   * There is no answer that counts.
   *
   * @param detail for people; says nothing of the question's text
   * @param tookMs how long it took to know
   */
  record Failed(Failure failure, String detail, long tookMs) implements AgentAnswer {}

  /** How long it took, in milliseconds. */
  long tookMs();

  /** Puts questions to the local agent. */
  interface AgentAsker extends AutoCloseable {
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
}
