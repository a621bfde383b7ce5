/** The chart and what is generated from it. */
@NullMarked
package dev.parlance.deploy;

import org.jspecify.annotations.NullMarked;
