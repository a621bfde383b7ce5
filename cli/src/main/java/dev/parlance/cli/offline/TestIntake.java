package dev.parlance.cli.offline;

import dev.parlance.cli.LineFault;
import dev.parlance.cli.Terminal;
import dev.parlance.policy.core.WitnessedTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads a whole table of witnessed tests and keeps count of what was wrong with it. */
final class TestIntake {
  /** Problems of each kind that are kept; the others are only counted. */
  static final int PROBLEMS_KEPT_MAX = 1_000;

  /**
   * Something about one line.
   *
   * @param code stable code
   */
  record Problem(long line, String code, String message) {}

  private final VerdictTable table = new VerdictTable();
  private final List<Problem> errors = new ArrayList<>();
  private final List<Problem> warnings = new ArrayList<>();
  private long errorCount;
  private long warningCount;

  /** Reads to the end, or until the table is full: then the reason. */
  Optional<Problem> read(TestRow.Source source, Terminal.ProgressLine progress) throws IOException {
    while (true) {
      switch (source.next()) {
        case TestRow.End _ -> {
          return Optional.empty();
        }
        case TestRow.Fault(long line, LineFault fault, String message) ->
            error(new Problem(line, fault.code(), message));
        case TestRow.Test(long line, WitnessedTest test) -> {
          Optional<Problem> full = add(line, test);
          if (full.isPresent()) {
            return full;
          }
        }
      }
      if (progress.isDue()) {
        progress.show(String.format(Locale.ROOT, "%,d tests read", table.size()));
      }
    }
  }

  private Optional<Problem> add(long line, WitnessedTest test) {
    switch (table.add(test, line)) {
      case VerdictTable.Added.New _ -> {}
      case VerdictTable.Added.Repeated(long firstLine) -> {
        warningCount++;
        if (warnings.size() < PROBLEMS_KEPT_MAX) {
          warnings.add(
              new Problem(
                  line,
                  "repeated_test",
                  named(test) + " stands in line " + firstLine + " already; counted once"));
        }
      }
      case VerdictTable.Added.Conflicting(long firstLine, var first) ->
          error(
              new Problem(
                  line,
                  LineFault.CONFLICTING_VERDICT.code(),
                  "%s: %s in line %s, but %s in line %s; the first one counts"
                      .formatted(
                          named(test), test.verdict().code(), line, first.code(), firstLine)));
      case VerdictTable.Added.Full(String message) -> {
        return Optional.of(new Problem(line, LineFault.TABLE_LIMIT.code(), message));
      }
    }
    return Optional.empty();
  }

  private static String named(WitnessedTest test) {
    return test.agent() + ", " + test.event() + ", " + test.term();
  }

  private void error(Problem problem) {
    errorCount++;
    if (errors.size() < PROBLEMS_KEPT_MAX) {
      errors.add(problem);
    }
  }

  VerdictTable table() {
    return table;
  }

  /** Lines that did not count, the first ones. */
  List<Problem> errors() {
    return List.copyOf(errors);
  }

  long errorCount() {
    return errorCount;
  }

  /** Lines that were repeated, the first ones. */
  List<Problem> warnings() {
    return List.copyOf(warnings);
  }

  long warningCount() {
    return warningCount;
  }

  /** What comes next in a table of witnessed tests. Lines are counted from 1. */
  sealed interface TestRow {
    /** A test. */
    record Test(long line, WitnessedTest test) implements TestRow {}

    /**
     * A row that is none.
     *
     * @param fault the stable code
     * @param message bad value and what was expected
     */
    record Fault(long line, LineFault fault, String message) implements TestRow {}

    /** The table is over. */
    record End() implements TestRow {}

    /** Reads a table row by row, in constant memory apart from the vocabulary. */
    @FunctionalInterface
    interface Source {
      TestRow next() throws IOException;
    }
  }
}
