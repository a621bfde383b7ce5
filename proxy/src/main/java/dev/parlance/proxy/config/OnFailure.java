package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** What happens to a message that was not judged. */
public enum OnFailure implements Coded {
  /** It is refused. */
  BLOCK,
  /** It goes on with a warning. */
  WARN,
  /** It goes on untouched, and is counted. */
  ALLOW
}
