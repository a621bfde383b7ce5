package dev.parlance.control.api;

import dev.parlance.control.certify.Attempt;
import dev.parlance.control.round.RoundCoordinator;
import dev.parlance.control.round.RoundView;
import dev.parlance.control.round.RoundView.Viewer;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;

/** Calls of rounds in the words of the protocol, without a server in between. */
public record RoundCalls(RoundCoordinator rounds) {
  /** Opens a round. */
  public Attempt<Round> open(OpenRoundRequest request) {
    return rounds
        .open(RoundRequests.opening(request, rounds.defaultDeadlineMs()))
        .then(view -> Attempt.done(shown(view)));
  }

  /** Proposes. */
  public Attempt<ProposeResponse> propose(ProposeRequest request) {
    return rounds
        .propose(RoundRequests.proposal(request))
        .then(proposed -> Attempt.done(RoundMessages.of(proposed)));
  }

  /** Looks at a round. */
  public Attempt<Round> get(GetRoundRequest request) {
    return rounds
        .get(RoundRequests.query(request), new Viewer.Operator())
        .then(view -> Attempt.done(shown(view)));
  }

  /** A round as it is sent. */
  public static Round shown(RoundView view) {
    return RoundMessages.of(view);
  }
}
