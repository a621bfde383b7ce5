/** Where a claim that follows its evidence word for word says something else. */
@NullMarked
package dev.parlance.policy.claim.change;

import org.jspecify.annotations.NullMarked;
