package dev.parlance.cli.offline;

import dev.parlance.cli.Json;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.SampleSize;
import dev.parlance.policy.core.Tally;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;

/** The decisions over a table as one JSON document, written pair by pair. */
final class TableJson {
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
      for (PairTallies.Pair pair : decisions.tallies().pairs()) {
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
