package dev.parlance.policy.route;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.Detail;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.text.CitationId;
import dev.parlance.policy.text.CitationScanner;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What to tell an author whose draft has to be written again.
 *
 * @param header the draft's signals, if it was measured
 * @param reasons why it failed
 * @param missing the same in plain words, one sentence per reason
 * @param claims the claims that are weak and what is missing or changed in each, a line each
 * @param markerIds ids of chunks that a marker in the text can cite, as {@code [Chunk id]}
 * @param listedIds ids of chunks that only a list of citations beside the text can cite
 */
public record RepairPlan(
    Optional<AspHeader> header,
    List<Reason> reasons,
    List<String> missing,
    List<String> claims,
    List<String> markerIds,
    List<String> listedIds) {
  /** Most ids named, both kinds together. */
  static final int MAX_IDS = 10;

  static final int MAX_ID_CHARS = 64;

  /** Copies the lists. */
  public RepairPlan {
    reasons = List.copyOf(reasons);
    missing = List.copyOf(missing);
    claims = List.copyOf(claims);
    markerIds = List.copyOf(markerIds);
    listedIds = List.copyOf(listedIds);
  }

  /**
   * The plan for a draft that was judged. Of the message go into it ids of chunks (and terms that
   * the core has) and, in quotes, short excerpts of the draft itself and of the evidence that its
   * author was given; ids are at most {@value #MAX_IDS} of at most {@value #MAX_ID_CHARS}
   * characters out of {@code [A-Za-z0-9._~:/#-]}: they come from agents, and what goes back to one
   * must not carry another's instructions.
   */
  public static RepairPlan of(Verdict verdict, AgentMessage message) {
    List<Reason> reasons =
        verdict.decision().reasons().stream()
            .filter(reason -> reason.fault() == Reason.Fault.AUTHOR)
            .toList();
    List<String> ids =
        message.evidence().chunks().stream()
            .map(Chunk::id)
            .filter(RepairPlan::isSafeId)
            .distinct()
            .limit(MAX_IDS)
            .toList();
    return new RepairPlan(
        verdict.header(),
        reasons,
        reasons.stream().map(reason -> inWords(reason, verdict.core())).toList(),
        verdict.measurement().flatMap(Measurement::claims).map(ClaimWords::of).orElse(List.of()),
        ids.stream().filter(RepairPlan::isReadInMarker).toList(),
        ids.stream().filter(Predicate.not(RepairPlan::isReadInMarker)).toList());
  }

  /** The instruction to the author of {@code message}, which {@code verdict} sent back. */
  public static String instruction(Verdict verdict, AgentMessage message) {
    return of(verdict, message).text();
  }

  /** The same for others than the author, who must not read pieces of what was not delivered. */
  public static String withoutExcerpts(Verdict verdict, AgentMessage message) {
    RepairPlan plan = of(verdict, message);
    return new RepairPlan(
            plan.header, plan.reasons, plan.missing, List.of(), plan.markerIds, plan.listedIds)
        .text();
  }

  /** All ids named. */
  public List<String> chunkIds() {
    return java.util.stream.Stream.concat(markerIds.stream(), listedIds.stream()).toList();
  }

  /** The instruction to the author, in English, ASCII but for the terms of a vocabulary. */
  public String text() {
    StringBuilder text = new StringBuilder("Your previous answer was not delivered.");
    header.ifPresent(measured ->
        text.append(" Its quality signals were ")
            .append(measured.text())
            .append(" (C certainty, G grounding, S stochasticity; 0 lowest, F highest)."));
    text.append(" What is wrong:");
    for (int i = 0; i < reasons.size(); i++) {
      text.append("\n- ").append(reasons.get(i).code()).append(": ").append(missing.get(i));
    }
    if (!claims.isEmpty()) {
      text.append("\nThese parts of it are weak:");
      claims.forEach(claim -> text.append("\n- ").append(claim));
    }
    text.append(
        "\nWrite the complete answer again. Use only the given material, in its own words where"
            + " possible; add no name, number or claim that is not in it. If the material does not"
            + " answer the question, say so and cite what you looked at.");
    if (!markerIds.isEmpty()) {
      text.append("\nCite every source you use in the text, with these markers:");
      markerIds.forEach(id -> text.append(" [Chunk ").append(id).append(']'));
    }
    if (!listedIds.isEmpty()) {
      text.append("\nCite these sources in the list of citations beside the text: ")
          .append(String.join(", ", listedIds));
    }
    return text.toString();
  }

  private static String inWords(Reason reason, Optional<CoreCheck> core) {
    return reason == Reason.TERM_UNCERTIFIED || reason == Reason.TERM_REVOKED
        ? terms(core, reason == Reason.TERM_REVOKED)
        : reason.sentence();
  }

  /**
   * Which terms are not certified and which to use instead, in one or two sentences; empty if all
   * are.
   */
  public static Optional<String> terms(CoreFindings findings) {
    return TermWords.of(findings);
  }

  /** Where the ten that are listed are all of the other kind, only the number is told. */
  private static String terms(Optional<CoreCheck> core, boolean revoked) {
    return core.map(check -> TermWords.of(check.findings(), revoked))
        .filter(words -> !words.isEmpty())
        .orElse("it uses more terms that are not certified");
  }

  static boolean isSafeId(String id) {
    return !id.isEmpty()
        && id.length() <= MAX_ID_CHARS
        && id.chars()
            .allMatch(c ->
                (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "._~:/#-".indexOf(c) >= 0);
  }

  /** True if a marker made with {@code id} reads as exactly that id. */
  static boolean isReadInMarker(String id) {
    NormalizedText marker = new NormalizedText();
    marker.set(Utf8Span.of("[Chunk " + id + "]"));
    CitationScanner scanner = new CitationScanner();
    scanner.scan(marker);
    return scanner.ids().equals(List.of(CitationId.canonical(id)));
  }

  /** Says of each weak claim what is missing or changed in it. */
  private static final class ClaimWords {
    static final int MAX_CLAIMS = 4;

    private ClaimWords() {}

    static List<String> of(ClaimFindings found) {
      return found.weak().stream().limit(MAX_CLAIMS).map(ClaimWords::of).toList();
    }

    private static String of(WeakClaim claim) {
      StringBuilder line = new StringBuilder(quoted(claim.text()));
      if (claim.details().isEmpty()) {
        line.append(
            claim
                .nearest()
                .map(nearest -> " is not carried; nearest is " + at(nearest))
                .orElse(" has nothing in the material"));
      }
      for (Detail detail : claim.details()) {
        line.append("; ")
            .append(detail.departure().code())
            .append(": it says ")
            .append(quoted(detail.said()))
            .append(
                detail
                    .instead()
                    .map(there -> ", the material says " + at(there))
                    .orElse(", which the material does not have"));
      }
      return line.toString();
    }

    private static String at(Excerpt excerpt) {
      return quoted(excerpt) + (isSafeId(excerpt.where()) ? " (in " + excerpt.where() + ")" : "");
    }

    private static String quoted(Excerpt excerpt) {
      return '"' + excerpt.text().replace('"', '\'').strip() + '"';
    }
  }

  /**
   * Says which terms a message must not use. The terms are those of the signed core, at most
   * {@value CoreFindings#MAX_OFFENDING} of them, and never anything else that stands in the
   * message.
   */
  static final class TermWords {
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
}
