package dev.parlance.cli.offline;

import dev.parlance.cli.CsvRecords;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineReader;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermKey;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.core.WitnessedTest;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code certify --table}: a whole table of witnessed tests at once. */
record CertifyTable(
    Terminal terminal,
    CertificationParams params,
    Multiplicity multiplicity,
    Optional<Double> trueRate,
    OutputOption.OutputFormat output) {
  /** How a table is written. */
  enum Format {
    /** RFC 4180 with a header row. */
    CSV,
    /** One object a line. */
    JSONL
  }

  private static final int PROBLEMS_SHOWN_MAX = 20;

  /** Exit status 1 if any line did not count; {@code -} is standard input. */
  int run(String name, Optional<Format> format) throws IOException {
    if (name.equals("-")) {
      return run("standard input", terminal.in(), format);
    }
    if (!Files.isReadable(Path.of(name))) {
      return terminal.usage(
          "certify: cannot read " + name + "; expected a table of witnessed tests");
    }
    try (InputStream in = Files.newInputStream(Path.of(name))) {
      return run(name, in, format.or(() -> byName(name)));
    }
  }

  private int run(String name, InputStream raw, Optional<Format> format) throws IOException {
    var in = new BufferedInputStream(raw, 1 << 16);
    Format written = format.isPresent() ? format.get() : byFirstByte(in);
    TestIntake.TestRow.Source source = new JsonTests(in);
    if (written == Format.CSV) {
      var csv = new CsvTests(in);
      Optional<String> problem = csv.header();
      if (problem.isPresent()) {
        return terminal.fail("certify: " + name + ": " + problem.get());
      }
      source = csv;
    }
    var intake = new TestIntake();
    Optional<TestIntake.Problem> full;
    try (var progress = new Terminal.ProgressLine(terminal)) {
      full = intake.read(source, progress);
    }
    VerdictTable.PairTallies tallies = intake.table().tallies();
    if (full.isPresent()) {
      return complain(name, full.get());
    }
    if (tallies.cells() > VerdictTable.PairTallies.CELLS_MAX) {
      return terminal.fail(
          "certify: %s agents and %s terms are %s decisions; expected at most %s, "
              + "split the table",
          tallies.agents().size(),
          tallies.terms().size(),
          tallies.cells(),
          VerdictTable.PairTallies.CELLS_MAX);
    }
    if (tallies.agents().size() < 2) {
      sayProblems(name, intake);
      return terminal.fail(
          "certify: expected tests of two or more agents in %s, got %s",
          name, tallies.agents().size());
    }
    var decisions = new TableDecisions(tallies, params, multiplicity);
    List<TableDecisions.PowerRow> power =
        trueRate.isPresent()
            ? TableDecisions.PowerRow.of(trueRate.get(), decisions.perTerm())
            : List.of();
    switch (output) {
      case TEXT -> {
        new TableText(terminal).print(decisions);
        TableDecisions.PowerRow.print(terminal.out(), power);
        sayProblems(name, intake);
      }
      case JSON ->
          TableDecisions.TableJson.print(
              terminal.out(), decisions, params, multiplicity, intake, power);
    }
    return intake.errorCount() == 0 ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private static Optional<Format> byName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".csv")
        ? Optional.of(Format.CSV)
        : lower.endsWith(".jsonl") || lower.endsWith(".ndjson")
            ? Optional.of(Format.JSONL)
            : Optional.empty();
  }

  /** An object can be no header row. */
  private static Format byFirstByte(BufferedInputStream in) throws IOException {
    in.mark(1);
    int first = in.read();
    in.reset();
    return first == '{' ? Format.JSONL : Format.CSV;
  }

  private void sayProblems(String name, TestIntake intake) {
    intake.warnings().stream()
        .limit(PROBLEMS_SHOWN_MAX)
        .forEach(problem -> complain(name, problem));
    sayMore(intake.warningCount(), "repeated tests");
    intake.errors().stream().limit(PROBLEMS_SHOWN_MAX).forEach(problem -> complain(name, problem));
    sayMore(intake.errorCount(), "lines that did not count");
  }

  private void sayMore(long count, String what) {
    if (count > PROBLEMS_SHOWN_MAX) {
      terminal.fail(
          "certify: %s %s in all; -o json names %s", count, what, TestIntake.PROBLEMS_KEPT_MAX);
    }
  }

  private int complain(String name, TestIntake.Problem problem) {
    return terminal.fail(
        "certify: %s:%s: %s: %s", name, problem.line(), problem.code(), problem.message());
  }

  /**
   * Witnessed tests from CSV. The first record names the columns, in any order and case; columns
   * that are not ours are passed over.
   */
  static final class CsvTests implements TestIntake.TestRow.Source {
    private final CsvRecords records;
    private final TestFields fields = new TestFields();
    private final int[] columns = new int[TestFields.NAMES.size()];
    private int width;

    CsvTests(InputStream in) {
      this.records = new CsvRecords(in);
    }

    /** Reads the header; what is wrong with it, if anything. Call once, before the first row. */
    Optional<String> header() throws IOException {
      String expected = "expected a first row that names the columns agent,event,term,verdict";
      return switch (records.next()) {
        case CsvRecords.Row.End _ -> Optional.of(expected + ", got an empty table");
        case CsvRecords.Row.Fault fault ->
            Optional.of("line " + fault.line() + ": " + fault.message() + "; " + expected);
        case CsvRecords.Row.Fields(long _, List<String> names) -> {
          List<String> lower =
              names.stream().map(name -> name.strip().toLowerCase(Locale.ROOT)).toList();
          width = names.size();
          Optional<String> problem = Optional.empty();
          for (int i = 0; i < columns.length; i++) {
            String name = TestFields.NAMES.get(i);
            columns[i] = lower.indexOf(name);
            if (problem.isEmpty() && columns[i] < 0) {
              problem = Optional.of(expected + "; there is no column " + name);
            } else if (problem.isEmpty() && lower.lastIndexOf(name) != columns[i]) {
              problem = Optional.of(expected + "; the column " + name + " stands there twice");
            }
          }
          yield problem;
        }
      };
    }

    @Override
    public TestIntake.TestRow next() throws IOException {
      return switch (records.next()) {
        case CsvRecords.Row.End _ -> new TestIntake.TestRow.End();
        case CsvRecords.Row.Fault(long line, LineFault fault, String message) ->
            new TestIntake.TestRow.Fault(line, fault, message);
        case CsvRecords.Row.Fields(long line, List<String> values) ->
            values.size() == width
                ? fields.read(
                    line,
                    values.get(columns[0]),
                    values.get(columns[1]),
                    values.get(columns[2]),
                    values.get(columns[3]))
                : new TestIntake.TestRow.Fault(
                    line,
                    LineFault.BAD_CSV,
                    "expected " + width + " fields as in the first row, got " + values.size());
      };
    }
  }

  /** Witnessed tests from JSON Lines: objects with agent, event, term and verdict. */
  static final class JsonTests implements TestIntake.TestRow.Source {
    private final LineReader lines;
    private final TestFields fields = new TestFields();
    private long line;

    JsonTests(InputStream in) {
      this.lines = new LineReader(in, CsvRecords.RECORD_BYTES_MAX, () -> {});
    }

    @Override
    public TestIntake.TestRow next() throws IOException {
      line++;
      return switch (lines.next()) {
        case LineReader.Line.End _ -> new TestIntake.TestRow.End();
        case LineReader.Line.TooLong _ ->
            new TestIntake.TestRow.Fault(
                line,
                LineFault.LINE_TOO_LONG,
                "the line has more than " + CsvRecords.RECORD_BYTES_MAX + " bytes");
        case LineReader.Line.Whole(byte[] bytes) ->
            switch (InputLine.read(bytes)) {
              case InputLine.Malformed(JsonNode _, LineFault fault, String message) ->
                  new TestIntake.TestRow.Fault(line, fault, message);
              case InputLine.Members(ObjectNode members) -> read(members);
            };
      };
    }

    private TestIntake.TestRow read(ObjectNode members) {
      List<String> values = new ArrayList<>();
      try {
        for (String name : TestFields.NAMES) {
          values.add(
              InputLine.expect(members.path(name), JsonNode::isString, name, "a string")
                  .stringValue());
        }
      } catch (LineFault.Problem problem) {
        return new TestIntake.TestRow.Fault(line, problem.fault(), problem.getMessage());
      }
      return fields.read(line, values.get(0), values.get(1), values.get(2), values.get(3));
    }
  }

  /**
   * From the four texts of a row to a witnessed test. Terms are compared by their tokens, so
   * "Derivative-Work" and "derivative work" are one.
   */
  static final class TestFields {
    /** The columns of a table, and the members of its JSON form. */
    static final List<String> NAMES = List.of("agent", "event", "term", "verdict");

    private static final int CACHED_TERMS_MAX = 200_000;
    private static final int SHOWN_CHARACTERS = 60;

    /** Tokenising is the costly part, and a vocabulary is small beside its tests. */
    private final Map<String, Optional<String>> keys = new HashMap<>();

    TestIntake.TestRow read(long line, String agent, String event, String term, String verdict) {
      for (String id : List.of(agent, event)) {
        if (!Names.isName(id)) {
          return bad(
              line,
              "%s: expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}, got %s"
                  .formatted(id.equals(agent) ? "agent" : "event", shown(id)));
        }
      }
      Optional<String> key = key(term);
      if (key.isEmpty()) {
        return bad(
            line, "term: expected 1 to " + TermKey.MAX_TOKENS + " words, got " + shown(term));
      }
      Optional<TermVerdict> said = verdict(verdict);
      if (said.isEmpty()) {
        return bad(line, "verdict: expected assent, neutral or dissent, got " + shown(verdict));
      }
      return new TestIntake.TestRow.Test(
          line, new WitnessedTest(agent, event, key.get(), said.get()));
    }

    private Optional<String> key(String term) {
      Optional<String> known = keys.get(term);
      if (known == null) {
        known = TermKey.of(term);
        if (keys.size() < CACHED_TERMS_MAX) {
          keys.put(term, known);
        }
      }
      return known;
    }

    /** A code or its letter, in either case. */
    private static Optional<TermVerdict> verdict(String text) {
      return text.length() == 1
          ? TermVerdict.ofLetter(text.toUpperCase(Locale.ROOT).charAt(0))
          : TermVerdict.ofCode(text.toLowerCase(Locale.ROOT));
    }

    private static TestIntake.TestRow bad(long line, String message) {
      return new TestIntake.TestRow.Fault(line, LineFault.BAD_VALUE, message);
    }

    private static String shown(String text) {
      return text.isEmpty()
          ? "nothing"
          : '"' + TerminalEscaper.shortened(text, SHOWN_CHARACTERS) + '"';
    }
  }
}
