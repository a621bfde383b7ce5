package dev.parlance.proxy.lexicon;

import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Lexicons.Coining;
import dev.parlance.proxy.gate.Lexicons.Digest;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import dev.parlance.service.Result;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The turns that may be on the ledger although nobody heard them. Each is taken off it, asked again
 * until somebody answers, and left there if it is said again before. What is under way when the
 * process ends is taken up by the next one. Bounded. For any number of threads.
 */
final class Retractions {
  /** Most that are under way; of further ones the ledger keeps what it has. */
  static final int MAX = 1_024;

  private static final int FIRST_PAUSE_MS = 100;
  private static final int LONGEST_PAUSE_MS = 5_000;

  /** In about ten minutes. */
  private static final int MAX_ATTEMPTS = 120;

  private final LexiconControl control;
  private final Lexicons.Events events;
  private final TurnJournal journal;
  private final Map<Digest, Retraction> open = new ConcurrentHashMap<>();

  Retractions(LexiconControl control, Lexicons.Events events, TurnJournal journal) {
    this.control = control;
    this.events = events;
    this.journal = journal;
  }

  /** Takes off what the process before this one was killed with. */
  void resume() {
    Coining unknown = new Coining.Lost("control_unavailable", "the sidecar was killed");
    journal.left().forEach(turn -> add(turn, CompletableFuture.completedFuture(unknown)));
  }

  /**
   * Takes a turn off the ledger.
   *
   * @param coining what is known of whether it is there
   */
  void add(TurnReport turn, CompletableFuture<Coining> coining) {
    CompletableFuture<Coining> known = journal.begin(turn).thenCompose(_ -> coining);
    Retraction retraction = new Retraction(turn, known);
    if (open.size() >= MAX || open.putIfAbsent(turn.digest(), retraction) != null) {
      events.dropped("full", 1);
      return;
    }
    var _ = known.thenAccept(retraction::begin);
  }

  /** The turn is said again: completes once nothing is on its way that would take it off. */
  CompletableFuture<?> stop(Digest turn) {
    return Optional.ofNullable(open.remove(turn))
        .<CompletableFuture<?>>map(Retraction::stop)
        .orElseGet(() -> CompletableFuture.completedFuture(true));
  }

  private final class Retraction {
    private final TurnReport turn;
    private CompletableFuture<?> call;
    private boolean isOver;
    private int attempts;

    Retraction(TurnReport turn, CompletableFuture<?> coining) {
      this.turn = turn;
      this.call = coining;
    }

    synchronized CompletableFuture<?> stop() {
      isOver = true;
      return call;
    }

    void begin(Coining became) {
      if (became instanceof Coining.Entered entered && entered.accepted().isEmpty()) {
        end();
      } else {
        tell();
      }
    }

    private void tell() {
      CompletableFuture<Result<Boolean>> asked;
      synchronized (this) {
        if (isOver) {
          return;
        }
        asked = control.retract(turn);
        call = asked;
      }
      var _ = asked.thenAccept(this::told);
    }

    private void told(Result<Boolean> result) {
      if (!(result instanceof Result.Refused<Boolean> refused)) {
        end();
        return;
      }
      boolean isLater =
          refused.kind() == Result.Kind.UNAVAILABLE || refused.kind() == Result.Kind.EXHAUSTED;
      if (!isLater || attempts == MAX_ATTEMPTS) {
        events.dropped("refused", 1);
        if (isLater) {
          open.remove(turn.digest(), this); // the next process tries again
        } else {
          end();
        }
        return;
      }
      long pauseMs = Math.min(LONGEST_PAUSE_MS, (long) FIRST_PAUSE_MS << Math.min(attempts++, 10));
      Executor later = CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS);
      later.execute(this::tell);
    }

    /** One that was stopped is not this one's to forget: it is on its way to the ledger. */
    private synchronized void end() {
      open.remove(turn.digest(), this);
      if (!isOver) {
        var _ = journal.end(turn.digest());
      }
    }
  }
}
