/** {@code parlance round}: rounds of several agents, opened, watched and exported. */
@NullMarked
package dev.parlance.cli.round;

import org.jspecify.annotations.NullMarked;
