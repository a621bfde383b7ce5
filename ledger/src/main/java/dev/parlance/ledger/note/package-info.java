/** Signed notes of C2SP: keys, notes, checkpoints, cosignatures. */
@NullMarked
package dev.parlance.ledger.note;

import org.jspecify.annotations.NullMarked;
