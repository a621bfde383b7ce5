/** The console that a replica serves for the sidecars that are attached to it. */
@NullMarked
package dev.parlance.control.console;

import org.jspecify.annotations.NullMarked;
