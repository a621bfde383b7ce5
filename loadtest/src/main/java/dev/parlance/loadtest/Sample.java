package dev.parlance.loadtest;

import java.util.OptionalLong;

/**
 * One phase as measured.
 *
 * @param target what was measured
 * @param scenario under which load
 * @param round in which round, from 1
 * @param result what was seen
 * @param residentKb resident memory of the target after the phase
 */
record Sample(
    TargetKind target, Scenario scenario, int round, LoadResult result, OptionalLong residentKb) {}
