/** Carries decisions out: forward, warn, ask again, hold. */
@NullMarked
package dev.parlance.proxy.exchange;

import org.jspecify.annotations.NullMarked;
