/** A small client of the Kubernetes API for processes that run in a pod. */
@NullMarked
package dev.parlance.inject.kube;

import org.jspecify.annotations.NullMarked;
