package dev.parlance.cli.core;

import dev.parlance.cli.CsvRecords;
import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineReader;
import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.Plan;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The pool of events of a plan, from the plan's file or from one of its own. */
final class PlanEvents {
  /** Most events in a pool. */
  static final int EVENTS_MAX = 1_000_000;

  /** Longest text of an event, in UTF-8 bytes. */
  static final int TEXT_BYTES_MAX = 8 << 10;

  private final PlanFile.PlanProblems problems;
  private final Plan.Builder plan;
  private final Map<String, String> places = new HashMap<>();

  PlanEvents(PlanFile.PlanProblems problems, Plan.Builder plan) {
    this.problems = problems;
    this.plan = plan;
  }

  /** Events that stand in the plan itself. */
  void inline(JsonNode events) {
    if (events.isMissingNode()) {
      return;
    }
    if (!events.isArray()) {
      problems.add("/events", "expected an array, got " + InputLine.kind(events));
      return;
    }
    for (int i = 0; i < events.size(); i++) {
      read(events.get(i), "/events/" + i);
    }
  }

  /** Events of a file: CSV with a header, or JSON Lines if its name ends so. */
  void file(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      problems.add("/eventsFile", "cannot read " + file + "; expected CSV or JSON Lines");
      return;
    }
    String name = file.toString().toLowerCase(Locale.ROOT);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
        jsonLines(in, file.getFileName() + ":");
      } else {
        csv(in, file.getFileName() + ":");
      }
    }
  }

  private void jsonLines(InputStream in, String where) throws IOException {
    var lines = new LineReader(in, CsvRecords.RECORD_BYTES_MAX, () -> {});
    long number = 0;
    while (true) {
      number++;
      switch (lines.next()) {
        case LineReader.Line.End _ -> {
          return;
        }
        case LineReader.Line.TooLong _ -> problems.add(where + number, "the line is too long");
        case LineReader.Line.Whole(byte[] line) -> {
          switch (InputLine.read(line)) {
            case InputLine.Malformed malformed -> problems.add(where + number, malformed.message());
            case InputLine.Members(ObjectNode members) -> read(members, where + number);
          }
        }
      }
    }
  }

  private void read(JsonNode event, String where) {
    if (!(event instanceof ObjectNode members)) {
      problems.add(where, "expected an object with pei and text, got " + InputLine.kind(event));
      return;
    }
    problems.onlyMembers(members, where, Set.of("pei", "text"));
    add(problems.text(members, where, "pei"), problems.text(members, where, "text"), where);
  }

  private void csv(InputStream in, String where) throws IOException {
    var records = new CsvRecords(in);
    int pei = -1;
    int text = -1;
    int width = 0;
    while (true) {
      switch (records.next()) {
        case CsvRecords.Row.End _ -> {
          if (width == 0) {
            problems.add(where, "expected a first row that names the columns pei and text");
          }
          return;
        }
        case CsvRecords.Row.Fault fault -> problems.add(where + fault.line(), fault.message());
        case CsvRecords.Row.Fields(long line, List<String> values) -> {
          if (width == 0) {
            width = values.size();
            List<String> names =
                values.stream().map(name -> name.strip().toLowerCase(Locale.ROOT)).toList();
            pei = names.indexOf("pei");
            text = names.indexOf("text");
            if (pei < 0 || text < 0) {
              problems.add(where + line, "expected the columns pei and text in the first row");
              return;
            }
          } else if (values.size() != width) {
            problems.add(
                where + line,
                "expected " + width + " fields as in the first row, got " + values.size());
          } else {
            add(values.get(pei), values.get(text), where + line);
          }
        }
      }
    }
  }

  private void add(String pei, String text, String where) {
    if (!Names.isName(pei)) {
      problems.add(where, "pei: expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}");
      return;
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (text.isBlank() || bytes > TEXT_BYTES_MAX) {
      problems.add(where, "text: expected 1 to " + TEXT_BYTES_MAX + " bytes of text, got " + bytes);
      return;
    }
    String first = places.putIfAbsent(pei, where);
    if (first != null) {
      problems.add(where, "pei " + pei + " stands in " + first + " already");
    } else if (plan.getEventsCount() == EVENTS_MAX) {
      problems.add(where, "expected at most " + EVENTS_MAX + " events");
    } else {
      plan.addEvents(AuditEvent.newBuilder().setPei(pei).setText(text));
    }
  }
}
