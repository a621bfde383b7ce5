package dev.parlance.demo.agent;

/**
 * How an agent talks and is talked to.
 *
 * @param binding in which form of the protocol, besides JSON-RPC, which every agent understands
 * @param delivery whether answers are streamed
 */
public record Talk(Binding binding, Delivery delivery) {
  /** JSON-RPC, answers whole. */
  public static final Talk PLAIN = new Talk(Binding.JSONRPC, Delivery.WHOLE);
}
