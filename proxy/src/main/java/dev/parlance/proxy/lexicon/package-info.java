/** Coined terms at a sidecar: what messages coin and use, and the boards that it stands on. */
@NullMarked
package dev.parlance.proxy.lexicon;

import org.jspecify.annotations.NullMarked;
