/** The sidecar's pacts: keys, negotiation, what holds, how it ends. */
@NullMarked
package dev.parlance.proxy.pact;

import org.jspecify.annotations.NullMarked;
