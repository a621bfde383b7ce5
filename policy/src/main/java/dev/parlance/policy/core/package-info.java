/**
 * The stimulus-meaning model (P. Schoenegger et al., "Verifiable Semantics for Agent-to-Agent
 * Communication"): witnessed tests, divergence, bounds, Algorithm 1, and the certified core.
 */
@NullMarked
package dev.parlance.policy.core;

import org.jspecify.annotations.NullMarked;
