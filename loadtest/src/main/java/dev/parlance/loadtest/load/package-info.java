/** Load generator, fake upstream, and the exchanges that both sides know. */
@NullMarked
package dev.parlance.loadtest.load;

import org.jspecify.annotations.NullMarked;
