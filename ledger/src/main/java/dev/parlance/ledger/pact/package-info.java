/**
 * Messages, attestations and signed statements of pacts as bytes: read strictly, written in one
 * canonical form.
 */
@NullMarked
package dev.parlance.ledger.pact;

import org.jspecify.annotations.NullMarked;
