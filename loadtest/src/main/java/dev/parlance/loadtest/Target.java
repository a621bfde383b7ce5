package dev.parlance.loadtest;

/**
 * A process to start: a proxy that speaks one protocol on both sides.
 *
 * @param kind which proxy
 * @param protocol what it speaks
 */
record Target(TargetKind kind, Protocol protocol) {
  /** For people and for folders. */
  String code() {
    return protocol == Protocol.HTTP1 ? kind.code() : kind.code() + "-" + protocol.code();
  }
}
