/**
 * Measures the sidecar from outside: a fake upstream, an open-loop and closed-loop load generator,
 * and a side-by-side comparison with other proxies. Knows nothing of the sidecar's classes.
 */
@NullMarked
package dev.parlance.loadtest;

import org.jspecify.annotations.NullMarked;
