package dev.parlance.proxy.config;

import dev.parlance.relay.api.Destination;
import dev.parlance.service.config.Listen;
import java.util.Optional;

/**
 * The listener in front of the local agent.
 *
 * @param listen where others reach the agent
 * @param agent where the agent itself listens; may be empty if transparent
 * @param agentProtocol which version of HTTP it is spoken to in
 * @param grpcAgent where it takes gRPC requests, if elsewhere
 * @param transparent whether connections are redirected here, and go on to where they were going
 * @param tls whether callers encrypt and show who they are
 */
public record Inbound(
    Listen listen,
    Optional<Destination> agent,
    OriginProtocol agentProtocol,
    Optional<Destination> grpcAgent,
    boolean transparent,
    TlsMode tls) {
  /** Refuses a listener that knows nowhere to go. */
  public Inbound {
    if (agent.isEmpty() && (!transparent || grpcAgent.isPresent())) {
      throw new IllegalArgumentException("expected an agent, or transparent without grpcAgent");
    }
  }

  /** Where a request goes that was sent to the listener itself; empty if nowhere. */
  public Optional<Destination> destination(boolean grpc) {
    return (grpc ? grpcAgent.or(() -> agent) : agent)
        .map(to -> new Destination(to.host(), to.port(), agentProtocol.of(grpc)));
  }
}
