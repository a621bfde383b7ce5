/** Wires the parts of a replica together: start, announce, drain. */
@NullMarked
package dev.parlance.control.main;

import org.jspecify.annotations.NullMarked;
