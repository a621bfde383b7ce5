package dev.parlance.proxy.config;

/** Which codec reads the messages of a route. */
public enum CodecChoice {
  /** The first codec that claims the request. */
  AUTO("auto"),
  /** A2A over JSON-RPC. */
  A2A("a2a"),
  /** OpenAI chat completions. */
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
