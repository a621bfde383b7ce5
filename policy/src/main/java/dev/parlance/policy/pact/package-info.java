/** Pacts: how two agents negotiate a boundary for their work, and what it binds them to. */
@NullMarked
package dev.parlance.policy.pact;

import org.jspecify.annotations.NullMarked;
