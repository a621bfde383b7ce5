package dev.parlance.policy.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tells where the governed terms that were found in a message stand. */
public final class CoreGuard {
  private CoreGuard() {}

  /** The findings where there is no core. */
  public static CoreFindings withoutCore(HeldCore absent) {
    return new CoreFindings(absent, 0, 0, 0, List.of());
  }

  /**
   * The findings for a message.
   *
   * @param core which core it is held against
   * @param terms that core's vocabulary
   * @param hits what its matcher found in the message
   * @param untested keys of terms in the message that are governed in a meaning that was not
   *     tested, whatever the core says
   */
  public static CoreFindings check(
      HeldCore core, GovernedTerms terms, TermHits hits, Set<String> untested) {
    int certified = 0;
    int unknown = 0;
    int revoked = 0;
    List<CoreFindings.Offence> offending = List.of();
    for (int i = 0; i < hits.distinct(); i++) {
      int term = hits.term(i);
      boolean isOther = !untested.isEmpty() && untested.contains(terms.key(term));
      TermStatus status = isOther ? TermStatus.UNTESTED : terms.status(term);
      switch (status) {
        case CERTIFIED -> certified++;
        case REFUSED, UNTESTED -> unknown++;
        case REVOKED -> revoked++;
      }
      if (status != TermStatus.CERTIFIED && offending.size() < CoreFindings.MAX_OFFENDING) {
        if (offending.isEmpty()) {
          offending = new ArrayList<>();
        }
        offending.add(new CoreFindings.Offence(terms.key(term), status, terms.alternative(term)));
      }
    }
    for (String key : untested) {
      if (terms.has(key)) {
        continue;
      }
      unknown++;
      if (offending.size() < CoreFindings.MAX_OFFENDING) {
        offending = new ArrayList<>(offending);
        offending.add(new CoreFindings.Offence(key, TermStatus.UNTESTED, Optional.empty()));
      }
    }
    return new CoreFindings(core, certified, unknown, revoked, offending);
  }
}
