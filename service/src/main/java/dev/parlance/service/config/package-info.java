/**
 * Configuration files: YAML with the place of everything, checked by a JSON Schema, bound to
 * records.
 */
@NullMarked
package dev.parlance.service.config;

import org.jspecify.annotations.NullMarked;
