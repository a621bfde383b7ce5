package dev.parlance.proxy.exchange;

import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.ObservedEvidence;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.RelayedTexts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.proxy.stream.HeldBytes;
import dev.parlance.proxy.trace.Tracer;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The dependencies that all exchanges of a listener share.
 *
 * @param gate judges
 * @param rounds knows of rounds
 * @param pacts knows of pacts
 * @param lexicons knows of boards of coined terms
 * @param relayed remembers what was passed on
 * @param observed remembers the results that the local agent was given; empty if it is not to
 * @param held bounds what streams hold in memory
 * @param review holds
 * @param shared knows what persons decide at other sidecars; empty without a control plane
 * @param log writes down
 * @param metrics counts
 * @param tracer has spans of exchanges; empty where none are exported
 * @param checks what messages are checked for
 * @param origin asks the other side of this direction
 * @param allocator for spliced bodies
 * @param config the configuration as it is now
 * @param wallClockMs milliseconds since the epoch
 */
public record Services(
    Gate gate,
    Rounds rounds,
    Pacts pacts,
    Lexicons lexicons,
    RelayedTexts relayed,
    Optional<ObservedEvidence> observed,
    HeldBytes held,
    ReviewQueue review,
    Optional<SharedDecisions> shared,
    DecisionLog log,
    SidecarMetrics metrics,
    Optional<Tracer> tracer,
    Check.Order checks,
    Origin origin,
    ByteBufAllocator allocator,
    Supplier<SidecarConfig> config,
    LongSupplier wallClockMs) {
  /** The same, with other agents to ask. */
  public Services asking(Origin others) {
    return new Services(
        gate,
        rounds,
        pacts,
        lexicons,
        relayed,
        observed,
        held,
        review,
        shared,
        log,
        metrics,
        tracer,
        checks,
        others,
        allocator,
        config,
        wallClockMs);
  }

  /** Asks the other side of a direction, as {@code OriginClient.ask} does. */
  @FunctionalInterface
  public interface Origin {
    /**
     * Asks.
     *
     * @param loop where the receiver is called
     * @param request its body belongs to this call from now on
     * @param receiver takes the answer; may be called before this returns
     */
    OriginCall ask(
        EventLoop loop,
        Destination destination,
        WholeRequest request,
        HttpMessageLimits limits,
        Timeouts timeouts,
        OriginReceiver receiver);
  }
}
