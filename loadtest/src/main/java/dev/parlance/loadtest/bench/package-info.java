/** Benchmarks of the parts that a message passes, each over many real bodies in rotation. */
@NullMarked
package dev.parlance.loadtest.bench;

import org.jspecify.annotations.NullMarked;
