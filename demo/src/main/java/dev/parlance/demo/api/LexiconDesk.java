package dev.parlance.demo.api;

import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceBlockingStub;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceStub;
import dev.parlance.proto.v1.ListBoardsRequest;
import dev.parlance.proto.v1.PromoteRequest;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.proto.v1.TermView;
import dev.parlance.proto.v1.WatchBoardsRequest;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The operator's side of coined terms: boards as the ledger has them, and what becomes of terms.
 */
public final class LexiconDesk {
  private final LexiconServiceBlockingStub stub;
  private final LexiconServiceStub watching;

  LexiconDesk(LexiconServiceBlockingStub stub, LexiconServiceStub watching) {
    this.stub = stub;
    this.watching = watching;
  }

  /**
   * A board.
   *
   * @param id of the board
   * @param turns turns that count
   * @param terms in the order of their coinage
   * @param metrics measures by name; one without data is not there
   */
  public record BoardShown(
      String id, long turns, List<CoinedTerm> terms, Map<String, Double> metrics) {
    /** Copies both. */
    public BoardShown {
      terms = List.copyOf(terms);
      metrics = Map.copyOf(metrics);
    }

    /** The term of that name. */
    public Optional<CoinedTerm> term(String name) {
      return terms.stream().filter(one -> one.term().equals(name)).findFirst();
    }

    /** A measure; 0 where there are no data. */
    public double metric(String name) {
      return metrics.getOrDefault(name, 0.0);
    }
  }

  /**
   * A term of a board.
   *
   * @param term its words
   * @param key in what it is compared
   * @param definition what it means now
   * @param version how often it was defined
   * @param status active, contested, waiting or retired
   * @param by who has coined it
   * @param visibility to whom
   * @param leaked true if a group's term was said in public
   * @param reuse turns that use it
   * @param speakers who has used it in public, its coiner included
   * @param standing in a plan: untested, certified, uncertified; empty if it is in none
   */
  public record CoinedTerm(
      String term,
      String key,
      String definition,
      int version,
      String status,
      String by,
      String visibility,
      boolean leaked,
      int reuse,
      List<String> speakers,
      String standing) {
    /** Copies the list. */
    public CoinedTerm {
      speakers = List.copyOf(speakers);
    }

    private static CoinedTerm of(TermView term) {
      return new CoinedTerm(
          term.getTerm(),
          term.getKey(),
          term.getDefinition(),
          term.getVersion(),
          term.getStatus(),
          term.getBy(),
          term.getVisibility(),
          term.getLeaked(),
          term.getReuse(),
          term.getSpeakersList(),
          term.getStanding());
    }
  }

  /**
   * Something that has happened on a board.
   *
   * @param type coin, reuse, leak, echo, challenge, repair, ...
   * @param term which
   * @param by who
   */
  public record BoardNews(String type, String term, String by) {}

  private LexiconServiceBlockingStub calls() {
    return stub.withDeadlineAfter(OperatorClient.CALL_SECONDS, TimeUnit.SECONDS);
  }

  /** The board that has changed last; empty if there is none. */
  public Optional<BoardShown> lastBoard() throws IOException {
    List<dev.parlance.proto.v1.BoardSummary> boards =
        OperatorClient.call(
                "list the boards",
                () -> calls().listBoards(ListBoardsRequest.newBuilder().setLimit(1).build()))
            .getBoardsList();
    return boards.isEmpty() ? Optional.empty() : Optional.of(board(boards.getFirst().getBoard()));
  }

  private BoardShown board(String id) throws IOException {
    return of(
        OperatorClient.call(
            "show a board",
            () -> calls().showBoard(GetBoardRequest.newBuilder().setBoard(id).build())));
  }

  private static BoardShown of(BoardView view) {
    return new BoardShown(
        view.getSummary().getBoard(),
        view.getSummary().getTurns(),
        view.getTermsList().stream().map(CoinedTerm::of).toList(),
        view.getMetricsMap());
  }

  /** Puts a term into a plan. */
  public BoardShown promote(String board, CoinedTerm term, String plan) throws IOException {
    PromoteRequest request =
        PromoteRequest.newBuilder()
            .setTerm(
                TermRequest.newBuilder()
                    .setBoard(board)
                    .setVisibility(term.visibility())
                    .setKey(term.key()))
            .setPlan(plan)
            .build();
    return of(
        OperatorClient.call("promote \"" + term.term() + "\"", () -> calls().promote(request)));
  }

  /** Hears from now on what happens on boards, on a thread of its own, until the client closes. */
  public void watch(Consumer<BoardNews> news) {
    watching.watchBoards(
        WatchBoardsRequest.getDefaultInstance(),
        new StreamObserver<>() {
          @Override
          public void onNext(BoardChange change) {
            news.accept(new BoardNews(change.getType(), change.getTerm(), change.getBy()));
          }

          @Override
          public void onError(Throwable failure) {
            // The client was closed, or what is missing then will be noticed.
          }

          @Override
          public void onCompleted() {
            // There is nothing more to hear.
          }
        });
  }
}
