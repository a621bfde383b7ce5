package dev.parlance.service.identity;

import java.io.Serial;
import java.security.cert.CertificateException;
import java.util.Locale;

/** A certificate or chain that shows nobody's identity; a kind of exception that JSSE passes on. */
public final class SvidException extends CertificateException {
  @Serial private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Fault {
    /** It is no X.509-SVID: the wrong names or usages. */
    NOT_SVID,
    /** It, or what vouches for it, is not valid any more. */
    EXPIRED,
    /** It, or what vouches for it, is not valid yet. */
    NOT_YET_VALID,
    /** Nobody here believes its trust domain. */
    UNKNOWN_DOMAIN,
    /** No authority of its trust domain vouches for it. */
    UNTRUSTED;

    /** Stable code, for metrics. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Fault fault;

  SvidException(Fault fault, String message) {
    super(message);
    this.fault = fault;
  }

  SvidException(Fault fault, String message, Throwable cause) {
    super(message, cause);
    this.fault = fault;
  }

  /** Why. */
  public Fault fault() {
    return fault;
  }
}
