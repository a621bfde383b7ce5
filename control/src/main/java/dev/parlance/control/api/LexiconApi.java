package dev.parlance.control.api;

import dev.parlance.control.lexicon.BoardHappening;
import dev.parlance.control.lexicon.BoardRegistry;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.CoinRequest;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.ListBoardsRequest;
import dev.parlance.proto.v1.ListBoardsResponse;
import dev.parlance.proto.v1.PromoteRequest;
import dev.parlance.proto.v1.ReportTurnsRequest;
import dev.parlance.proto.v1.ReportTurnsResponse;
import dev.parlance.proto.v1.RetractRequest;
import dev.parlance.proto.v1.RetractResponse;
import dev.parlance.proto.v1.ReviewTermRequest;
import dev.parlance.proto.v1.ReviewTermResponse;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.proto.v1.WatchBoardsRequest;
import dev.parlance.service.Result;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/** Boards of coined terms for sidecars and operators. */
final class LexiconApi extends LexiconServiceGrpc.LexiconServiceImplBase {
  /** Most bytes of a request: a report of 256 turns. */
  static final int MAX_REQUEST_BYTES = 1 << 20;

  private static final int MOST_WATCHES = 1_000;
  private static final int MOST_SPEAKERS = 16;

  private final BoardRegistry boards;
  private final OperatorToken operator;
  private final AgentTokens agents;
  private final ScheduledExecutorService timer;
  private final int watchMs;
  private final AtomicInteger watches = new AtomicInteger();

  LexiconApi(
      BoardRegistry boards,
      OperatorToken operator,
      AgentTokens agents,
      ScheduledExecutorService timer,
      int watchMs) {
    this.boards = boards;
    this.operator = operator;
    this.agents = agents;
    this.timer = timer;
    this.watchMs = watchMs;
  }

  // ---- for sidecars ----

  @Override
  public void coin(CoinRequest request, StreamObserver<CoinResponse> response) {
    asSidecar(
        response,
        List.of(request.getTurn().getSpeaker()),
        agent ->
            LexiconRequests.coining(request.getTurn())
                .then(turn -> boards.turns().coin(turn, agent, request.getWhole()))
                .then(coined ->
                    Result.done(
                        LexiconMessages.coined(coined, coined.board().map(boards::signed)))));
  }

  @Override
  public void report(ReportTurnsRequest request, StreamObserver<ReportTurnsResponse> response) {
    asSidecar(
        response,
        request.getTurnsList().stream()
            .map(LexiconTurn::getSpeaker)
            .distinct()
            .limit(MOST_SPEAKERS)
            .toList(),
        agent ->
            LexiconRequests.reported(request.getTurnsList())
                .then(turns -> boards.turns().report(turns, agent))
                .then(reported -> Result.done(LexiconMessages.reported(reported))));
  }

  @Override
  public void retract(RetractRequest request, StreamObserver<RetractResponse> response) {
    asSidecar(
        response,
        List.of(request.getTurn().getSpeaker()),
        agent ->
            LexiconRequests.reported(request.getTurn())
                .then(turn -> boards.turns().retract(turn, agent))
                .then(gone -> Result.done(RetractResponse.newBuilder().setGone(gone).build())));
  }

  @Override
  public void review(ReviewTermRequest request, StreamObserver<ReviewTermResponse> response) {
    asSidecar(
        response,
        List.of(),
        agent ->
            LexiconRequests.term(request.getTerm())
                .then(term ->
                    boards
                        .decisions()
                        .review(request.getTerm().getBoard(), term, request.getShare(), agent))
                .then(shared ->
                    Result.done(ReviewTermResponse.newBuilder().setShared(shared).build())));
  }

  @Override
  public void getBoard(GetBoardRequest request, StreamObserver<SignedBoard> response) {
    asSidecar(
        response,
        List.of(),
        _ ->
            boards
                .find(request.getBoard())
                .then(board -> Result.done(LexiconMessages.signed(boards.signed(board)))));
  }

  // ---- for whoever has a token: the ledger says the same to everybody ----

  @Override
  public void listBoards(ListBoardsRequest request, StreamObserver<ListBoardsResponse> response) {
    CertificationApi.answer(
        response,
        () ->
            CertificationApi.limit(request.getLimit())
                .then(boards::list)
                .then(found ->
                    Result.done(
                        ListBoardsResponse.newBuilder()
                            .addAllBoards(found.stream().map(LexiconMessages::summary).toList())
                            .build())));
  }

  @Override
  public void showBoard(GetBoardRequest request, StreamObserver<BoardView> response) {
    CertificationApi.answer(response, () -> boards.find(request.getBoard()).then(this::view));
  }

  private Result<BoardView> view(BoardRecord board) {
    return Result.done(
        LexiconMessages.view(board, boards.standings(board), boards.compression(board)));
  }

  // ---- for operators ----

  @Override
  public void share(TermRequest request, StreamObserver<BoardView> response) {
    asOperator(
        response,
        () ->
            LexiconRequests.term(request)
                .then(term -> boards.decisions().share(request.getBoard(), term))
                .then(this::view));
  }

  @Override
  public void promote(PromoteRequest request, StreamObserver<BoardView> response) {
    asOperator(
        response,
        () ->
            LexiconRequests.term(request.getTerm())
                .then(term ->
                    boards
                        .decisions()
                        .promote(
                            request.getTerm().getBoard(),
                            term,
                            request.getPlan(),
                            Optional.of(request.getInstead()).filter(one -> !one.isEmpty())))
                .then(this::view));
  }

  @Override
  public void retire(TermRequest request, StreamObserver<BoardView> response) {
    asOperator(
        response,
        () ->
            LexiconRequests.term(request)
                .then(term -> boards.decisions().retire(request.getBoard(), term))
                .then(this::view));
  }

  // ---- watching ----

  @Override
  public void watchBoards(WatchBoardsRequest request, StreamObserver<BoardChange> response) {
    if (watches.incrementAndGet() > MOST_WATCHES) {
      watches.decrementAndGet();
      response.onError(
          GrpcErrors.of(
              Status.Code.RESOURCE_EXHAUSTED,
              "too_many_watchers",
              MOST_WATCHES + " calls watch boards at this replica, and no more are allowed"));
      return;
    }
    new Watch(request.getBoard(), (ServerCallStreamObserver<BoardChange>) response).begin();
  }

  /** One call that watches. What it has not read yet is bounded; it ends if that is too much. */
  private final class Watch {
    private static final int MOST_UNREAD = 10_000;

    private final String board;
    private final ServerCallStreamObserver<BoardChange> out;
    private final Queue<BoardHappening> unread = new ArrayDeque<>();
    private Runnable stop = () -> {};
    private boolean isTooSlow;
    private boolean isOver;

    Watch(String board, ServerCallStreamObserver<BoardChange> out) {
      this.board = board;
      this.out = out;
    }

    void begin() {
      out.setOnCancelHandler(this::end);
      Runnable ending = boards.watch(this::hear);
      synchronized (this) {
        stop = ending;
      }
      turn();
    }

    private synchronized void hear(BoardHappening happening) {
      if (board.isEmpty() || board.equals(happening.board())) {
        isTooSlow = isTooSlow || unread.size() == MOST_UNREAD;
        if (!isTooSlow) {
          unread.add(happening);
        }
      }
    }

    private synchronized Optional<BoardHappening> next() {
      return out.isReady() ? Optional.ofNullable(unread.poll()) : Optional.empty();
    }

    private void turn() {
      if (out.isCancelled()) {
        end();
        return;
      }
      try {
        Optional<BoardHappening> happening = next();
        while (happening.isPresent()) {
          out.onNext(LexiconMessages.change(happening.get()));
          happening = next();
        }
        if (isBehind()) {
          fail(Status.Code.RESOURCE_EXHAUSTED, "too_slow", MOST_UNREAD + " changes were not read");
          return;
        }
        Future<?> _ = timer.schedule(this::turn, watchMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException _) {
        fail(Status.Code.UNAVAILABLE, "draining", "this replica stops");
      } catch (RuntimeException e) {
        end();
        out.onError(GrpcErrors.of(e));
      }
    }

    private synchronized boolean isBehind() {
      return isTooSlow;
    }

    private void fail(Status.Code code, String reason, String message) {
      end();
      if (!out.isCancelled()) {
        out.onError(GrpcErrors.of(code, reason, message));
      }
    }

    private void end() {
      Runnable ending;
      synchronized (this) {
        if (isOver) {
          return;
        }
        isOver = true;
        ending = stop;
      }
      ending.run();
      watches.decrementAndGet();
    }
  }

  // ---- who calls ----

  /**
   * For the sidecar of any agent: of one that the call is about, or one that was attached here.
   *
   * @param likely whom the call is about
   */
  private <T> void asSidecar(
      StreamObserver<T> response, List<String> likely, Function<String, Result<T>> work) {
    CertificationApi.answer(
        response,
        () -> {
          Optional<String> agent =
              agents.agent(BearerAuth.proof(), likely.stream().filter(Names::isName).toList());
          if (agent.isEmpty()) {
            throw wrongToken("an agent whose sidecar was attached here");
          }
          return work.apply(agent.get());
        });
  }

  private <T> void asOperator(StreamObserver<T> response, Supplier<Result<T>> work) {
    CertificationApi.answer(
        response,
        () -> {
          if (!operator.accepts(BearerAuth.token())) {
            throw wrongToken("the operators");
          }
          return work.get();
        });
  }

  private static io.grpc.StatusRuntimeException wrongToken(String whose) {
    return GrpcErrors.of(
        Status.Code.UNAUTHENTICATED, "token_wrong", "the token is not that of " + whose);
  }
}
