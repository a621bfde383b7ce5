/** The control plane as a whole. */
@NullMarked
package dev.parlance.control;

import org.jspecify.annotations.NullMarked;
