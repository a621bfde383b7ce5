/**
 * What stands in the ledger's entries and in signed cores, and how every decision is recomputed
 * from the entries alone.
 */
@NullMarked
package dev.parlance.ledger.record;

import org.jspecify.annotations.NullMarked;
