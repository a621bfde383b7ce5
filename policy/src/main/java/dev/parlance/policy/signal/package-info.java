/** Features to signals and drift (ASP paper, Eqs. 1-5). */
@NullMarked
package dev.parlance.policy.signal;

import org.jspecify.annotations.NullMarked;
