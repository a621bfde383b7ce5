/** Metrics whose series are bounded, whatever is counted. */
@NullMarked
package dev.parlance.service.metric;

import org.jspecify.annotations.NullMarked;
