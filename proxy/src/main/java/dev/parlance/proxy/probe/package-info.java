/** Probes of the local agent in the kubelet's stead. */
@NullMarked
package dev.parlance.proxy.probe;

import org.jspecify.annotations.NullMarked;
