/** Codecs of A2A 0.3 and 1.0 over JSON-RPC, HTTP+JSON and gRPC. */
@NullMarked
package dev.parlance.wire.a2a;

import org.jspecify.annotations.NullMarked;
