/** All parts together, over real sockets and real processes; and the architecture rules. */
@NullMarked
package dev.parlance.it;

import org.jspecify.annotations.NullMarked;
