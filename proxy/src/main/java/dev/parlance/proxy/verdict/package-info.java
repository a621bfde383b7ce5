/**
 * Verdicts that go from sidecar to sidecar: made of what was judged here, believed or not there.
 */
@NullMarked
package dev.parlance.proxy.verdict;

import org.jspecify.annotations.NullMarked;
