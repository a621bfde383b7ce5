package dev.parlance.proxy.control;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Sees to it that the agent is asked each question once: the control plane repeats a question when
 * its stream broke before the answer came. Used by one thread.
 */
public final class OpenQuestions {
  /** Questions that are remembered; those asked longest ago are forgotten first. */
  static final int REMEMBERED = 1_024;

  private final AgentAnswer.AgentAsker asker;
  private final Map<String, Asked> asked = new LinkedHashMap<>();

  /**
   * A question that the agent was asked.
   *
   * @param stream the stream that is owed its answer
   */
  private record Asked(long stream, CompletableFuture<AgentAnswer> answer) {}

  public OpenQuestions(AgentAnswer.AgentAsker asker) {
    this.asker = asker;
  }

  /**
   * Asks the agent, or finds what it said before.
   *
   * @param stream number of the stream on which the question came
   * @return its answer; empty if the same stream has asked it before
   */
  public Optional<CompletableFuture<AgentAnswer>> put(
      long stream, String id, AgentQuestion question, long timeoutMs) {
    Asked before = asked.get(id);
    if (before != null && before.stream() == stream) {
      return Optional.empty();
    }
    CompletableFuture<AgentAnswer> answer =
        before == null ? asker.ask(id, question, timeoutMs) : before.answer();
    asked.put(id, new Asked(stream, answer));
    if (asked.size() > REMEMBERED) {
      asked.remove(asked.keySet().iterator().next());
    }
    return Optional.of(answer);
  }

  /** True unless a later stream has asked the question again, which is owed the answer then. */
  public boolean isOwed(long stream, String id) {
    Asked last = asked.get(id);
    return last == null || last.stream() == stream;
  }
}
