/** The sidecar's calls to the control plane over gRPC: attach, rounds; generated types end here. */
@NullMarked
package dev.parlance.proxy.control.api;

import org.jspecify.annotations.NullMarked;
