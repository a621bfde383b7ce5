package dev.parlance.demo.agent;

import dev.parlance.policy.text.Coded;
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
}
