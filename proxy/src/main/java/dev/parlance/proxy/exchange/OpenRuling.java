package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Ruling;
import java.util.List;
import java.util.Optional;

/**
 * A ruling whose action is not known yet.
 *
 * @param bytesIn size of the judged body, without content coding
 * @param sha256 of the same bytes, in hex
 * @param originUs time waited for the origin so far
 * @param status HTTP status of the answer, 0 for a request
 * @param stream what of a stream it covers; empty for a message that was read whole
 * @param stop where it goes instead, if something else than the judge stands against it
 */
record OpenRuling(
    Ruling ruling,
    Leg leg,
    long bytesIn,
    String sha256,
    long originUs,
    int status,
    Optional<DecisionEvent.Stream> stream,
    Optional<Stop> stop) {

  /** Where a message goes, and why. */
  record Stop(Route route, List<Reason> reasons) {}

  /** The same message under another ruling. */
  OpenRuling of(Ruling other) {
    return new OpenRuling(other, leg, bytesIn, sha256, originUs, status, stream, stop);
  }

  /** The same ruling on a message that does not go on for another reason. */
  OpenRuling stoppedFor(Route route, Reason reason) {
    return new OpenRuling(
        ruling,
        leg,
        bytesIn,
        sha256,
        originUs,
        status,
        stream,
        Optional.of(new Stop(route, List.of(reason))));
  }
}
