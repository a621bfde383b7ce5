/** The bytes of a message under way, and the header fields that a sidecar writes beside them. */
@NullMarked
package dev.parlance.proxy.exchange.body;

import org.jspecify.annotations.NullMarked;
