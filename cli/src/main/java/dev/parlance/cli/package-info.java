/** {@code bin/parlance}: the command line over everything else. */
@NullMarked
package dev.parlance.cli;

import org.jspecify.annotations.NullMarked;
