package dev.parlance.control.api;

import dev.parlance.control.round.RoundCoordinator;
import dev.parlance.control.round.RoundCoordinator.RoundQuery;
import dev.parlance.control.round.RoundCoordinator.RoundWatcher;
import dev.parlance.control.round.RoundSnapshot;
import dev.parlance.control.round.RoundSnapshot.Viewer;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.GetEncoderRequest;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ListRoundsRequest;
import dev.parlance.proto.v1.ListRoundsResponse;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.proto.v1.SignOutcomeRequest;
import dev.parlance.service.Result;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Rounds for operators and for sidecars. */
final class RoundApi extends RoundServiceGrpc.RoundServiceImplBase {
  /** Most bytes of a request: a subject with room around it. */
  static final int MAX_REQUEST_BYTES = 131_072;

  private final RoundCoordinator rounds;
  private final OperatorToken operator;
  private final AgentTokens agents;

  RoundApi(RoundCoordinator rounds, OperatorToken operator, AgentTokens agents) {
    this.rounds = rounds;
    this.operator = operator;
    this.agents = agents;
  }

  @Override
  public void openRound(OpenRoundRequest request, StreamObserver<Round> response) {
    asOperator(
        response,
        () -> rounds.open(RoundRequests.opening(request, rounds.settings())).then(RoundApi::shown));
  }

  @Override
  public void propose(ProposeRequest request, StreamObserver<ProposeResponse> response) {
    if (isForeign(request.getAgent(), response)) {
      rounds.foreignToken();
      return;
    }
    CertificationApi.answer(
        response,
        () ->
            rounds
                .propose(RoundRequests.proposal(request))
                .then(proposed -> Result.done(RoundMessages.of(proposed))));
  }

  @Override
  public void signOutcome(SignOutcomeRequest request, StreamObserver<Round> response) {
    if (!isForeign(request.getAgent(), response)) {
      CertificationApi.answer(
          response, () -> rounds.sign(RoundRequests.signing(request)).then(RoundApi::shown));
    }
  }

  /** Whether the token is another agent's; then the call is answered. */
  private boolean isForeign(String agent, StreamObserver<?> response) {
    // What is no name has no token; the round says what is wrong with it.
    if (!RoundNames.isName(agent) || agents.accepts(agent, BearerAuth.proof())) {
      return false;
    }
    response.onError(
        GrpcErrors.of(
            Status.Code.PERMISSION_DENIED,
            "token_of_another_agent",
            "the token is not the one of agent " + agent));
    return true;
  }

  @Override
  public void getRound(GetRoundRequest request, StreamObserver<Round> response) {
    RoundQuery query = RoundRequests.query(request);
    as(response, rounds.members(query), viewer -> rounds.get(query, viewer).then(RoundApi::shown));
  }

  @Override
  public void watchRound(GetRoundRequest request, StreamObserver<Round> response) {
    RoundQuery query = RoundRequests.query(request);
    Optional<Viewer> viewer = viewer(rounds.members(query));
    if (viewer.isEmpty()) {
      response.onError(wrongToken());
      return;
    }
    ServerCallStreamObserver<Round> out = (ServerCallStreamObserver<Round>) response;
    Watch watch = new Watch(out);
    out.setOnCancelHandler(watch::stop);
    try {
      switch (rounds.watch(query, viewer.get(), watch)) {
        case Result.Done<Runnable>(Runnable stop) -> watch.keep(stop);
        case Result.Refused<Runnable> refused -> response.onError(GrpcErrors.of(refused));
      }
    } catch (RuntimeException e) {
      response.onError(GrpcErrors.of(e));
    }
  }

  /** One call that watches. */
  private static final class Watch implements RoundWatcher {
    private final ServerCallStreamObserver<Round> out;
    private Optional<Runnable> stop = Optional.empty();
    private boolean isCancelled;

    Watch(ServerCallStreamObserver<Round> out) {
      this.out = out;
    }

    void keep(Runnable runnable) {
      boolean isOver;
      synchronized (this) {
        stop = Optional.of(runnable);
        isOver = isCancelled;
      }
      if (isOver) {
        runnable.run();
      }
    }

    /** The caller is gone. */
    void stop() {
      Optional<Runnable> runnable;
      synchronized (this) {
        isCancelled = true;
        runnable = stop;
      }
      runnable.ifPresent(Runnable::run);
    }

    @Override
    public boolean isReady() {
      return out.isReady();
    }

    @Override
    public void changed(RoundSnapshot round) {
      if (!out.isCancelled()) {
        out.onNext(RoundMessages.of(round));
      }
    }

    @Override
    public void ended() {
      if (!out.isCancelled()) {
        out.onCompleted();
      }
    }

    @Override
    public void failed(Result.Refused<?> refusal) {
      fail(GrpcErrors.of(refusal));
    }

    @Override
    public void failed(RuntimeException cause) {
      fail(GrpcErrors.of(cause));
    }

    private void fail(Throwable error) {
      if (!out.isCancelled()) {
        out.onError(error);
      }
    }
  }

  @Override
  public void listRounds(ListRoundsRequest request, StreamObserver<ListRoundsResponse> response) {
    asOperator(
        response,
        () ->
            CertificationApi.limit(request.getLimit())
                .then(limit -> rounds.list(limit, request.getUnfinished()))
                .then(found ->
                    Result.done(
                        ListRoundsResponse.newBuilder()
                            .addAllRounds(found.stream().map(RoundMessages::of).toList())
                            .build())));
  }

  @Override
  public void getEncoder(GetEncoderRequest request, StreamObserver<Encoder> response) {
    as(response, List.of(), _ -> Result.done(RoundMessages.encoder(rounds.encoder())));
  }

  private static Result<Round> shown(RoundSnapshot view) {
    return Result.done(RoundMessages.of(view));
  }

  // ---- tokens ----

  private <T> void asOperator(StreamObserver<T> response, Supplier<Result<T>> work) {
    if (operator.accepts(BearerAuth.token())) {
      CertificationApi.answer(response, work);
    } else {
      response.onError(wrongToken());
    }
  }

  private <T> void as(
      StreamObserver<T> response, List<String> likely, Function<Viewer, Result<T>> work) {
    CertificationApi.answer(
        response, () -> viewer(likely).map(work).orElseThrow(RoundApi::wrongToken));
  }

  /** Who calls; empty if the token is nobody's. */
  private Optional<Viewer> viewer(List<String> likely) {
    String token = BearerAuth.token();
    return operator.accepts(token)
        ? Optional.of(new Viewer.Operator())
        : agents.agent(BearerAuth.proof(), likely).map(Viewer.OfAgent::new);
  }

  private static io.grpc.StatusRuntimeException wrongToken() {
    return GrpcErrors.of(
        Status.Code.UNAUTHENTICATED,
        "token_wrong",
        "the token is neither the operators' nor that of an agent who may ask");
  }
}
