/** What a pact adds to the first request under it, and to later ones. */
@NullMarked
package dev.parlance.loadtest.pact;

import org.jspecify.annotations.NullMarked;
