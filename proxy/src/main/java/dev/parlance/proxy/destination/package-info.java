/** Where a request goes: the agent, an allowed host, or nowhere. */
@NullMarked
package dev.parlance.proxy.destination;

import org.jspecify.annotations.NullMarked;
