/** The packet filter rules of a pod whose traffic goes through its sidecar. */
@NullMarked
package dev.parlance.inject.rules;

import org.jspecify.annotations.NullMarked;
