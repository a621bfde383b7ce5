package dev.parlance.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.TermResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Parts of the report of the second act. */
final class SecondActReport {
  private SecondActReport() {}

  /**
   * An audit and how fast its core came into force.
   *
   * @param audit as the control plane reports it
   * @param tookMs from its start to its end
   * @param enforcedAfterMs by agent: from the core's issue until the sidecar beside it held
   *     messages against it
   */
  record Audited(Audit audit, long tookMs, Map<String, Long> enforcedAfterMs) {
    Audited {
      enforcedAfterMs = Collections.unmodifiableMap(enforcedAfterMs);
    }

    /** The terms of which this was decided. */
    String named(String outcome) {
      String terms =
          terms().stream()
              .filter(term -> term.getOutcome().equals(outcome))
              .map(TermResult::getTerm)
              .collect(Collectors.joining(", "));
      return terms.isEmpty() ? "none" : terms;
    }

    /** What was decided, term by term. */
    List<TermResult> terms() {
      return audit.getResultsList();
    }

    Map<String, Object> toMap() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("id", audit.getId());
      members.put("kind", audit.getKind().name());
      members.put("questions", audit.getQuestions());
      members.put("answered", audit.getAnswered());
      members.put("tookMs", tookMs);
      members.put("coreVersion", audit.getCoreVersion());
      members.put("terms", terms());
      members.put("enforcedAfterMs", enforcedAfterMs);
      return members;
    }

    /** The terms in the core, as far as this audit decided about them. */
    List<String> certified() {
      return terms().stream()
          .filter(term -> Operator.inCore(term.getOutcome()))
          .map(TermResult::getTerm)
          .toList();
    }

    /** What was decided about a term. */
    String outcome(String term) {
      return terms().stream()
          .filter(result -> result.getTerm().equals(term))
          .map(TermResult::getOutcome)
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
