package dev.parlance.demo;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parlance.demo.api.AuditResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of the second act, named as in the report.
 *
 * @param audits the audits in order
 * @param orders the orders in order
 * @param disagreement how often the agents disagree, moment by moment
 * @param ledger what the recomputation of the ledger says
 * @param tookMs the whole act, without the start of the processes
 * @param differences what was not as expected, in words
 */
record SecondActReport(
    List<Audited> audits,
    List<Order.Outcome> orders,
    List<Phase> disagreement,
    Recomputed ledger,
    long tookMs,
    List<String> differences) {
  SecondActReport {
    audits = List.copyOf(audits);
    orders = List.copyOf(orders);
    disagreement = List.copyOf(disagreement);
    differences = List.copyOf(differences);
  }

  /**
   * An audit and how fast its core came into force.
   *
   * @param audit as the control plane reports it
   * @param tookMs from its start to its end
   * @param enforcedAfterMs by agent: from the core's issue until the sidecar beside it held
   *     messages against it
   */
  @JsonPropertyOrder({"id", "kind", "questions", "answered", "tookMs", "coreVersion"})
  record Audited(
      @JsonUnwrapped @JsonIgnoreProperties("unanswered") AuditResult audit,
      long tookMs,
      Map<String, Long> enforcedAfterMs) {
    Audited {
      enforcedAfterMs = Map.copyOf(enforcedAfterMs);
    }

    private List<AuditResult.Term> terms() {
      return audit.terms();
    }

    /** The terms in the core, as far as this audit decided about them. */
    List<String> certified() {
      return terms().stream().filter(AuditResult.Term::inCore).map(AuditResult.Term::term).toList();
    }

    /** What was decided about a term. */
    String outcome(String term) {
      return terms().stream()
          .filter(result -> result.term().equals(term))
          .map(AuditResult.Term::outcome)
          .findFirst()
          .orElse("not decided");
    }
  }

  /**
   * A moment of the act.
   *
   * @param phase what has just happened
   * @param coreTerms how many terms the core has
   * @param all over the whole vocabulary
   * @param core over the core's terms
   */
  record Phase(
      String phase,
      int coreTerms,
      @JsonUnwrapped(prefix = "all") Survey.Disagreement all,
      @JsonUnwrapped(prefix = "core") Survey.Disagreement core) {}

  /**
   * The recomputation of the ledger.
   *
   * @param sound true if the tree and every decision hold
   * @param entries entries of the ledger
   * @param decisions decisions recomputed from the entries alone
   * @param cores cores recomputed
   */
  record Recomputed(boolean sound, long entries, long decisions, long cores) {}

  /**
   * What both agents say of every term on the held-out events at one moment.
   *
   * @param scholar A's words by event and term
   * @param officer B's words by event and term
   */
  record Survey(Map<Said, String> scholar, Map<Said, String> officer) {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Of which term on which event something is said. */
    record Said(String pei, String term) {}

    /**
     * Comparisons of some terms.
     *
     * @param comparisons events on which both say yes or no, over all terms
     * @param contradictions those on which they say the opposite
     */
    record Disagreement(
        @JsonProperty("Comparisons") int comparisons,
        @JsonProperty("Contradictions") int contradictions) {}

    Survey {
      scholar = Map.copyOf(scholar);
      officer = Map.copyOf(officer);
    }

    /** Asks both agents through their standard input; each answers into a file. */
    static Survey of(AgentPairs.Pair pair, String name, Path workDir)
        throws IOException, InterruptedException {
      Path scholar = workDir.resolve("survey-" + name + "-scholar.tsv");
      Path officer = workDir.resolve("survey-" + name + "-officer.tsv");
      pair.scholar().child().tell(List.of("survey=" + scholar));
      pair.officer().child().tell(List.of("survey=" + officer));
      return new Survey(
          read(pair.scholar().child(), scholar), read(pair.officer().child(), officer));
    }

    private static Map<Said, String> read(DemoProcess child, Path file)
        throws IOException, InterruptedException {
      String lines = child.await(file, LIMIT);
      Map<Said, String> said = new HashMap<>();
      for (String line : lines.lines().toList()) {
        String[] fields = line.split("\t", -1);
        if (fields.length != 3) {
          throw new IOException(file + " has a line without three fields: " + line);
        }
        said.put(new Said(fields[0], fields[1]), fields[2]);
      }
      Files.delete(file);
      return said;
    }

    /** How often the agents contradict each other over these terms. */
    Disagreement over(Collection<String> terms) {
      int comparisons = 0;
      int contradictions = 0;
      for (Map.Entry<Said, String> entry : scholar.entrySet()) {
        String a = entry.getValue();
        String b = officer.getOrDefault(entry.getKey(), "neutral");
        if (terms.contains(entry.getKey().term()) && !a.equals("neutral") && !b.equals("neutral")) {
          comparisons++;
          contradictions += a.equals(b) ? 0 : 1;
        }
      }
      return new Disagreement(comparisons, contradictions);
    }
  }
}
