/** Mutual TLS: the identity of this sidecar, and who is at the other end. */
@NullMarked
package dev.parlance.proxy.identity;

import org.jspecify.annotations.NullMarked;
