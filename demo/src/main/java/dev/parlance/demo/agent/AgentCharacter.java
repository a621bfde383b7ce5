package dev.parlance.demo.agent;

import dev.parlance.policy.route.Route;
import java.util.List;

/**
 * How the scholar answers a question: the kinds of its drafts, the last one repeated, and what a
 * sidecar has to make of them. No character looks at sidecar fields, verdicts or routes.
 */
public enum AgentCharacter {
  /** Quotes the retrieved pieces and cites them. */
  FAITHFUL(Route.EXECUTE, 1, Kind.CITED),
  /** Quotes and cites, wrapped in much talk of its own. */
  HEDGING(Route.WARN, 1, Kind.TALK_AND_CITED),
  /** Quotes without naming the source, which is noted; names it when asked to. */
  FORGETFUL(Route.EXECUTE, 1, Kind.QUOTED, Kind.CITED),
  /** Mixes a true quote with unsupported talk; keeps to the material when asked to. */
  EMBROIDERING(Route.EXECUTE, 2, Kind.QUOTED_AND_TALK, Kind.CITED),
  /** Drops the talk first, and names the source only when asked again. */
  RELAPSING(Route.EXECUTE, 2, Kind.QUOTED_AND_TALK, Kind.QUOTED, Kind.CITED),
  /** Tells it in its own words, never from the material, whatever it is asked. */
  PARAPHRASING(Route.YIELD, 2, Kind.TALK),
  /** Makes up terms, fees and courts, and sometimes a source, whatever it is asked. */
  INVENTING(Route.YIELD, 2, Kind.TALK),
  /** Talks about itself; there is nothing to retrieve. */
  BARE(Route.WARN, 1, Kind.TALK_OF_ITSELF);

  /** What a draft is made of. */
  enum Kind {
    CITED,
    TALK_AND_CITED,
    QUOTED,
    QUOTED_AND_TALK,
    TALK,
    TALK_OF_ITSELF
  }

  private final Route route;
  private final int drafts;

  @SuppressWarnings("ImmutableEnumChecker") // a copy, and its elements are constants
  private final List<Kind> kinds;

  /** What the evidence has nothing of is asked for again once; a second such draft is held. */
  AgentCharacter(Route route, int drafts, Kind... kinds) {
    this.route = route;
    this.drafts = drafts;
    this.kinds = List.of(kinds);
  }

  /** The routes of all drafts in words, e.g. {@code regenerate>execute}. */
  public String path() {
    return (Route.REGENERATE.code() + ">").repeat(drafts - 1) + route.code();
  }

  /** The kind of the draft after so many requests to repair. */
  Kind kind(int repairs) {
    return kinds.get(Math.min(repairs, kinds.size() - 1));
  }

  /** True if what it says in the end has no ground in the material. */
  public boolean ungrounded() {
    return route == Route.YIELD;
  }

  /** True if its first draft holds true material but is not fit to pass on. */
  public boolean partialAtFirst() {
    return kind(0) == Kind.QUOTED_AND_TALK;
  }
}
