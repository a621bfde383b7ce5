/**
 * The simulations of section 5.1 of P. Schoenegger et al., "Verifiable Semantics for Agent-to-Agent
 * Communication", run with the rules that the product uses, and a study of how often those rules
 * certify a term that is not good enough.
 */
@NullMarked
package dev.parlance.sim;

import org.jspecify.annotations.NullMarked;
