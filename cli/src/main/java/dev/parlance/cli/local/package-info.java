/** {@code parlance run}: agents on this machine, each with a sidecar, without a file. */
@NullMarked
package dev.parlance.cli.local;

import org.jspecify.annotations.NullMarked;
