/** The comparison of sidecars, proxies and no proxy: its plans, its goals and its report. */
@NullMarked
package dev.parlance.loadtest.compare;

import org.jspecify.annotations.NullMarked;
