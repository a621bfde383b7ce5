/** Exchanges as spans of OpenTelemetry, sent to a collector. */
@NullMarked
package dev.parlance.proxy.trace;

import org.jspecify.annotations.NullMarked;
