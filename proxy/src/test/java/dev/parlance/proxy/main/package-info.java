/** The whole sidecar in one process: real sockets, a scripted agent behind it. */
@NullMarked
package dev.parlance.proxy.main;

import org.jspecify.annotations.NullMarked;
