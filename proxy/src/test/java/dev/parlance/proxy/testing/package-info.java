/** What tests of the wire share. */
@NullMarked
package dev.parlance.proxy.testing;

import org.jspecify.annotations.NullMarked;
