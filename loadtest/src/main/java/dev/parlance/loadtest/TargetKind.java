package dev.parlance.loadtest;

import java.util.Arrays;
import java.util.Optional;

/** What stands between load generator and upstream. */
enum TargetKind {
  /** Nothing: the load goes straight to the upstream. */
  DIRECT("direct"),
  /** The sidecar, judging every answer and holding back none. */
  PARLANCE_OBSERVE("parlance-observe"),
  /** The sidecar, judging every answer and acting on it. */
  PARLANCE_ENFORCE("parlance-enforce"),
  /** HAProxy, forwarding unread. */
  HAPROXY("haproxy"),
  /** nginx, forwarding unread. */
  NGINX("nginx");

  private final String code;

  TargetKind(String code) {
    this.code = code;
  }

  /** Name in options and reports. */
  String code() {
    return code;
  }

  /** True if every answer must come back with a signal. */
  boolean isJudging() {
    return this == PARLANCE_OBSERVE || this == PARLANCE_ENFORCE;
  }

  static Optional<TargetKind> of(String code) {
    return Arrays.stream(values()).filter(kind -> kind.code.equals(code)).findFirst();
  }
}
