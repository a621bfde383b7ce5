/**
 * Rounds (H-CSC): takes proposals in, seals, decides. The ledger's order is the truth, so any
 * replica may do any step.
 */
@NullMarked
package dev.parlance.control.round;

import org.jspecify.annotations.NullMarked;
