package dev.parlance.demo.agent;

import io.a2a.server.TransportMetadata;
import io.a2a.spec.TransportProtocol;

/**
 * Tells the SDK, which looks for it as a service and checks agent cards against it, that {@link
 * AgentServer} speaks JSON-RPC.
 */
public final class JsonRpcTransport implements TransportMetadata {
  /** For the service loader. */
  public JsonRpcTransport() {}

  @Override
  public String getTransportProtocol() {
    return TransportProtocol.JSONRPC.asString();
  }
}
