package dev.parlance.cli.offline;

import dev.parlance.cli.CsvRecords;
import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Witnessed tests from JSON Lines: objects with agent, event, term and verdict. */
final class JsonTests implements TestRow.Source {
  private final LineReader lines;
  private final TestFields fields = new TestFields();
  private long line;

  JsonTests(InputStream in) {
    this.lines = new LineReader(in, CsvRecords.RECORD_BYTES_MAX, () -> {});
  }

  @Override
  public TestRow next() throws IOException {
    line++;
    return switch (lines.next()) {
      case LineReader.Line.End _ -> new TestRow.End();
      case LineReader.Line.TooLong _ ->
          new TestRow.Fault(
              line,
              LineFault.LINE_TOO_LONG,
              "the line has more than " + CsvRecords.RECORD_BYTES_MAX + " bytes");
      case LineReader.Line.Whole(byte[] bytes) ->
          switch (InputLine.read(bytes)) {
            case InputLine.Malformed(JsonNode _, LineFault fault, String message) ->
                new TestRow.Fault(line, fault, message);
            case InputLine.Members(ObjectNode members) -> read(members);
          };
    };
  }

  private TestRow read(ObjectNode members) {
    List<String> values = new ArrayList<>();
    for (String name : TestFields.NAMES) {
      JsonNode value = members.path(name);
      if (!value.isString()) {
        return new TestRow.Fault(
            line,
            value.isMissingNode() ? LineFault.MISSING_FIELD : LineFault.BAD_TYPE,
            name + ": expected a string, got " + InputLine.kind(value));
      }
      values.add(value.stringValue());
    }
    return fields.read(line, values.get(0), values.get(1), values.get(2), values.get(3));
  }
}
