package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** How a listener deals with TLS between sidecars. */
public enum TlsMode implements Coded {
  /** Nothing is encrypted. */
  OFF,
  /** Who encrypts has to show an identity that is believed; clear text is taken as well. */
  PERMISSIVE,
  /** Nobody without an identity that is believed, nothing in clear text. */
  STRICT,
  /** Another mesh encrypts, and says who calls in a field of the request. */
  EXTERNAL;

  /** True if this sidecar has an identity for it. */
  public boolean encrypts() {
    return this == PERMISSIVE || this == STRICT;
  }
}
