/** Prometheus metrics of the sidecar; every label has a bounded set of values. */
@NullMarked
package dev.parlance.proxy.metrics;

import org.jspecify.annotations.NullMarked;
