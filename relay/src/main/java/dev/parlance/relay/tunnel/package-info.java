/** Redirected connections that are passed on unread. */
@NullMarked
package dev.parlance.relay.tunnel;

import org.jspecify.annotations.NullMarked;
