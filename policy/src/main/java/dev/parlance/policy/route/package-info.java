/** Signals and budget to a decision with its reasons (ASP paper, Eq. 6). */
@NullMarked
package dev.parlance.policy.route;

import org.jspecify.annotations.NullMarked;
