/** Benchmarks that speak to a control plane in its own protocol. */
@NullMarked
package dev.parlance.loadtest.bench.api;

import org.jspecify.annotations.NullMarked;
