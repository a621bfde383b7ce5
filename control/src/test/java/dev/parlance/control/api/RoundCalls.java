package dev.parlance.control.api;

import dev.parlance.control.round.RoundCoordinator;
import dev.parlance.control.round.RoundSnapshot;
import dev.parlance.control.round.RoundSnapshot.Viewer;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.SignOutcomeRequest;
import dev.parlance.service.Result;

/** Calls of rounds in the words of the protocol, without a server in between. */
public record RoundCalls(RoundCoordinator rounds) {
  /** Opens a round. */
  public Result<Round> open(OpenRoundRequest request) {
    return rounds
        .open(RoundRequests.opening(request, rounds.settings()))
        .then(view -> Result.done(shown(view)));
  }

  /** Proposes. */
  public Result<ProposeResponse> propose(ProposeRequest request) {
    return rounds
        .propose(RoundRequests.proposal(request))
        .then(proposed -> Result.done(RoundMessages.of(proposed)));
  }

  /** Signs an outcome. */
  public Result<Round> sign(SignOutcomeRequest request) {
    return rounds.sign(RoundRequests.signing(request)).then(view -> Result.done(shown(view)));
  }

  /** Looks at a round. */
  public Result<Round> get(GetRoundRequest request) {
    return rounds
        .get(RoundRequests.query(request), new Viewer.Operator())
        .then(view -> Result.done(shown(view)));
  }

  /** A round as it is sent. */
  public static Round shown(RoundSnapshot view) {
    return RoundMessages.of(view);
  }
}
