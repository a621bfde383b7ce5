/** One YAML file to one immutable configuration, with path and line in every error. */
@NullMarked
package dev.parlance.proxy.config;

import org.jspecify.annotations.NullMarked;
