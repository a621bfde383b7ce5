package dev.parlance.demo.agent;

import dev.parlance.policy.text.Coded;
import io.a2a.spec.TransportProtocol;
import java.util.Arrays;
import java.util.Optional;

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
  public enum Delivery implements Coded {
    /** At once. */
    WHOLE,
    /** As a stream of events: a task, chunks of an artifact, the task's last state. */
    STREAMED;

    /** The delivery of that name. */
    public static Optional<Delivery> of(String code) {
      return Coded.find(values(), code);
    }
  }

  /** In which form two agents exchange A2A messages. */
  public enum Binding {
    /** JSON-RPC 2.0 over HTTP/1.1. */
    JSONRPC("jsonrpc", TransportProtocol.JSONRPC),
    /** HTTP+JSON: a path for each method. */
    REST("rest", TransportProtocol.HTTP_JSON),
    /** gRPC over HTTP/2 without TLS. */
    GRPC("grpc", TransportProtocol.GRPC);

    private final String code;
    private final TransportProtocol protocol;

    Binding(String code, TransportProtocol protocol) {
      this.code = code;
      this.protocol = protocol;
    }

    /** The name on command lines. */
    public String code() {
      return code;
    }

    /** The name in agent cards. */
    String transport() {
      return protocol.asString();
    }

    /** The binding of that name. */
    public static Optional<Binding> of(String code) {
      return Arrays.stream(values()).filter(binding -> binding.code.equals(code)).findFirst();
    }
  }
}
