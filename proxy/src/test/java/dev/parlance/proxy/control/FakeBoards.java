package dev.parlance.proxy.control;

import dev.parlance.proto.v1.CoinRequest;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.RefusedLine;
import dev.parlance.proto.v1.ReportTurnsRequest;
import dev.parlance.proto.v1.ReportTurnsResponse;
import dev.parlance.proto.v1.RetractRequest;
import dev.parlance.proto.v1.RetractResponse;
import dev.parlance.proto.v1.ReviewTermRequest;
import dev.parlance.proto.v1.ReviewTermResponse;
import dev.parlance.proto.v1.SignedBoard;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** The boards of a control plane that does what a test says. */
public final class FakeBoards implements AutoCloseable {
  private final FakeControlPlane plane;
  private final Map<String, SignedBoard> boards = new ConcurrentHashMap<>();
  private final List<LexiconTurn> coined = new CopyOnWriteArrayList<>();
  private final List<LexiconTurn> reported = new CopyOnWriteArrayList<>();
  private final List<LexiconTurn> retracted = new CopyOnWriteArrayList<>();
  private final List<ReviewTermRequest> reviewed = new CopyOnWriteArrayList<>();
  private volatile Predicate<ReviewTermRequest> decision = ReviewTermRequest::getShare;
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger failing = new AtomicInteger();
  private volatile BiConsumer<LexiconTurn, StreamObserver<CoinResponse>> script = this::accept;

  public FakeBoards() throws IOException {
    plane = new FakeControlPlane(0, new Service());
  }

  public int port() {
    return plane.port();
  }

  /** The stream to the sidecar. */
  public FakeControlPlane plane() {
    return plane;
  }

  /** Turns that were to be coined, in order. */
  public List<LexiconTurn> coined() {
    return coined;
  }

  /** Turns that were reported, in order. */
  public List<LexiconTurn> reported() {
    return reported;
  }

  /** Turns that were taken back, in order. */
  public List<LexiconTurn> retracted() {
    return retracted;
  }

  /** Decisions of people about terms, in order. */
  public List<ReviewTermRequest> reviewed() {
    return reviewed;
  }

  /** Whether a term is shared once somebody has decided; the default does as he says. */
  public void onReview(Predicate<ReviewTermRequest> shared) {
    decision = shared;
  }

  /** How often a board was asked for. */
  public int asked() {
    return asked.get();
  }

  /** The next reports and retractions are not taken. */
  public void failReports(int times) {
    failing.set(times);
  }

  /** The board as it stands from now on. */
  public void put(SignedBoard board) {
    boards.put(board.getBoard(), board);
  }

  /** What is done with turns that coin; the default takes every line. */
  public void onCoin(BiConsumer<LexiconTurn, StreamObserver<CoinResponse>> with) {
    script = with;
  }

  /** Takes no line, with this reason. */
  public void refuseLines(String reason) {
    onCoin((turn, out) -> {
      CoinResponse.Builder answer = CoinResponse.newBuilder();
      turn.getCoinagesList()
          .forEach(line ->
              answer.addRefused(
                  RefusedLine.newBuilder().setLine(line.getLine()).setReason(reason)));
      out.onNext(answer.build());
      out.onCompleted();
    });
  }

  /** Nobody answers in time. */
  public void hang() {
    onCoin((_, _) -> {});
  }

  /** Takes every line. */
  public void accept(LexiconTurn turn, StreamObserver<CoinResponse> out) {
    CoinResponse.Builder answer = CoinResponse.newBuilder();
    turn.getCoinagesList().forEach(line -> answer.addAccepted(line.getLine()));
    turn.getDirectivesList().forEach(line -> answer.addAccepted(line.getLine()));
    SignedBoard board = boards.get(turn.getBoard());
    if (board != null) {
      answer.setBoard(board);
    }
    out.onNext(answer.build());
    out.onCompleted();
  }

  private static RuntimeException fault(Status.Code code, String reason) {
    Metadata trailers = new Metadata();
    trailers.put(Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER), reason);
    return Status.fromCode(code).withDescription(reason).asRuntimeException(trailers);
  }

  private final class Service extends LexiconServiceGrpc.LexiconServiceImplBase {
    @Override
    public void coin(CoinRequest request, StreamObserver<CoinResponse> out) {
      coined.add(request.getTurn());
      script.accept(request.getTurn(), out);
    }

    private boolean fails(StreamObserver<?> out) {
      boolean fails = failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
      if (fails) {
        out.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException());
      }
      return fails;
    }

    @Override
    public void retract(RetractRequest request, StreamObserver<RetractResponse> out) {
      if (!fails(out)) {
        retracted.add(request.getTurn());
        out.onNext(RetractResponse.newBuilder().setGone(true).build());
        out.onCompleted();
      }
    }

    @Override
    public void review(ReviewTermRequest request, StreamObserver<ReviewTermResponse> out) {
      if (!fails(out)) {
        reviewed.add(request);
        out.onNext(ReviewTermResponse.newBuilder().setShared(decision.test(request)).build());
        out.onCompleted();
      }
    }

    @Override
    public void report(ReportTurnsRequest request, StreamObserver<ReportTurnsResponse> out) {
      if (fails(out)) {
        return;
      }
      reported.addAll(request.getTurnsList());
      out.onNext(ReportTurnsResponse.newBuilder().setCounted(request.getTurnsCount()).build());
      out.onCompleted();
    }

    @Override
    public void getBoard(GetBoardRequest request, StreamObserver<SignedBoard> out) {
      asked.incrementAndGet();
      SignedBoard board = boards.get(request.getBoard());
      if (board == null) {
        out.onError(fault(Status.Code.NOT_FOUND, "board_unknown"));
      } else {
        out.onNext(board);
        out.onCompleted();
      }
    }
  }

  @Override
  public void close() {
    plane.close();
  }
}
