package dev.parlance.sim;

import java.util.OptionalDouble;

/**
 * A row of Table 1.
 *
 * @param condition the condition
 * @param unguardedPercent contradictions per eligible comparison on the held-out events, all terms
 *     and runs together, percent
 * @param guardedPercent the same over the terms that each run has certified. A run with an empty
 *     core decides nothing, so it contributes no comparison; empty if that is so in every run
 * @param coreSize certified terms per run, of six; empty cores count as 0
 * @param emptyCorePercent runs that certified nothing, percent
 */
public record Table1Row(
    Condition condition,
    double unguardedPercent,
    OptionalDouble guardedPercent,
    double coreSize,
    double emptyCorePercent) {}
