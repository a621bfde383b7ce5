package dev.parlance.cli.offline;

import dev.parlance.cli.Json;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;

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

  private final VerdictTable.PairTallies tallies;
  private final CertificationParams perTerm;
  private final int[] pairsThatCertify;
  private final Map<Tally, Integer> needed = new HashMap<>();

  TableDecisions(
      VerdictTable.PairTallies tallies, CertificationParams params, Multiplicity multiplicity) {
    this.tallies = tallies;
    this.perTerm = multiplicity.perTerm(params, Math.max(1, tallies.terms().size()));
    this.pairsThatCertify = new int[tallies.terms().size()];
  }

  /** What each term is tested with. */
  CertificationParams perTerm() {
    return perTerm;
  }

  VerdictTable.PairTallies tallies() {
    return tallies;
  }

  /** Decides one pair; each is to be decided once. */
  Pair decide(VerdictTable.PairTallies.Pair pair) {
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

  /** The decisions over a table as one JSON document, written pair by pair. */
  static final class TableJson {
    private TableJson() {}

    /** Writes everything; {@code power} is empty where no true rate was asked about. */
    static void print(
        PrintStream out,
        TableDecisions decisions,
        CertificationParams asked,
        Multiplicity multiplicity,
        TestIntake intake,
        List<TableDecisions.PowerRow> power) {
      try (JsonGenerator json =
          Json.MAPPER
              .writerWithDefaultPrettyPrinter()
              .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
              .createGenerator(out)) {
        json.writeStartObject();
        json.writePOJOProperty("params", params(asked, multiplicity, decisions.perTerm()));
        json.writePOJOProperty("agents", decisions.tallies().agents());
        json.writeNumberProperty("tests", intake.table().size());
        json.writeArrayPropertyStart("pairs");
        for (VerdictTable.PairTallies.Pair pair : decisions.tallies().pairs()) {
          write(json, decisions.decide(pair));
        }
        json.writeEndArray();
        json.writePOJOProperty("core", decisions.coreOfAll());
        if (!power.isEmpty()) {
          json.writePOJOProperty("power", power);
        }
        json.writeNumberProperty("errorCount", intake.errorCount());
        json.writePOJOProperty("errors", intake.errors());
        json.writeNumberProperty("warningCount", intake.warningCount());
        json.writePOJOProperty("warnings", intake.warnings());
        json.writeEndObject();
      }
      out.println();
    }

    private static Map<String, Object> params(
        CertificationParams asked, Multiplicity multiplicity, CertificationParams perTerm) {
      Map<String, Object> params = new LinkedHashMap<>();
      params.put("tau", asked.tau());
      params.put("delta", asked.delta());
      params.put("rho_min", asked.rhoMin());
      params.put("bound", asked.bound().code());
      params.put("multiplicity", multiplicity.code());
      params.put("delta_per_term", perTerm.delta());
      return params;
    }

    private static void write(JsonGenerator json, TableDecisions.Pair pair) {
      json.writeStartObject();
      json.writePOJOProperty("agents", pair.agents());
      json.writeArrayPropertyStart("terms");
      for (TableDecisions.Term term : pair.terms()) {
        Tally tally = term.decision().tally();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("term", term.key());
        row.put("n_aud", tally.audited());
        row.put("k", tally.eligible());
        row.put("c", tally.contradictions());
        row.put("one_sided", term.oneSided());
        row.put("s", tally.coverage());
        row.put("u", term.decision().upper());
        row.put("certified", term.decision().isCertified());
        term.reason().map(RefusalReason::code).ifPresent(reason -> row.put("reason", reason));
        // absent: more than SampleSize.MAX, or never
        within(term.needed()).ifPresent(needed -> row.put("needed", needed));
        json.writePOJO(row);
      }
      json.writeEndArray();
      json.writePOJOProperty("core", pair.core());
      json.writeEndObject();
    }

    private static OptionalInt within(int comparisons) {
      return comparisons >= SampleSize.MAX ? OptionalInt.empty() : OptionalInt.of(comparisons);
    }
  }
}
