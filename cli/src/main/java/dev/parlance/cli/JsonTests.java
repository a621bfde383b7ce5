package dev.parlance.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Witnessed tests from JSON Lines: objects with agent, event, term and verdict. */
final class JsonTests implements TestRow.Source {
  private final BoundedLines lines;
  private final TestFields fields = new TestFields();
  private long line;

  JsonTests(InputStream in) {
    this.lines = new BoundedLines(in, CsvRecords.RECORD_BYTES_MAX, () -> {});
  }

  @Override
  public TestRow next() throws IOException {
    line++;
    return switch (lines.next()) {
      case BoundedLines.Line.End _ -> new TestRow.End();
      case BoundedLines.Line.TooLong _ ->
          new TestRow.Fault(
              line,
              LineFault.LINE_TOO_LONG,
              "the line has more than " + CsvRecords.RECORD_BYTES_MAX + " bytes");
      case BoundedLines.Line.Whole(byte[] bytes) ->
          switch (JsonLine.read(bytes)) {
            case JsonLine.Malformed(JsonNode _, LineFault fault, String message) ->
                new TestRow.Fault(line, fault, message);
            case JsonLine.Members(ObjectNode members) -> read(members);
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
            name + ": expected a string, got " + JsonLine.kind(value));
      }
      values.add(value.stringValue());
    }
    return fields.read(line, values.get(0), values.get(1), values.get(2), values.get(3));
  }
}
