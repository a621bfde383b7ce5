/** The control plane's configuration file: all of it is right, or all that is wrong is said. */
@NullMarked
package dev.parlance.control.config;

import org.jspecify.annotations.NullMarked;
