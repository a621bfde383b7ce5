package dev.parlance.loadtest;

import java.util.OptionalLong;

/**
 * One phase as measured.
 *
 * @param subject what was measured
 * @param scenario under which load
 * @param round in which round, from 1
 * @param result what was seen
 * @param residentKb resident memory of the target after the phase
 * @param guarded what its guard did in the phase and in the moment before it
 */
record Sample(
    Subject subject,
    Scenario scenario,
    int round,
    LoadResult result,
    OptionalLong residentKb,
    GuardCount guarded) {}
