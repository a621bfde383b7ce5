/** Encrypted connections, of clients and to origins. */
@NullMarked
package dev.parlance.relay.tls;

import org.jspecify.annotations.NullMarked;
