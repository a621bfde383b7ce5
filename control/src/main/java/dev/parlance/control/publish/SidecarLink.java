package dev.parlance.control.publish;

import dev.parlance.control.publish.api.AgentQuestion;

/**
 * The way to one sidecar. Calls come one at a time.
 *
 * <p>{@link #isReady} says whether a message would go out at once; whoever asks first never fills
 * memory with what a slow sidecar does not read.
 */
public interface SidecarLink {
  /** True if a message would not have to wait. */
  boolean isReady();

  /** Says who serves it, and how often it is to report. */
  void welcome(String replica, int reportIntervalMs);

  /** Sends a core. */
  void push(PublishedCore core);

  /** Sends a question to its agent. */
  void ask(AgentQuestion question);

  /** Ends the stream. */
  void end(StreamEnd why, String detail);
}
