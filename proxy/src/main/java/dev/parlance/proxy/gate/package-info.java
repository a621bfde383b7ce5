/** Reads, measures and routes one message; holds the budgets of flows. */
@NullMarked
package dev.parlance.proxy.gate;

import org.jspecify.annotations.NullMarked;
