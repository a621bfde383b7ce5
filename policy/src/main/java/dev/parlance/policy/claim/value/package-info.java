/**
 * The values of texts: numbers, dates, times and names with digits, and whether one carries
 * another.
 */
@NullMarked
package dev.parlance.policy.claim.value;

import org.jspecify.annotations.NullMarked;
