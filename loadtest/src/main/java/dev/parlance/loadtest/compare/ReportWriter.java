package dev.parlance.loadtest.compare;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_ABSENT;

import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.compare.ComparePlan.Subject;
import dev.parlance.loadtest.compare.Report.Sample;
import dev.parlance.loadtest.compare.ReportTable.Range;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadResult;
import dev.parlance.loadtest.process.GuardCount;
import dev.parlance.loadtest.process.TargetLauncher.Launch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes a report for people, for pages and for programs. */
public record ReportWriter(Report report) {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .changeDefaultPropertyInclusion(use -> use.withValueInclusion(NON_ABSENT))
          .build();

  public String text() {
    StringBuilder out = new StringBuilder();
    report.facts().entries().forEach((k, v) -> out.append(k).append(": ").append(v).append('\n'));
    out.append(setup()).append("\n\n");
    tables().forEach(table -> out.append(table.text()).append('\n'));
    report.notes().forEach(note -> out.append(note).append('\n'));
    return out.toString();
  }

  public String markdown() {
    StringBuilder out = new StringBuilder();
    report
        .facts()
        .entries()
        .forEach((k, v) -> out.append("- ").append(k).append(": ").append(v).append('\n'));
    out.append("- setup: ").append(setup()).append("\n\n");
    tables().forEach(table -> out.append(table.markdown()).append('\n'));
    report.notes().forEach(note -> out.append("- ").append(note).append('\n'));
    return out.toString();
  }

  private String setup() {
    ComparePlan plan = report.plan();
    ComparePlan.Times times = plan.times();
    CorpusPlan corpus = plan.corpora().getFirst();
    return String.format(
        Locale.ROOT,
        "%d rounds of %s s each after %s s of warming up each target%s, %d different bodies in"
            + " rotation, requests of %s KB, %.0f %% ungrounded, core of %,d terms; cells are"
            + " median [min-max] over the rounds",
        times.rounds(),
        number(times.seconds()),
        number(times.warmupSeconds()),
        times.warmupRequests() == 0
            ? ""
            : String.format(
                Locale.ROOT, " and %,d requests of each sidecar", times.warmupRequests()),
        corpus.exchanges(),
        plan.corpora().stream()
            .map(each -> number(each.requestKb()))
            .distinct()
            .collect(Collectors.joining(" and ")),
        corpus.ungroundedShare() * 100,
        plan.coreTerms());
  }

  private List<ReportTable> tables() {
    List<ReportTable> tables = new ArrayList<>();
    if (!report.plan().goals().isEmpty()) {
      tables.add(goals());
    }
    for (Scenario scenario : report.plan().scenarios()) {
      List<Report.Row> rows = report.rows(scenario);
      if (!rows.isEmpty()) {
        tables.add(table(scenario, rows));
      }
    }
    return tables;
  }

  private ReportTable goals() {
    return new ReportTable(
        "goals",
        List.of("goal", "bound", "measured", "reached"),
        report.verdicts().stream()
            .map(verdict ->
                List.of(
                    verdict.goal().text(),
                    verdict.goal().bound().text(),
                    cell(verdict.measured(), 2),
                    verdict.measured().isEmpty()
                        ? "not measured"
                        : verdict.isReached() ? "yes" : "no"))
            .toList());
  }

  private ReportTable table(Scenario scenario, List<Report.Row> rows) {
    boolean open = scenario.pace() instanceof Pace.OpenLoop;
    List<String> headers = new ArrayList<>(List.of("target", "CPU us/req", "requests/s"));
    headers.addAll(open ? List.of("p50 us", "p99 us", "p99.9 us") : List.of("p50 us", "p99 us"));
    headers.addAll(List.of("proxy cores", "load cores", "other cores", "RSS MB"));
    headers.add(report.ratioLabel(scenario));
    headers.addAll(List.of("refused", "errors"));
    List<List<String>> cells = new ArrayList<>();
    for (Report.Row row : rows) {
      List<String> line = new ArrayList<>();
      line.add(row.subject().label());
      line.add(cell(row.cpuUsPerRequest(), 1));
      line.add(cell(row.requestsPerSecond(), 0));
      line.add(cell(row.p50Us(), 0));
      line.add(cell(row.p99Us(), 0));
      if (open) {
        line.add(cell(row.p999Us(), 0));
      }
      line.add(cell(row.proxyBusyCores().map(Range::median), 2));
      line.add(cell(row.loadBusyCores().map(Range::median), 2));
      line.add(cell(row.otherBusyCores().map(Range::median), 2));
      line.add(cell(row.residentMb().map(Range::max), 0));
      line.add(cell(row.ratio(), 2));
      line.add(Long.toString(row.refused()));
      line.add(Long.toString(row.errors()));
      cells.add(line);
    }
    return new ReportTable(scenario.label(), headers, cells);
  }

  private static String cell(Optional<?> value, int decimals) {
    String format = "%,." + decimals + "f";
    if (value.isEmpty()) {
      return "-";
    }
    return switch (value.get()) {
      case Range range when range.min() == range.max() -> one(format, range.median());
      case Range range ->
          one(format, range.median())
              + " ["
              + one(format, range.min())
              + "-"
              + one(format, range.max())
              + "]";
      case Object number -> one(format, (Double) number);
    };
  }

  private static String one(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /** Format {@code parlance-loadtest-2}: everything measured, phase by phase, and the summaries. */
  public String json() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("format", "parlance-loadtest-2");
    root.put("clean", report.isClean());
    root.put("goalsReached", report.reachesGoals());
    root.put("goals", report.verdicts().stream().map(ReportWriter::goal).toList());
    root.put("machine", report.facts().entries());
    root.put("plan", plan());
    root.put("targets", report.launches().stream().map(ReportWriter::target).toList());
    root.put("scenarios", report.plan().scenarios().stream().map(this::scenario).toList());
    root.put("samples", report.samples().stream().map(ReportWriter::sample).toList());
    root.put("notes", report.notes());
    return JSON.writeValueAsString(root);
  }

  private static Map<String, Object> goal(Report.Verdict verdict) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("goal", verdict.goal().text());
    out.put(
        switch (verdict.goal().bound().side()) {
          case AT_MOST -> "atMost";
          case AT_LEAST -> "atLeast";
        },
        verdict.goal().bound().value());
    putPresent(out, "measured", verdict.measured());
    out.put("reached", verdict.isReached());
    return out;
  }

  private Map<String, Object> plan() {
    ComparePlan plan = report.plan();
    ComparePlan.Times times = plan.times();
    CorpusPlan corpus = plan.corpora().getFirst();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("seconds", times.seconds());
    out.put("rounds", times.rounds());
    out.put("warmupSeconds", times.warmupSeconds());
    out.put("warmupRequests", times.warmupRequests());
    out.put("answerKb", plan.corpora().stream().map(CorpusPlan::answerKb).toList());
    out.put("requestKb", plan.corpora().stream().map(CorpusPlan::requestKb).toList());
    out.put("coreTerms", plan.coreTerms());
    out.put("distinctBodies", corpus.exchanges());
    out.put("ungroundedShare", corpus.ungroundedShare());
    out.put("seed", corpus.seed());
    return out;
  }

  private static Map<String, Object> target(Launch launch) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", launch.target().name());
    out.put("protocol", launch.target().protocol().code());
    switch (launch) {
      case Launch.Ready _ -> out.put("status", "measured");
      case Launch.Skipped skipped -> {
        out.put("status", "skipped");
        out.put("reason", skipped.reason());
      }
      case Launch.Failed failed -> {
        out.put("status", "failed");
        out.put("reason", failed.reason());
      }
    }
    return out;
  }

  private Map<String, Object> scenario(Scenario scenario) {
    Map<String, Object> out = describe(scenario);
    out.put("ratioOf", report.ratioLabel(scenario));
    out.put("targets", report.rows(scenario).stream().map(ReportWriter::row).toList());
    return out;
  }

  private static Map<String, Object> describe(Scenario scenario) {
    Map<String, Object> out = new LinkedHashMap<>();
    switch (scenario.pace()) {
      case Pace.OpenLoop open -> {
        out.put("loop", "open");
        out.put("ratePerSecond", open.ratePerSecond());
      }
      case Pace.ClosedLoop _ -> out.put("loop", "closed");
    }
    out.put("protocol", scenario.protocol().code());
    out.put("connections", scenario.connections());
    out.put("answerKb", scenario.answerKb());
    return out;
  }

  private static void putSubject(Map<String, Object> out, Subject subject) {
    out.put("target", subject.kind().name(subject.build()));
    if (subject.kind().readsEvidence()) {
      out.put("evidence", subject.evidence().code());
    }
  }

  private static void putGuarded(Map<String, Object> out, Subject subject, GuardCount guarded) {
    if (subject.kind().isGuarding()) {
      out.put("guardedMessages", guarded.messages());
      out.put("governedTerms", guarded.terms());
    }
  }

  private static Map<String, Object> row(Report.Row row) {
    Map<String, Object> out = new LinkedHashMap<>();
    putSubject(out, row.subject());
    out.putAll(JSON.convertValue(row, new TypeReference<Map<String, Object>>() {}));
    putGuarded(out, row.subject(), row.guarded());
    return out;
  }

  private static Map<String, Object> sample(Sample sample) {
    LoadResult result = sample.result();
    Map<String, Object> out = new LinkedHashMap<>();
    putSubject(out, sample.subject());
    out.put("round", sample.round());
    out.putAll(describe(sample.scenario()));
    out.putAll(result(result));
    putGuarded(out, sample.subject(), sample.guarded());
    putPresent(out, "residentKb", sample.residentKb());
    return out;
  }

  private static Map<String, Object> result(LoadResult result) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("requests", result.requests());
    out.put("outcomes", result.outcomes());
    out.put("warmupFaults", result.warmupFaults());
    out.put("unsolicited", result.unsolicited());
    out.put("judged", result.judged());
    out.put("windowSeconds", result.windowSeconds());
    out.put("completed", result.completed());
    out.put("requestsPerSecond", result.requestsPerSecond());
    out.put("latencyFromDueUs", result.latency());
    out.put("latencyFromSentUs", result.service());
    putPresent(out, "cpuUsPerRequest", result.proxyCpuUsPerRequest());
    putPresent(out, "proxyBusyCores", result.proxyBusyCores());
    putPresent(out, "loadBusyCores", result.loadBusyCores());
    putPresent(out, "otherBusyCores", result.otherBusyCores());
    return out;
  }

  private static void putPresent(Map<String, Object> out, String name, Object optional) {
    if (!List.of(Optional.empty(), OptionalDouble.empty(), OptionalLong.empty())
        .contains(optional)) {
      out.put(name, optional);
    }
  }
}
