/** Tests of the relay over real sockets, and the peers they use. */
@NullMarked
package dev.parlance.relay;

import org.jspecify.annotations.NullMarked;
