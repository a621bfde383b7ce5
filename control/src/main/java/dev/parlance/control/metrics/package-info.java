/** Every meter of the control plane. */
@NullMarked
package dev.parlance.control.metrics;

import org.jspecify.annotations.NullMarked;
