package dev.parlance.proxy.config;

/** Which codec reads the messages of a route. */
public enum CodecChoice {
  /** The first codec that claims the request. */
  AUTO("auto"),
  /** A2A in each of its bindings. */
  A2A("a2a"),
  /** MCP over streamable HTTP. */
  MCP("mcp"),
  /** OpenAI chat completions and responses. */
  OPENAI("openai"),
  /** Any JSON, read by configured pointers. */
  JSON("json"),
  /** Plain text. */
  TEXT("text");

  private final String code;

  CodecChoice(String code) {
    this.code = code;
  }

  /** The stable name in configuration, logs and metrics. */
  public String code() {
    return code;
  }
}
