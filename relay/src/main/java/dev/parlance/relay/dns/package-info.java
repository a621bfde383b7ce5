/** Name resolution over DNS alone. */
@NullMarked
package dev.parlance.relay.dns;

import org.jspecify.annotations.NullMarked;
