/** Manifests in, manifests out: the injector without a cluster. */
@NullMarked
package dev.parlance.inject.manifest;

import org.jspecify.annotations.NullMarked;
