/**
 * H-CSC: one round of proposals becomes exactly one typed outcome (algorithm {@code hcsc-mda-1}).
 * Pure: no clock, no encoder; vectors and times are arguments.
 */
@NullMarked
package dev.parlance.policy.commit;

import org.jspecify.annotations.NullMarked;
