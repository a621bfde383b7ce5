package dev.parlance.control.publish;

import dev.parlance.control.store.Store.CoreRow;

/**
 * A published core.
 *
 * @param seenNs {@link System#nanoTime} when this replica saw it
 */
public record PublishedCore(CoreRow row, long seenNs) {
  String key() {
    return row.coreKey();
  }

  long version() {
    return row.version();
  }
}
