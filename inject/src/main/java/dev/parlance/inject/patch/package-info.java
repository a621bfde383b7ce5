/** Differences of JSON trees as JSON patches (RFC 6902). */
@NullMarked
package dev.parlance.inject.patch;

import org.jspecify.annotations.NullMarked;
