package dev.parlance.sim;

import java.util.OptionalDouble;

/**
 * How {@link Panel#WATCHED} did.
 *
 * @param coreBeforeDrift certified terms per run in the epoch before the drift
 * @param meanEpochsToRevoke epochs from the drift to the revocation of the drifted term, over the
 *     runs that had it in the core; 0 is the audit of the drift's own epoch; empty if none had
 * @param missed runs that had the drifted term in the core and never revoked it
 * @param falseRevocations revocations of terms that had not drifted, in all runs and epochs
 */
public record WatchSummary(
    double coreBeforeDrift,
    OptionalDouble meanEpochsToRevoke,
    long missed,
    long falseRevocations) {}
