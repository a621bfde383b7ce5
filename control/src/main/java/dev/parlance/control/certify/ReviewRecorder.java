package dev.parlance.control.certify;

import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LedgerState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decisions of persons about held messages, on their way to the ledger. One that finds no room
 * here, or that the ledger does not take now, is not told to be there: its sidecar says it again on
 * its next stream. For any thread.
 */
public final class ReviewRecorder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReviewRecorder.class);

  /** Most decisions that wait for the ledger. */
  private static final int MAX_WAITING = 2_000;

  private static final int CLOSE_S = 5;

  private final LedgerWriter ledger;
  private final LedgerView view;
  private final ThreadPoolExecutor worker =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_WAITING),
          Thread.ofPlatform().daemon(true).name("control-reviews").factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  /**
   * What records.
   *
   * @param view knows what is there already
   */
  public ReviewRecorder(LedgerWriter ledger, LedgerView view) {
    this.ledger = ledger;
    this.view = view;
  }

  /**
   * Writes a decision to the ledger, unless it has one about the same item.
   *
   * @param recorded called once it is there, on a thread of this one's
   */
  public void record(Entry.ReviewDecided entry, Runnable recorded) {
    worker.execute(() -> {
      if (isThere(entry) || isAppended(entry)) {
        recorded.run();
      }
    });
  }

  private boolean isThere(Entry.ReviewDecided entry) {
    try {
      view.catchUp();
    } catch (IOException e) {
      log.atWarn().addKeyValue("why", e.getMessage()).log("the ledger cannot be read now");
    }
    Optional<Entry.ReviewDecided> known =
        view.read((LedgerState state) -> state.review(entry.agent(), entry.item()));
    return known.isPresent();
  }

  private boolean isAppended(Entry.ReviewDecided entry) {
    return ledger.append(List.of(entry)) instanceof AppendResult.Appended;
  }

  /** What waits is said again by its sidecars. */
  @Override
  public void close() {
    worker.shutdownNow();
    try {
      boolean _ = worker.awaitTermination(CLOSE_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
