/** Pacts of two sidecars and a control plane in memory. */
@NullMarked
package dev.parlance.proxy.pact;

import org.jspecify.annotations.NullMarked;
