/** A verifier that trusts no file of the log, and the decision of a witness. */
@NullMarked
package dev.parlance.ledger.verify;

import org.jspecify.annotations.NullMarked;
