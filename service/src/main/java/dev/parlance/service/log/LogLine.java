package dev.parlance.service.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.event.Level;

/**
 * One event as text:
 *
 * <pre>{@code
 * 2026-11-22T13:35:51.377Z INFO  Sidecar ready {admin=39847, mode=enforce}
 * }</pre>
 *
 * Line breaks in message and values are escaped, so a line is a line. A failure follows as the
 * first {@value #TRACE_LINES} lines of its stack trace. For those who collect lines by machine
 * there is {@link #json}.
 *
 * @param at local time with its offset
 * @param level how grave
 * @param logger short name of the logger
 * @param message what happened
 * @param values further facts by name
 * @param failure why
 */
record LogLine(
    OffsetDateTime at,
    Level level,
    String logger,
    String message,
    SortedMap<String, String> values,
    Optional<Throwable> failure) {
  static final int TRACE_LINES = 8;
  private static final int NS_PER_MS = 1_000_000;
  private static final int LEVEL_WIDTH = 5;

  String text() {
    StringBuilder out = new StringBuilder(160);
    padded(out, at.getYear(), 4).append('-');
    padded(out, at.getMonthValue(), 2).append('-');
    padded(out, at.getDayOfMonth(), 2).append('T');
    padded(out, at.getHour(), 2).append(':');
    padded(out, at.getMinute(), 2).append(':');
    padded(out, at.getSecond(), 2).append('.');
    padded(out, at.getNano() / NS_PER_MS, 3);
    ZoneOffset offset = at.getOffset();
    out.append(offset.getId()).append(' ').append(level);
    out.repeat(' ', LEVEL_WIDTH - level.toString().length());
    out.append(' ').append(logger).append(' ');
    escaped(out, message);
    if (!values.isEmpty()) {
      out.append(" {");
      String separator = "";
      for (Map.Entry<String, String> value : values.entrySet()) {
        out.append(separator);
        escaped(out, value.getKey());
        out.append('=');
        escaped(out, value.getValue());
        separator = ", ";
      }
      out.append('}');
    }
    out.append('\n');
    failure.ifPresent(thrown -> trace(out, thrown));
    return out.toString();
  }

  /** The same as one JSON object on one line; a failure stands in it with the same lines. */
  String json() {
    StringBuilder out = new StringBuilder(256).append('{');
    member(out, "ts", at.toInstant().truncatedTo(ChronoUnit.MILLIS).toString()).append(',');
    member(out, "level", level.toString()).append(',');
    member(out, "logger", logger).append(',');
    member(out, "message", message).append(",\"fields\":{");
    String separator = "";
    for (Map.Entry<String, String> value : values.entrySet()) {
      member(out.append(separator), value.getKey(), value.getValue());
      separator = ",";
    }
    out.append('}');
    if (failure.isPresent()) {
      StringBuilder lines = new StringBuilder();
      trace(lines, failure.get());
      member(out.append(','), "failure", lines.toString().stripTrailing());
    }
    return out.append("}\n").toString();
  }

  private static StringBuilder member(StringBuilder out, String name, String value) {
    quoted(out, name).append(':');
    return quoted(out, value);
  }

  private static StringBuilder quoted(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      switch (at) {
        case '"', '\\' -> out.append('\\').append(at);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (at < ' ' || Character.isSurrogate(at)) {
            out.append("\\u").append(HexFormat.of().toHexDigits(at));
          } else {
            out.append(at);
          }
        }
      }
    }
    return out.append('"');
  }

  private static void trace(StringBuilder out, Throwable thrown) {
    StringWriter whole = new StringWriter();
    thrown.printStackTrace(new PrintWriter(whole));
    whole.toString().lines().limit(TRACE_LINES).forEach(line -> out.append(line).append('\n'));
  }

  private static StringBuilder padded(StringBuilder out, int value, int width) {
    String digits = Integer.toString(value);
    return out.repeat('0', Math.max(0, width - digits.length())).append(digits);
  }

  private static void escaped(StringBuilder out, String text) {
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      switch (at) {
        case '\r' -> out.append("\\r");
        case '\n' -> out.append("\\n");
        default -> out.append(at);
      }
    }
  }
}
