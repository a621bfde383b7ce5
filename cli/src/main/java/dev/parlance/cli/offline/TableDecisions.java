package dev.parlance.cli.offline;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.SampleSize;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermDecision;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Algorithm 1 over a table: every term of every pair of agents. Only events on which both agents of
 * a pair were tested count; a table does not say what was asked and left unanswered, so nothing is
 * refused as incomplete here.
 */
final class TableDecisions {
  /**
   * A term of a pair.
   *
   * @param oneSided events on which only one of the two was tested; they do not count
   * @param needed further comparisons without contradiction that would certify it; 0 if it is
   *     certified, {@link SampleSize#MAX}: that many or never
   */
  record Term(String key, TermDecision decision, int oneSided, int needed) {
    Optional<RefusalReason> reason() {
      return switch (decision) {
        case TermDecision.Certified _ -> Optional.empty();
        case TermDecision.Refused refused -> Optional.of(refused.reason());
      };
    }
  }

  /**
   * A pair.
   *
   * @param agents the two, sorted
   * @param terms every term of the table, sorted
   */
  record Pair(List<String> agents, List<Term> terms) {
    /** Copies the lists. */
    Pair {
      agents = List.copyOf(agents);
      terms = List.copyOf(terms);
    }

    /** V* of the pair, sorted. */
    List<String> core() {
      return terms.stream().filter(term -> term.decision().isCertified()).map(Term::key).toList();
    }
  }

  private final PairTallies tallies;
  private final CertificationParams perTerm;
  private final int[] pairsThatCertify;
  private final Map<Tally, Integer> needed = new HashMap<>();

  TableDecisions(PairTallies tallies, CertificationParams params, Multiplicity multiplicity) {
    this.tallies = tallies;
    this.perTerm = multiplicity.perTerm(params, Math.max(1, tallies.terms().size()));
    this.pairsThatCertify = new int[tallies.terms().size()];
  }

  /** What each term is tested with. */
  CertificationParams perTerm() {
    return perTerm;
  }

  PairTallies tallies() {
    return tallies;
  }

  /** Decides one pair; each is to be decided once. */
  Pair decide(PairTallies.Pair pair) {
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < tallies.terms().size(); i++) {
      Tally tally = tallies.tally(pair, i);
      TermDecision decision = Certifier.decide(tally, perTerm);
      pairsThatCertify[i] += decision.isCertified() ? 1 : 0;
      terms.add(
          new Term(
              tallies.terms().get(i),
              decision,
              tallies.oneSided(pair, i),
              decision.isCertified() ? 0 : needed(tally)));
    }
    return new Pair(
        List.of(tallies.agents().get(pair.first()), tallies.agents().get(pair.second())), terms);
  }

  /** Many terms stand at the same tally, and the search is the costly part. */
  private int needed(Tally tally) {
    return needed.computeIfAbsent(tally, one -> SampleSize.furtherNeeded(one, perTerm));
  }

  /** V* of all agents: what every pair has certified. Call after every pair is decided. */
  List<String> coreOfAll() {
    int pairs = tallies.pairs().size();
    List<String> core = new ArrayList<>();
    for (int i = 0; i < pairsThatCertify.length; i++) {
      if (pairs > 0 && pairsThatCertify[i] == pairs) {
        core.add(tallies.terms().get(i));
      }
    }
    return core;
  }

  /**
   * How large an audit has to be.
   *
   * @param trueRate true contradiction rate of a term, in [0,1]
   * @param probability probability with which it shall be certified
   * @param comparisons eligible comparisons that takes; {@link SampleSize#MAX}: that many or never
   */
  record PowerRow(double trueRate, double probability, int comparisons) {
    private static final List<Double> PROBABILITIES = List.of(0.8, 0.9, 0.95);

    static List<PowerRow> of(double trueRate, CertificationParams params) {
      List<PowerRow> rows = new ArrayList<>();
      for (double probability : PROBABILITIES) {
        rows.add(
            new PowerRow(
                trueRate, probability, SampleSize.forPower(trueRate, probability, params)));
      }
      return rows;
    }

    /** For people, a line each. */
    static void print(PrintStream out, List<PowerRow> rows) {
      if (!rows.isEmpty()) {
        out.println();
      }
      rows.forEach(row -> out.println(row.text()));
    }

    private String text() {
      return comparisons >= SampleSize.MAX
          ? ("A term whose true rate is %s cannot be certified with probability %s "
                  + "within %s comparisons.")
              .formatted(trueRate, probability, SampleSize.MAX)
          : ("A term whose true rate is %s is certified with probability %s by %s "
                  + "eligible comparisons.")
              .formatted(trueRate, probability, comparisons);
    }
  }
}
