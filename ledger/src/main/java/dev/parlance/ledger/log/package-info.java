/** The log: a writer that acknowledges what is on disk, storage, and a reader. */
@NullMarked
package dev.parlance.ledger.log;

import org.jspecify.annotations.NullMarked;
