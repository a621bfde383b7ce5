package dev.parlance.control.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One query that is asked again and again. What was empty, or is one number, stays so while nobody
 * has written to the database, and then it is not asked again: a control plane at rest reads only
 * the count of changes.
 *
 * @param <T> what the query gives
 */
final class Polls<T> {
  private final LongSupplier changes;
  private final AtomicReference<Optional<Seen<T>>> last = new AtomicReference<>(Optional.empty());

  /** What held after so many changes, and what exactly had been asked. */
  private record Seen<T>(long changes, Object asked, T answer) {}

  /**
   * Nothing was asked yet.
   *
   * @param changes another number whenever somebody may have written since
   */
  Polls(LongSupplier changes) {
    this.changes = changes;
  }

  /** What the query gives, or gave when it was last asked the same. */
  T ask(Object asked, Supplier<T> query) {
    // The count first: a change that comes between makes the next one ask.
    long now = changes.getAsLong();
    Optional<Seen<T>> known = last.get();
    if (known.isPresent() && known.get().changes() == now && known.get().asked().equals(asked)) {
      return known.get().answer();
    }
    T answer = query.get();
    boolean isKept = !(answer instanceof List<?> rows) || rows.isEmpty();
    last.set(isKept ? Optional.of(new Seen<>(now, asked, answer)) : Optional.empty());
    return answer;
  }
}
