/** The second stage of judging claims, on threads of its own. */
@NullMarked
package dev.parlance.proxy.entailment;

import org.jspecify.annotations.NullMarked;
