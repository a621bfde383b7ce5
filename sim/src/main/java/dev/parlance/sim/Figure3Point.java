package dev.parlance.sim;

import java.util.OptionalDouble;

/**
 * A point of figure 3, over all runs.
 *
 * @param panel the series
 * @param epoch counts from 1
 * @param unguardedPercent contradictions per eligible comparison over all terms, percent
 * @param guardedPercent the same over the terms in each run's core of that epoch; a run whose core
 *     is empty contributes no comparison; empty if that is so in every run
 * @param coreSize certified terms per run, of six
 */
public record Figure3Point(
    Panel panel,
    int epoch,
    double unguardedPercent,
    OptionalDouble guardedPercent,
    double coreSize) {}
