/** Wiring, reload and drain of one sidecar process. */
@NullMarked
package dev.parlance.proxy.main;

import org.jspecify.annotations.NullMarked;
