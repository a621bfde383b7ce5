/**
 * The command line {@code bin/parlance}: its entry point, the index of commands, and what all
 * commands share (terminal, JSON, tables, JSON Lines, exit statuses, the way to a sidecar).
 *
 * <p>Each topic is a package below with one {@link dev.parlance.cli.CommandGroup}, named in {@code
 * META-INF/services}. Packages {@code cluster} (modules inject and deploy) and {@code simulate}
 * (module sim) are the only ones that may import those modules. A build that leaves a package out
 * leaves its line in {@code META-INF/services}: the missing class is passed over, the commands stay
 * in the help, and asking for one says what to build. A new command is a line in {@link
 * dev.parlance.cli.CommandIndex} and one in its group.
 */
@NullMarked
package dev.parlance.cli;

import org.jspecify.annotations.NullMarked;
