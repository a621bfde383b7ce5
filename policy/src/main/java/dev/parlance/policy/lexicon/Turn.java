package dev.parlance.policy.lexicon;

/**
 * What one speaker says at once.
 *
 * @param speaker who
 * @param channel to whom
 * @param text what, with its coinages and directives
 * @param checkpoint true if an interval ends behind it in which a term's use is looked for
 */
public record Turn(String speaker, Channel channel, String text, boolean checkpoint) {
  /** Refuses a turn of nobody. */
  public Turn {
    if (speaker.isEmpty()) {
      throw new IllegalArgumentException("a turn needs a speaker");
    }
  }
}
