package dev.parlance.demo.debate;

import dev.parlance.demo.license.DemoJson;
import dev.parlance.demo.license.LicenseEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A claim about the licence, and what is known of it.
 *
 * @param claim what is claimed
 * @param quoted the clauses that are shown with it
 * @param decidedBy the clauses that decide it; none if it is left open
 * @param status what becomes of it under the whole text
 */
public record ClauseClaim(
    String claim, List<String> quoted, List<String> decidedBy, ProofStatus status) {
  /**
   * A clause.
   *
   * @param id its number
   * @param text from the licence
   */
  public record Clause(String id, String text) {
    String quotation() {
      return "Clause " + id + " says: \"" + text + "\"";
    }
  }

  private static final List<Clause> CLAUSES =
      DemoJson.script(ClauseClaim.class, "clauses.json", Clause[].class);
  private static final List<ClauseClaim> CLAIMS =
      DemoJson.script(ClauseClaim.class, "claims.json", ClauseClaim[].class);
  private static final Pattern QUOTED = Pattern.compile("Clause (\\S+?)(?: says: |[.]\\s)");
  private static final Pattern CLAIMED = Pattern.compile("Claim: ([^\\n]+)");

  /** Copies the lists; refuses a status that nothing accounts for. */
  public ClauseClaim {
    quoted = List.copyOf(quoted);
    decidedBy = List.copyOf(decidedBy);
    if (decidedBy.isEmpty() != (status == ProofStatus.OPEN)) {
      throw new IllegalArgumentException("nothing accounts for " + status + ": " + claim);
    }
  }

  /** The clauses. */
  public static List<Clause> clauses() {
    return CLAUSES;
  }

  /** The claims in the order in which they are decided. */
  public static List<ClauseClaim> claims() {
    return CLAIMS;
  }

  /** A claim with the clauses that stand beside it in a text; empty if the text has none. */
  static Optional<ClauseClaim> in(String text) {
    Matcher claimed = CLAIMED.matcher(text);
    if (!claimed.find()) {
      return Optional.empty();
    }
    String claim = claimed.group(1).strip();
    List<String> shown = QUOTED.matcher(text).results().map(one -> one.group(1)).toList();
    return CLAIMS.stream()
        .filter(one -> one.claim.equals(claim))
        .findFirst()
        .map(one -> new ClauseClaim(claim, shown, one.decidedBy, one.status));
  }

  /** What becomes of it under the clauses that are shown with it, and no others. */
  ProofStatus underQuoted() {
    return quoted.containsAll(decidedBy) ? status : ProofStatus.OPEN;
  }

  /** The claim for who knows the clauses. */
  String cited() {
    StringBuilder text = new StringBuilder();
    quoted.forEach(id -> text.append("Clause ").append(id).append(". "));
    return text.append("Claim: ").append(claim).toString();
  }

  /** The claim with its clauses, in words. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (String id : quoted) {
      CLAUSES.stream()
          .filter(clause -> clause.id().equals(id))
          .forEach(clause -> text.append(clause.quotation()).append('\n'));
    }
    return text.append("Claim: ").append(claim).toString();
  }

  /**
   * Public events for an audit: every claim beside every clause, in an order that mixes them.
   * Whether a term of proof applies to one is what both agents are asked.
   */
  public static List<LicenseEvents.Event> events() {
    List<LicenseEvents.Event> events = new ArrayList<>();
    for (int i = 0; i < CLAUSES.size() * CLAIMS.size(); i++) {
      String clause = CLAUSES.get((i + i / CLAIMS.size()) % CLAUSES.size()).id();
      ClauseClaim claim = CLAIMS.get(i % CLAIMS.size());
      ClauseClaim shown =
          new ClauseClaim(claim.claim, List.of(clause), claim.decidedBy, claim.status);
      events.add(
          new LicenseEvents.Event(
              String.format(Locale.ROOT, "claim-%03d", i), shown.text().replace('\n', ' ')));
    }
    return events;
  }
}
