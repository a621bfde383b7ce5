package dev.parlance.cli.offline;

import dev.parlance.cli.CsvRecords;
import dev.parlance.cli.LineFault;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Witnessed tests from CSV. The first record names the columns, in any order and case; columns that
 * are not ours are passed over.
 */
final class CsvTests implements TestRow.Source {
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
  public TestRow next() throws IOException {
    return switch (records.next()) {
      case CsvRecords.Row.End _ -> new TestRow.End();
      case CsvRecords.Row.Fault(long line, LineFault fault, String message) ->
          new TestRow.Fault(line, fault, message);
      case CsvRecords.Row.Fields(long line, List<String> values) ->
          values.size() == width
              ? fields.read(
                  line,
                  values.get(columns[0]),
                  values.get(columns[1]),
                  values.get(columns[2]),
                  values.get(columns[3]))
              : new TestRow.Fault(
                  line,
                  LineFault.BAD_CSV,
                  "expected " + width + " fields as in the first row, got " + values.size());
    };
  }
}
