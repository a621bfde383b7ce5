package dev.parlance.proxy.config;

import dev.parlance.proxy.relay.Destination;
import java.util.Optional;

/**
 * The listener in front of the local agent.
 *
 * @param listen where others reach the agent
 * @param agent where the agent itself listens
 * @param agentProtocol which version of HTTP it is spoken to in
 * @param grpcAgent where it takes gRPC requests, if elsewhere
 */
public record Inbound(
    Listen listen,
    Destination agent,
    OriginProtocol agentProtocol,
    Optional<Destination> grpcAgent) {
  /** An agent with one address and the usual protocols. */
  public Inbound(Listen listen, Destination agent) {
    this(listen, agent, OriginProtocol.AUTO, Optional.empty());
  }

  /** Where a request goes. */
  public Destination destination(boolean grpc) {
    Destination to = grpc ? grpcAgent.orElse(agent) : agent;
    return new Destination(to.host(), to.port(), agentProtocol.of(grpc));
  }
}
