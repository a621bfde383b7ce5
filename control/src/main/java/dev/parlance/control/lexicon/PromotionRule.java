package dev.parlance.control.lexicon;

import dev.parlance.control.lexicon.BoardRegistry.LexiconContext;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.service.Loop;
import dev.parlance.service.Result;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Promotes terms that nobody has to decide on: those that were used often enough, into the plan of
 * the configuration; and those that were repaired, into the plan they are in, once it has decided
 * on their new meaning. Every replica does; the first entry counts.
 */
final class PromotionRule implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PromotionRule.class);
  private static final int TURN_MS = 1_000;
  private static final int REMEMBERED = 10_000;
  private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(10);

  private final LexiconContext context;
  private final BoardJournal journal;
  private final TermPromotions promotions;
  private final Set<String> changed = new LinkedHashSet<>();

  /** Boards with terms that wait for an audit or for a plan; looked at again now and then. */
  private final Set<String> awaited = new LinkedHashSet<>();

  /** Versions of terms that a plan did not take, and when, so that it is not read each time. */
  private final Map<Refusal, Long> refused =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Refusal, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  private final Loop drive;
  private long awaitedNs = System.nanoTime();

  private record Refusal(String board, TermRef term, int version) {}

  PromotionRule(LexiconContext context, BoardJournal journal, TermPromotions promotions) {
    this.context = context;
    this.journal = journal;
    this.promotions = promotions;
    note(
        journal.now(state -> state.boards(Integer.MAX_VALUE)).stream()
            .map(BoardRecord::id)
            .toList());
    this.drive = Loop.start("control-promotions", TURN_MS, this::turn);
  }

  /** These boards have changed. */
  void note(Collection<String> boards) {
    synchronized (changed) {
      changed.addAll(boards);
    }
  }

  private void turn() {
    List<String> boards;
    boolean isAgain = System.nanoTime() - awaitedNs >= AGAIN_NS;
    synchronized (changed) {
      if (isAgain) {
        changed.addAll(awaited);
        awaited.clear();
        awaitedNs = System.nanoTime();
      }
      boards = List.copyOf(changed);
      changed.clear();
    }
    try {
      for (String id : boards) {
        journal.now(state -> state.board(id)).ifPresent(this::look);
      }
    } catch (StoreException e) {
      note(boards);
      log.atWarn().setCause(e).log("promotions: the store could not be used");
    }
  }

  private void look(BoardRecord board) {
    for (BoardEntry entry : board.board().entries()) {
      // A person decides on what is contested.
      if (board.status(entry) == CoinedStatus.ACTIVE) {
        plan(board, entry).ifPresent(plan -> promote(board, entry, plan));
      }
    }
  }

  /** The plan that the term is to go into now. */
  private Optional<String> plan(BoardRecord board, BoardEntry entry) {
    LexiconEntry.Promoted before = board.promoted().get(entry.ref());
    if (before != null) {
      return board.isRepaired(entry) ? Optional.of(before.plan()) : Optional.empty();
    }
    return context
        .settings()
        .promotion()
        .plan()
        .filter(_ -> TermPromotions.isUsedEnough(entry, context.settings().promotion()));
  }

  private void promote(BoardRecord board, BoardEntry entry, String plan) {
    Refusal key = new Refusal(board.id(), entry.ref(), entry.version());
    long now = System.nanoTime();
    if (now - refused.getOrDefault(key, now - AGAIN_NS) < AGAIN_NS) {
      awaited.add(board.id());
      return;
    }
    switch (promotions.promote(
        board.id(), entry.ref(), plan, Optional.empty(), TermPromotions.RULE)) {
      case Result.Done<BoardRecord>(BoardRecord after) -> {
        if (after.term(entry.ref()).filter(after::isRepaired).isPresent()) {
          awaited.add(board.id());
        } else {
          log.atInfo()
              .addKeyValue("board", board.id())
              .addKeyValue("plan", plan)
              .log("a coined term is in a plan");
        }
      }
      case Result.Refused<BoardRecord>(Result.Kind kind, String reason, String message) -> {
        if (kind == Result.Kind.CONFLICT || kind == Result.Kind.UNAVAILABLE) {
          note(List.of(board.id())); // next time
          return;
        }
        awaited.add(board.id());
        if (refused.put(key, now) != null) {
          return;
        }
        log.atWarn()
            .addKeyValue("board", board.id())
            .addKeyValue("plan", plan)
            .addKeyValue("reason", reason)
            .addKeyValue("detail", message)
            .log("a coined term cannot go into the plan");
      }
    }
  }

  @Override
  public void close() {
    drive.close();
  }
}
