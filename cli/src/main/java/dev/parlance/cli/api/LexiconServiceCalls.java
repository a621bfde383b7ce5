package dev.parlance.cli.api;

import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.ListBoardsRequest;
import dev.parlance.proto.v1.PromoteRequest;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.proto.v1.WatchBoardsRequest;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** What a control plane is asked about boards of coined terms. */
public final class LexiconServiceCalls {
  private static final int RETRIES_MAX = 60;
  private static final long RETRY_MS = 500;

  private LexiconServiceCalls() {}

  /**
   * Which term is meant.
   *
   * @param visibility {@code public} or {@code faction:NAME}
   * @param term as it is written; compared by its key
   */
  public record TermName(String board, String visibility, String term) {
    private TermRequest request() {
      return TermRequest.newBuilder()
          .setBoard(board)
          .setVisibility(visibility)
          .setKey(BoardRules.key(term))
          .build();
    }
  }

  /** Boards, the last changed first. */
  public static List<BoardInfo.Listed> list(ControlClient client, int limit) {
    var request = ListBoardsRequest.newBuilder().setLimit(limit).build();
    return client.askLexicon(stub ->
        stub.listBoards(request).getBoardsList().stream().map(BoardInfo.Listed::of).toList());
  }

  /** One board. */
  public static BoardInfo get(ControlClient client, String board) {
    var request = GetBoardRequest.newBuilder().setBoard(board).build();
    return client.askLexicon(stub -> BoardInfo.of(stub.showBoard(request)));
  }

  /**
   * Tells what happens from now on, until that is enough. A replica that goes away is waited for.
   *
   * @param board only on this one; empty: on all
   * @param goesOn false for what was the last
   */
  public static void watch(
      ControlClient client, String board, Predicate<BoardInfo.Happening> goesOn) {
    var request = WatchBoardsRequest.newBuilder().setBoard(board).build();
    var told =
        new Object() {
          boolean enough;
          int failures;
        };
    while (!told.enough) {
      try {
        client.watchLexicon(stub -> {
          Iterator<BoardChange> changes = stub.watchBoards(request);
          while (!told.enough && changes.hasNext()) {
            told.failures = 0;
            told.enough = !goesOn.test(BoardInfo.Happening.of(changes.next()));
          }
        });
      } catch (ControlClient.Refused e) {
        if (!e.isUnavailable() || told.failures++ == RETRIES_MAX) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Lets a term be seen that waits. */
  public static BoardInfo share(ControlClient client, TermName term) {
    return client.askLexicon(stub -> BoardInfo.of(stub.share(term.request())));
  }

  /** Takes a term off its board. */
  public static BoardInfo retire(ControlClient client, TermName term) {
    return client.askLexicon(stub -> BoardInfo.of(stub.retire(term.request())));
  }

  /**
   * Puts a term into a plan, there to be offered {@code instead} of another one, if one is named.
   */
  public static BoardInfo promote(
      ControlClient client, TermName term, String plan, String instead) {
    PromoteRequest request =
        PromoteRequest.newBuilder()
            .setTerm(term.request())
            .setPlan(plan)
            .setInstead(instead)
            .build();
    return client.askLexicon(stub -> BoardInfo.of(stub.promote(request)));
  }
}
