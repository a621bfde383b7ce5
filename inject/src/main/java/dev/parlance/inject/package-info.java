/** What a pod with a sidecar looks like, as a JSON patch. */
@NullMarked
package dev.parlance.inject;

import org.jspecify.annotations.NullMarked;
