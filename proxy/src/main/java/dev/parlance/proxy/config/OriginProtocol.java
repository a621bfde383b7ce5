package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;
import dev.parlance.relay.api.HttpProtocol;

/** Which version of HTTP an agent is spoken to in. */
public enum OriginProtocol implements Coded {
  /**
   * HTTP/2 for gRPC requests, HTTP/1.1 for all others; of redirected ones what their sender speaks.
   */
  AUTO,
  /** Always HTTP/1.1. */
  HTTP1,
  /** Always HTTP/2, without TLS by prior knowledge. */
  HTTP2;

  /** The version for one request that was redirected: its sender knows what is spoken there. */
  public HttpProtocol of(boolean grpc, HttpProtocol senders) {
    return this == AUTO && !grpc ? senders : of(grpc);
  }

  /** The version for one request. */
  public HttpProtocol of(boolean grpc) {
    return switch (this) {
      case AUTO -> grpc ? HttpProtocol.HTTP2 : HttpProtocol.HTTP1;
      case HTTP1 -> HttpProtocol.HTTP1;
      case HTTP2 -> HttpProtocol.HTTP2;
    };
  }
}
