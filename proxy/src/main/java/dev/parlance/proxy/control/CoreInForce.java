package dev.parlance.proxy.control;

import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.proxy.gate.CompiledCore;

/**
 * A core in force. All of it is fixed but when the control plane last confirmed it and whether the
 * control plane has since said something else that could not be believed; those are read from event
 * loops.
 */
public final class CoreInForce {
  private static final long NS_PER_MS = 1_000_000;

  private final CertifiedCore core;
  private final CompiledCore compiled;
  private final String documentSha256;
  private final long sinceEpochMs;
  private volatile long confirmedNs;
  private volatile boolean disputed;

  /**
   * A core that was just confirmed.
   *
   * @param documentSha256 of the signed document, hex
   * @param sinceEpochMs when it came into force
   * @param confirmedNs when it was last confirmed, on the monotonic clock
   */
  CoreInForce(
      CertifiedCore core,
      CompiledCore compiled,
      String documentSha256,
      long sinceEpochMs,
      long confirmedNs) {
    this.core = core;
    this.compiled = compiled;
    this.documentSha256 = documentSha256;
    this.sinceEpochMs = sinceEpochMs;
    this.confirmedNs = confirmedNs;
  }

  public CertifiedCore core() {
    return core;
  }

  CompiledCore compiled() {
    return compiled;
  }

  public String documentSha256() {
    return documentSha256;
  }

  public long sinceEpochMs() {
    return sinceEpochMs;
  }

  /** Milliseconds since it was confirmed, never negative. */
  long ageMs(long nowNs) {
    return Math.max(0, nowNs - confirmedNs) / NS_PER_MS;
  }

  /** The control plane was heard: unless it said otherwise of this core, it still holds. */
  void heard(long nowNs) {
    if (!disputed) {
      confirmedNs = nowNs;
    }
  }

  /** The control plane said that this very core holds. */
  void confirmed(long nowNs) {
    disputed = false;
    confirmedNs = nowNs;
  }

  /**
   * The control plane sent another core for these agents that was refused. From here on this one
   * ages, whatever else is heard.
   */
  void dispute() {
    disputed = true;
  }

  public boolean isDisputed() {
    return disputed;
  }
}
