package dev.parlance.proxy.gate;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Cores written down in one line. */
public final class TestCores {
  private TestCores() {}

  /** A core of alice and a peer with terms as {@code status:key[:alternative]}. */
  public static CertifiedCore core(String peer, long version, String... terms) {
    List<GovernedTerm> governed = new ArrayList<>();
    for (String term : terms) {
      String[] parts = term.split(":", -1);
      governed.add(
          new GovernedTerm(
              parts[1],
              TermStatus.ofCode(parts[0]).orElseThrow(),
              parts.length > 2 ? Optional.of(parts[2]) : Optional.empty()));
    }
    governed.sort(Comparator.comparing(GovernedTerm::key));
    return new CertifiedCore(
        List.of("alice", peer), "license", version, 0, CertificationParams.DEFAULT, governed, 9);
  }
}
