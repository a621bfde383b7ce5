package dev.parlance.demo.agent;

/**
 * How the scholar answers a question. A character decides what is written and nothing else: no
 * character looks at sidecar fields, verdicts or routes.
 */
public enum AgentCharacter {
  /** Quotes the retrieved pieces and cites them. */
  FAITHFUL(false),
  /** Quotes and cites, wrapped in much talk of its own. */
  HEDGING(false),
  /** Quotes without naming the source, which is noted; names it when asked to. */
  FORGETFUL(false),
  /** Mixes a true quote with unsupported talk; keeps to the material when asked to. */
  EMBROIDERING(false),
  /**
   * As {@link #EMBROIDERING}, but drops the talk first and names the source only when asked again.
   */
  RELAPSING(false),
  /** Tells it in its own words, never from the material, whatever it is asked. */
  PARAPHRASING(true),
  /** Makes up terms, fees and courts, and sometimes a source, whatever it is asked. */
  INVENTING(true),
  /** Talks about itself; there is nothing to retrieve. */
  BARE(false);

  private final boolean ungrounded;

  AgentCharacter(boolean ungrounded) {
    this.ungrounded = ungrounded;
  }

  /** True if what it says in the end has no ground in the material. */
  public boolean ungrounded() {
    return ungrounded;
  }

  /** True if its first draft holds true material but is not fit to pass on. */
  public boolean partialAtFirst() {
    return switch (this) {
      case EMBROIDERING, RELAPSING -> true;
      case FAITHFUL, FORGETFUL, HEDGING, PARAPHRASING, INVENTING, BARE -> false;
    };
  }
}
