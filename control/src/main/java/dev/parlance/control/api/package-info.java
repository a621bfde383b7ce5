/** Thin gRPC services: tokens, validation at the door, one form of error. */
@NullMarked
package dev.parlance.control.api;

import org.jspecify.annotations.NullMarked;
