package dev.parlance.proxy.lexicon;

import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.proxy.gate.Lexicons.HeldBoard;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The coined terms that wait for a person, as items of the review queue: at the sidecar that has
 * brought them to a board whose terms are reviewed. The ledger decides first, so an item is settled
 * only by what stands there, whoever has decided it. For any number of threads.
 *
 * <p>An item's flow is the board, its destination the channel, its question the term, its answer
 * the definition.
 */
public final class TermReviews {
  private static final String PLACE = "lexicon";
  private static final String REASON = "term_coined";
  private static final byte[] NOTHING = {};

  /** Most places of the queue that terms take: one in so many. */
  private static final int SHARE = 4;

  private final ReviewQueue queue;
  private final LexiconControl control;
  private final LongSupplier clockMs;

  /** Items that a person decides about now: what the board says of them meanwhile is his word. */
  private final Set<String> underDecision = ConcurrentHashMap.newKeySet();

  TermReviews(ReviewQueue queue, LexiconControl control, LongSupplier clockMs) {
    this.queue = queue;
    this.control = control;
    this.clockMs = clockMs;
  }

  /**
   * A turn was put onto the ledger: those of its terms that wait there do so here, too. Completes
   * once they are on disk, or cannot be.
   */
  CompletableFuture<?> hold(TurnReport turn, Set<Integer> accepted, HeldBoard board) {
    if (board.document().filter(TermReviews::isReviewed).isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    List<CompletableFuture<?>> held = new ArrayList<>();
    for (TurnFacts.Coined line : turn.facts().coinages()) {
      TermRef term = new TermRef(turn.facts().channel(), line.key());
      boolean waits =
          board.document().get().terms().stream()
              .anyMatch(one -> ref(one).equals(term) && one.status() == CoinedStatus.WAITING);
      if (accepted.contains(line.line()) && waits && hasRoom()) {
        held.add(queue.hold(item(turn, term, line)));
      }
    }
    return CompletableFuture.allOf(held.toArray(CompletableFuture<?>[]::new));
  }

  private static boolean isReviewed(BoardDocument document) {
    return document.share() == LexiconEntry.Share.REVIEWED;
  }

  private boolean hasRoom() {
    long held =
        queue.list(EnumSet.of(ReviewState.PENDING), Integer.MAX_VALUE).stream()
            .filter(TermReviews::isTerm)
            .count();
    return held < Math.max(1, queue.limits().capacity() / SHARE);
  }

  private HeldMessage item(TurnReport turn, TermRef term, TurnFacts.Coined line) {
    return new HeldMessage(
        "",
        new HeldMessage.Origin(
            PLACE,
            HeldMessage.Kind.TERM,
            PLACE,
            PLACE,
            turn.board(),
            new HeldMessage.Keys(
                "", List.of(question(turn.board(), term)), List.of(), List.of(), Optional.empty()),
            turn.facts().speaker(),
            term.visibility().toString()),
        new HeldMessage.Content(
            0,
            "",
            List.of(),
            line.term().getBytes(StandardCharsets.UTF_8),
            line.definition().getBytes(StandardCharsets.UTF_8),
            HeldMessage.Material.NONE,
            NOTHING),
        new HeldMessage.Cause("", List.of(REASON), "", 1),
        clockMs.getAsLong());
  }

  private static String question(String board, TermRef term) {
    return PLACE + " " + board + " " + term.visibility() + " " + term.key();
  }

  private static TermRef ref(BoardDocument.Term term) {
    return new TermRef(Channel.of(term.visibility()).orElseThrow(), term.key());
  }

  /** True if this item of the queue is a term. */
  public static boolean isTerm(ReviewItem item) {
    return item.message().origin().kind() == HeldMessage.Kind.TERM;
  }

  /**
   * Decides about a term on the ledger; the queue is told by whoever asks, and then {@link
   * #decided}.
   *
   * @param share false: it is retired
   * @return whether it is shared now, by whomever
   */
  public CompletableFuture<Result<Boolean>> decide(ReviewItem item, boolean share) {
    underDecision.add(item.id());
    HeldMessage held = item.message();
    Channel channel = Channel.of(held.origin().destination()).orElseThrow();
    String key = BoardRules.key(new String(held.content().question(), StandardCharsets.UTF_8));
    return control.review(held.origin().flow(), new TermRef(channel, key), share);
  }

  /** The queue knows the decision, or there is none. */
  public void decided(ReviewItem item) {
    underDecision.remove(item.id());
  }

  /** A newer board has come: what was decided elsewhere waits here no longer. */
  void settle(HeldBoard board) {
    if (queue.isIdle()) {
      return;
    }
    for (BoardDocument.Term term :
        board
            .document()
            .filter(TermReviews::isReviewed)
            .map(BoardDocument::terms)
            .orElse(List.of())) {
      if (term.status() != CoinedStatus.WAITING) {
        open(board.id(), ref(term))
            .filter(item -> !underDecision.contains(item.id()))
            .ifPresent(item -> settle(queue, item, term.status() != CoinedStatus.RETIRED));
      }
    }
  }

  /** The ledger has decided about the term of an item, not the person who asks. */
  public static void settle(ReviewQueue queue, ReviewItem item, boolean shared) {
    if (!shared) {
      var _ = queue.reject(item.id(), ReviewItem.LEDGER, "");
      return;
    }
    var _ =
        queue
            .release(item.id(), ReviewItem.LEDGER, "")
            .thenCompose(_ -> queue.delivered(item.id()));
  }

  /** Nobody has heard the turn: no person need look at its terms. */
  void withdraw(TurnReport turn) {
    if (queue.isIdle()) {
      return;
    }
    for (TurnFacts.Coined line : turn.facts().coinages()) {
      open(turn.board(), new TermRef(turn.facts().channel(), line.key()))
          .ifPresent(item -> {
            var _ = queue.withdraw(item.id());
          });
    }
  }

  private Optional<ReviewItem> open(String board, TermRef term) {
    return queue.open(question(board, term)).filter(item -> item.state() == ReviewState.PENDING);
  }
}
