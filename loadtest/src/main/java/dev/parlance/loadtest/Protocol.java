package dev.parlance.loadtest;

/** The HTTP that is spoken on both sides of a proxy. */
enum Protocol {
  /** HTTP/1.1 with keep-alive. */
  HTTP1("http1", "HTTP/1.1"),
  /** HTTP/2 without TLS, by prior knowledge (RFC 9113, 3.3). */
  H2("h2", "h2c");

  private final String code;
  private final String label;

  Protocol(String code, String label) {
    this.code = code;
    this.label = label;
  }

  /** Name in options and reports. */
  String code() {
    return code;
  }

  /** For people. */
  String label() {
    return label;
  }
}
