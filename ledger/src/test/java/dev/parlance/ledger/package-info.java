/** What the tests of the ledger share. */
@NullMarked
package dev.parlance.ledger;

import org.jspecify.annotations.NullMarked;
