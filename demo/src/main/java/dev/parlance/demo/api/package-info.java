/** The demonstration's client of the control plane; the only package here that knows protobuf. */
@NullMarked
package dev.parlance.demo.api;

import org.jspecify.annotations.NullMarked;
