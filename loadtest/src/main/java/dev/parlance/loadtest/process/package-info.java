/** Starts the processes that are measured, binds them to cores and reads what they use. */
@NullMarked
package dev.parlance.loadtest.process;

import org.jspecify.annotations.NullMarked;
