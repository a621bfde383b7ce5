/** Carries decisions out: forward, warn, ask again, hold. */
@NullMarked
package dev.parlance.proxy.act;

import org.jspecify.annotations.NullMarked;
