package dev.parlance.proxy.gate;

import dev.parlance.policy.signal.EntailmentRules;
import dev.parlance.policy.signal.EntailmentRules.Question;
import dev.parlance.policy.signal.EntailmentRules.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The second stage of judging claims: a classifier that is asked about those left open. */
public interface SecondStage {
  /** Which claims it is asked about, and what its word changes. */
  EntailmentRules rules();

  /**
   * Asks it. Never blocks; the future completes with a reply, in bounded time, on any thread.
   *
   * @param questions about one answer, at least one
   */
  CompletableFuture<Reply> ask(List<Question> questions);
}
