/** Pacts at the control plane: attested, counted, ended, scored; their order is the ledger's. */
@NullMarked
package dev.parlance.control.pact;

import org.jspecify.annotations.NullMarked;
