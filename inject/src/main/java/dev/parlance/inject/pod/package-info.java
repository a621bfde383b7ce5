/** The pure core: a pod and settings to a pod with a sidecar, or a reason why not. */
@NullMarked
package dev.parlance.inject.pod;

import org.jspecify.annotations.NullMarked;
