/** Commands about pacts. */
@NullMarked
package dev.parlance.cli.pact;

import org.jspecify.annotations.NullMarked;
