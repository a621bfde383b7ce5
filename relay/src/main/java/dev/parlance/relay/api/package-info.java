/** The relay as its users see it: requests, responses, destinations, limits and events. */
@NullMarked
package dev.parlance.relay.api;

import org.jspecify.annotations.NullMarked;
