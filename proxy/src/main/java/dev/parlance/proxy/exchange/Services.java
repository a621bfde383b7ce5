package dev.parlance.proxy.exchange;

import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.ObservedEvidence;
import dev.parlance.proxy.gate.RelayedTexts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewQueue;
import io.netty.buffer.ByteBufAllocator;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The dependencies that all exchanges of a listener share.
 *
 * @param gate judges
 * @param rounds knows of rounds
 * @param relayed remembers what was passed on
 * @param observed remembers the results that the local agent was given; empty if it is not to
 * @param held bounds what streams hold in memory
 * @param review holds
 * @param log writes down
 * @param metrics counts
 * @param origin asks the other side of this direction
 * @param allocator for spliced bodies
 * @param config the configuration as it is now
 * @param wallClockMs milliseconds since the epoch
 */
public record Services(
    Gate gate,
    Rounds rounds,
    RelayedTexts relayed,
    Optional<ObservedEvidence> observed,
    HeldBytes held,
    ReviewQueue review,
    DecisionLog log,
    SidecarMetrics metrics,
    Origin origin,
    ByteBufAllocator allocator,
    Supplier<SidecarConfig> config,
    LongSupplier wallClockMs) {}
