package dev.parlance.proxy.control;

import java.util.concurrent.CompletableFuture;

/** What came of a question to the local agent. */
public sealed interface AgentAnswer {
  /** How the agent gave its word. */
  enum Form {
    /** In the extension's metadata. */
    EXTENSION("extension"),
    /** As the only word of its answer. */
    PLAIN("plain");

    private final String code;

    Form(String code) {
      this.code = code;
    }

    /** The stable name. */
    public String code() {
      return code;
    }
  }

  /** Why there is no answer that counts. */
  enum Failure {
    /** No connection, no usable card, or a server error. */
    AGENT_UNREACHABLE("agent_unreachable"),
    /** A JSON-RPC error, or a task that it rejected or could not finish. */
    AGENT_REFUSED("agent_refused"),
    /** It said something that is not exactly one of the words. */
    UNREADABLE_ANSWER("unreadable_answer"),
    /** Not in time. */
    TIMEOUT("timeout"),
    /** This sidecar has no local agent to ask. */
    NO_AGENT("no_agent");

    private final String code;

    Failure(String code) {
      this.code = code;
    }

    /** The stable name, as in {@code parlance.v1.Answer}. */
    public String code() {
      return code;
    }
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
