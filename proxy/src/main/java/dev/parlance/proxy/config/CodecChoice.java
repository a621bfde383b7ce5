package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** Which codec reads the messages of a route. */
public enum CodecChoice implements Coded {
  /** The first codec that claims the request. */
  AUTO,
  /** A2A in each of its bindings. */
  A2A,
  /** MCP over streamable HTTP. */
  MCP,
  /** OpenAI chat completions and responses. */
  OPENAI,
  /** Any JSON, read by configured pointers. */
  JSON,
  /** Plain text. */
  TEXT
}
