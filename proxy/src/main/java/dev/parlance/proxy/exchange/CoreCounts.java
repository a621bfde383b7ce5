package dev.parlance.proxy.exchange;

import dev.parlance.policy.core.CoreCheck;
import dev.parlance.policy.core.OnCoreGap;
import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Signals;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.metrics.OpenCheck;
import dev.parlance.proxy.metrics.SidecarMetrics;

/** Counts what the core guard found, and what went on although it could not look properly. */
final class CoreCounts {
  private CoreCounts() {}

  static void decided(SidecarMetrics metrics, CoreCheck check) {
    metrics.coreChecked(check.findings(), GuardOutcome.of(check));
  }

  /** Only routes with a core know who is on the other side. */
  static void pair(SidecarMetrics metrics, Verdict verdict, Route route) {
    if (verdict.core().isPresent()) {
      metrics.pair(
          verdict.core().get().findings().core().peer(),
          route,
          verdict.signals().stream().mapToDouble(Signals::driftSqrtJsd).findFirst());
    }
  }

  static void forwarded(SidecarMetrics metrics, CoreCheck check) {
    switch (check.findings().core().state()) {
      case FRESH -> {}
      case STALE -> {
        if (check.findings().checked() > 0) {
          failOpen(metrics, OpenCheck.CORE_STALE, check.policy().onStale());
        }
      }
      case ABSENT -> failOpen(metrics, OpenCheck.CORE_ABSENT, check.policy().onAbsent());
    }
  }

  /** In observe mode a message goes on that should be held; that is counted as allowed. */
  private static void failOpen(SidecarMetrics metrics, OpenCheck check, OnCoreGap policy) {
    metrics.failOpen(
        check,
        switch (policy) {
          case WARN -> OnFailure.WARN;
          case YIELD, ALLOW -> OnFailure.ALLOW;
        });
  }
}
