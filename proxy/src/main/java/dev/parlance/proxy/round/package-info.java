/** The check of what messages say of the control plane's rounds. */
@NullMarked
package dev.parlance.proxy.round;

import org.jspecify.annotations.NullMarked;
