/** Tests of coined terms at a sidecar. */
@org.jspecify.annotations.NullMarked
package dev.parlance.proxy.lexicon;
