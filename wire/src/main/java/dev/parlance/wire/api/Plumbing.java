package dev.parlance.wire.api;

import dev.parlance.policy.text.Coded;

/**
 * The names of the traffic beside the protocols that no agent says: what operators, browsers and
 * libraries ask an agent's port for.
 */
public enum Plumbing implements Coded {
  /** Health and readiness over HTTP. */
  HEALTH("health"),
  /** Samples for a scraper. */
  METRICS("metrics"),
  /** OpenAPI, Swagger and AsyncAPI documents. */
  OPENAPI("openapi"),
  /** Metadata, keys and tokens of OAuth and OpenID Connect. */
  SIGN_IN("signIn"),
  /** What a browser asks before it asks another origin. */
  PREFLIGHT("preflight"),
  /** {@code grpc.health.v1}. */
  GRPC_HEALTH("grpcHealth"),
  /** {@code grpc.reflection}. */
  GRPC_REFLECTION("grpcReflection"),
  /** Agent cards of A2A, read by its codec. */
  AGENT_CARD("agentCard"),
  /** Lists of tools, prompts and resources of MCP, read by its codec. */
  MCP_LISTS("mcpLists"),
  /** Lists of models. */
  MODELS("models"),
  /** What is known of stored files, without what they hold. */
  FILES("files"),
  /** OTLP: traces, metrics and logs on their way to a collector. */
  TELEMETRY("telemetry"),
  /** Every other GET, HEAD and OPTIONS without a body that no codec claims. */
  READS("reads");

  private final String key;

  Plumbing(String key) {
    this.key = key;
  }

  /** The key of its switch in the configuration. */
  public String key() {
    return key;
  }
}
