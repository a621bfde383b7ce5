package dev.parlance.policy.route;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says which terms a message must not use. The terms are those of the signed core, at most {@value
 * CoreFindings#MAX_OFFENDING} of them, and never anything else that stands in the message.
 */
final class TermWords {
  private TermWords() {}

  /** One or two sentences; empty if there is no such term. */
  static Optional<String> of(CoreFindings findings) {
    if (findings.offending().isEmpty()) {
      return Optional.empty();
    }
    String unknown = of(findings, false);
    String revoked = of(findings, true);
    return Optional.of(
        unknown.isEmpty() || revoked.isEmpty() ? unknown + revoked : unknown + " " + revoked);
  }

  /** About the revoked terms, or about the others; empty if none is listed. */
  static String of(CoreFindings findings, boolean revoked) {
    List<CoreFindings.Offence> terms =
        findings.offending().stream()
            .filter(offence -> (offence.status() == TermStatus.REVOKED) == revoked)
            .toList();
    if (terms.isEmpty()) {
      return "";
    }
    int more = (revoked ? findings.revoked() : findings.unknown()) - terms.size();
    boolean one = terms.size() + more == 1;
    String instead =
        terms.stream()
            .filter(offence -> offence.alternative().isPresent())
            .map(offence ->
                quoted(offence.alternative().get()) + " instead of " + quoted(offence.term()))
            .collect(Collectors.joining(", "));
    return (one ? "The term " : "The terms ")
        + terms.stream().map(offence -> quoted(offence.term())).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "")
        + (one ? " is" : " are")
        + (revoked ? " no longer" : " not")
        + " certified"
        + between(findings.core().cores())
        + " for the domain "
        + findings.core().domain()
        + (instead.isEmpty() ? "" : "; use " + instead)
        + (instead.isEmpty() ? "; say it without " : ", or say it without ")
        + (one ? "this term." : "these terms.");
  }

  private static String between(List<CoreVersion> cores) {
    return cores.size() == 1
        ? " between " + String.join(" and ", cores.getFirst().id().agents())
        : "";
  }

  private static String quoted(String term) {
    return '"' + term + '"';
  }
}
