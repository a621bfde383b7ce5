package dev.parlance.control.publish;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A held message as its sidecar has announced it, without a word of it. Every text is bounded and
 * fit to be shown.
 *
 * @param id in the queue of the sidecar
 * @param textSha256 of the text that was judged, in hex
 * @param route configured name of the route
 * @param reasons codes, most important first
 * @param asp ASP header text; empty if nothing was measured
 * @param state pending, released, rejected, sent_back, delivered or expired
 * @param phase of a pending one: open, claimed or decided
 * @param queue whom it has been escalated to; empty at first
 * @param people how many have to agree
 * @param voted how many have decided
 * @param claim who is at it
 * @param countsAtMs when the decision takes effect, while it can be undone
 * @param decidedBy who decided, once that counts; empty before
 */
public record HeldItem(
    String id,
    String textSha256,
    Place place,
    String route,
    List<String> reasons,
    long heldAtMs,
    String asp,
    String state,
    String phase,
    String queue,
    int people,
    int voted,
    Optional<Claim> claim,
    OptionalLong countsAtMs,
    int escalations,
    String decidedBy) {
  private static final Set<String> OPEN = Set.of("pending", "released");
  private static final Set<String> SETTLED =
      Set.of("rejected", "sent_back", "delivered", "expired");

  /**
   * Where it was on its way.
   *
   * @param direction inbound or outbound
   * @param kind request, response or term
   * @param caller address without path
   * @param destination address without path
   */
  public record Place(
      String direction, String kind, String protocol, String caller, String destination) {}

  /** A person is at it until then, in milliseconds since the epoch. */
  public record Claim(String who, long untilMs) {}

  /** Refuses a state that there is none of. */
  public HeldItem {
    reasons = List.copyOf(reasons);
    if (!OPEN.contains(state) && !SETTLED.contains(state)) {
      throw new IllegalArgumentException("expected a state of a held message, got " + state);
    }
  }

  /** True while it waits, or waits to be fetched. */
  public boolean isOpen() {
    return OPEN.contains(state);
  }

  /** True if it waits for a person, or for a decision to count. */
  public boolean isPending() {
    return state.equals("pending");
  }
}
