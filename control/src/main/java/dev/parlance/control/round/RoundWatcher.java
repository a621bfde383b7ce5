package dev.parlance.control.round;

import dev.parlance.service.Result;

/** Somebody who watches a round; called by one thread at a time, must not wait. */
public interface RoundWatcher {
  /** Whether it can take something; what is not taken is replaced by what comes later. */
  boolean isReady();

  /** The round as it is. */
  void changed(RoundSnapshot round);

  /** There is nothing more to come. */
  void ended();

  /** The watching was given up. */
  void failed(Result.Refused<?> refusal);

  /** A bug or the store. */
  void failed(RuntimeException cause);
}
