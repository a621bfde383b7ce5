/** The ledger in the C2SP tlog-tiles layout, metrics and probes over HTTP. */
@NullMarked
package dev.parlance.control.http;

import org.jspecify.annotations.NullMarked;
