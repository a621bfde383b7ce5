/**
 * How well the claims of an answer are carried by its evidence: index, measure, model, estimator.
 */
@NullMarked
package dev.parlance.policy.claim.support;

import org.jspecify.annotations.NullMarked;
