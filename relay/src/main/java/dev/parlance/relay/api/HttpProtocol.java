package dev.parlance.relay.api;

/** The version of HTTP that a connection speaks. */
public enum HttpProtocol {
  /** HTTP/1.1. */
  HTTP1("http1"),
  /** HTTP/2, without TLS by prior knowledge. */
  HTTP2("http2");

  private final String code;

  HttpProtocol(String code) {
    this.code = code;
  }

  /** Name in the configuration, logs and metric labels. */
  public String code() {
    return code;
  }
}
