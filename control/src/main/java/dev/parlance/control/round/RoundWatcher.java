package dev.parlance.control.round;

import dev.parlance.control.certify.Attempt;
import dev.parlance.proto.v1.Round;

/** Somebody who watches a round; called by one thread at a time, must not wait. */
public interface RoundWatcher {
  /** Whether it can take something; what is not taken is replaced by what comes later. */
  boolean isReady();

  /** The round as it is. */
  void changed(Round round);

  /** There is nothing more to come. */
  void ended();

  /** The watching was given up. */
  void failed(Attempt.Refused<Round> refusal);

  /** A bug or the store. */
  void failed(RuntimeException cause);
}
