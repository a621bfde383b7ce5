package dev.parlance.relay.api;

/** The version of HTTP that a connection speaks. */
public enum HttpProtocol {
  /** HTTP/1.1. */
  HTTP1,
  /** HTTP/2; without TLS by prior knowledge. */
  HTTP2
}
