package dev.parlance.proxy.admin;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The review queue as people see it. Everything may block for a bounded time. */
public interface ReviewPort {
  /** What came of what a person did. */
  sealed interface Outcome {
    /** It holds, and is on disk; the item as it stands now. */
    record Done(JsonNode item) implements Outcome {}

    /** There is no such item. */
    record NotFound() implements Outcome {}

    /** Nothing changed, for a stable reason code: somebody was first. The item as it stands. */
    record Unfit(JsonNode item, String code) implements Outcome {}

    /** Nothing was decided: a stable reason code, and a message for the person. */
    record Failed(String code, String message) implements Outcome {}
  }

  /** What a person does about an item. */
  sealed interface Act {
    /** The person, 1 to 200 characters. */
    String who();

    /**
     * Takes it, or goes on with it.
     *
     * @param names the person's, and those of his roles and groups, as far as they are believed
     * @param forMs for how long; as configured if empty
     */
    record Claim(String who, Set<String> names, OptionalLong forMs) implements Act {}

    /** Gives it back undecided. */
    record Unclaim(String who) implements Act {}

    /**
     * Decides.
     *
     * @param names the person's, and those of his roles and groups, as far as they are believed
     * @param note why, at most 4000 characters
     * @param verdict release, reject or send_back
     * @param undoMs how long it can be undone; as configured if empty, and never longer
     */
    record Decide(String who, Set<String> names, String note, String verdict, OptionalLong undoMs)
        implements Act {}

    /** Takes a decision back before it counts. */
    record Undo(String who) implements Act {}
  }

  /** The states that {@link #list} knows, for messages. */
  List<String> states();

  /**
   * What is looked for; what is empty fits everything.
   *
   * @param state one of {@link #states}
   * @param phase of a waiting item: open, claimed or decided
   * @param queue whom it was escalated to; {@code default} before that
   * @param owner who has claimed it
   * @param route configured name of the route
   * @param peer part of the caller or the destination
   * @param reason one of the reasons
   * @param kind request, response or term
   * @param text part of the question or the answer, in any case
   * @param digest SHA-256 of the text that was judged, in hex
   * @param minG least grounding, 0 to 1; what was not measured does not fit
   * @param maxG most grounding, likewise
   * @param sinceMs held at this time or later, in milliseconds since the epoch
   */
  record Filter(
      Optional<String> state,
      Optional<String> phase,
      Optional<String> queue,
      Optional<String> owner,
      Optional<String> route,
      Optional<String> peer,
      Optional<String> reason,
      Optional<String> kind,
      Optional<String> text,
      Optional<String> digest,
      OptionalDouble minG,
      OptionalDouble maxG,
      OptionalLong sinceMs) {}

  /**
   * Which part of the items that fit.
   *
   * @param after cursor of an earlier page; empty for the first
   * @param limit most items of it, 1 or more
   * @param viewer who looks; a person who looks at items that others have decided blind sees his
   *     own decisions alone
   * @param facets whether the distribution of all that fit is wanted
   */
  record Slice(Optional<String> after, int limit, Optional<String> viewer, boolean facets) {}

  /**
   * Items, without their messages: undecided and released ones, oldest first, then the others,
   * latest first.
   *
   * @param total how many there are in all
   * @param next cursor of the page behind this one; empty if this is the last
   * @param facets how many there are of each kind, of all that fit; if that was wanted
   */
  record Page(List<JsonNode> items, int total, Optional<String> next, Optional<JsonNode> facets) {}

  /** One page of the items that fit. */
  Page list(Filter filter, Slice slice);

  /** The item with this id, without its message, as this person may see it. */
  Optional<JsonNode> find(String id, Optional<String> viewer);

  /** The held message, byte for byte; empty if there is no such item or its content is gone. */
  Optional<byte[]> message(String id);

  /** Does what a person does. */
  Outcome act(String id, Act act);

  /** The ids of the others that wait and say the same. */
  List<String> identical(String id);

  /** How the queue and its reviewers are doing. */
  JsonNode stats();
}
