/** Reads and watches the configuration file: YAML, schema, every problem with its place. */
@NullMarked
package dev.parlance.proxy.config.file;

import org.jspecify.annotations.NullMarked;
