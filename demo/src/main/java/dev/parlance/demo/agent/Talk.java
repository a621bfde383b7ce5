package dev.parlance.demo.agent;

import dev.parlance.policy.text.Coded;
import io.a2a.spec.TransportProtocol;

/**
 * How an agent talks and is talked to.
 *
 * @param binding in which form of the protocol, besides JSON-RPC, which every agent understands
 * @param delivery whether answers are streamed
 */
public record Talk(Binding binding, Delivery delivery) {
  /** JSON-RPC, answers whole. */
  public static final Talk PLAIN = new Talk(Binding.JSONRPC, Delivery.WHOLE);

  /** How an answer is asked for and given. */
  public enum Delivery {
    /** At once. */
    WHOLE,
    /** As a stream of events: a task, chunks of an artifact, the task's last state. */
    STREAMED
  }

  /** In which form two agents exchange A2A messages. */
  public enum Binding implements Coded {
    /** JSON-RPC 2.0 over HTTP/1.1. */
    JSONRPC(TransportProtocol.JSONRPC),
    /** HTTP+JSON: a path for each method. */
    REST(TransportProtocol.HTTP_JSON),
    /** gRPC over HTTP/2 without TLS. */
    GRPC(TransportProtocol.GRPC);

    private final TransportProtocol protocol;

    Binding(TransportProtocol protocol) {
      this.protocol = protocol;
    }

    /** The name in agent cards. */
    String transport() {
      return protocol.asString();
    }
  }
}
