/**
 * {@code parlance ledger}: verifies, exports and proves entries of a ledger, offline or over the
 * network.
 */
@NullMarked
package dev.parlance.cli.ledger;

import org.jspecify.annotations.NullMarked;
