/** Framing, status and time-outs of gRPC. */
@NullMarked
package dev.parlance.wire.grpc;

import org.jspecify.annotations.NullMarked;
