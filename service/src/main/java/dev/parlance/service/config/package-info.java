/** Pieces of configuration files that processes share. */
@NullMarked
package dev.parlance.service.config;

import org.jspecify.annotations.NullMarked;
