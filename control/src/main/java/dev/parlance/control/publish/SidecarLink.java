package dev.parlance.control.publish;

import dev.parlance.proto.v1.AttachResponse;

/**
 * The way to one sidecar. Calls come one at a time.
 *
 * <p>{@link #isReady} says whether a message would go out at once; whoever asks first never fills
 * memory with what a slow sidecar does not read.
 */
public interface SidecarLink {
  /** True if a message would not have to wait. */
  boolean isReady();

  /** Sends a message. */
  void send(AttachResponse message);

  /** Ends the stream. */
  void end(StreamEnd why, String detail);
}
