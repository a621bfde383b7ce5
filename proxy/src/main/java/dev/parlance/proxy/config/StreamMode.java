package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** When the bytes of a streamed answer go on to the caller. */
public enum StreamMode implements Coded {
  /** Once the message or artifact is whole and a verdict covers it. */
  HOLD,
  /** Sentence by sentence, each once a verdict covers everything up to it. */
  WINDOW,
  /** At once; the verdict follows and holds nothing back. */
  OBSERVE
}
