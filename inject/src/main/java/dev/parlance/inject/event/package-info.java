/** Events of Kubernetes about pods with a sidecar. */
@NullMarked
package dev.parlance.inject.event;

import org.jspecify.annotations.NullMarked;
