package dev.parlance.loadtest.bench;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import java.util.List;
import java.util.Optional;

/** A core of two agents, and the same as a sidecar holds it, fresh. */
final class GuardedCore {
  private GuardedCore() {}

  static CertifiedCore of(List<GovernedTerm> terms) {
    return new CertifiedCore(
        List.of("alice", "bob"), "license", 1, 0, CertificationParams.DEFAULT, terms, 0);
  }

  static HeldCore held(CertifiedCore core) {
    return new HeldCore(
        core.domain(),
        Optional.of("bob"),
        CoreState.FRESH,
        List.of(new CoreVersion(core.id(), core.version())),
        0);
  }
}
