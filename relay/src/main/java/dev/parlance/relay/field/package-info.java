/** HTTP header fields and their grammar. */
@NullMarked
package dev.parlance.relay.field;

import org.jspecify.annotations.NullMarked;
