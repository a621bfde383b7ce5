/**
 * What members of rounds sign, checked without the ledger: certificates of outcomes, proof of
 * equivocation, and the outcome as a member works it out before it signs.
 */
@NullMarked
package dev.parlance.ledger.round;

import org.jspecify.annotations.NullMarked;
