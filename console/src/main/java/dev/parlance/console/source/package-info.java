/** Where the console's facts come from: sidecars through their admin API, a control plane. */
@NullMarked
package dev.parlance.console.source;

import org.jspecify.annotations.NullMarked;
