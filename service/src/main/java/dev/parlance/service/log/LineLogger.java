package dev.parlance.service.log;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/** Writes what is grave enough to standard error, each event with one write. */
final class LineLogger extends AbstractLogger implements LoggingEventAware {
  private static final long serialVersionUID = 1L;
  private static final Object[] NONE = {};

  private final transient Threshold threshold;
  private final boolean json;
  private final String shortName;

  LineLogger(String name, Threshold threshold, boolean json) {
    this.name = name;
    this.threshold = threshold;
    this.json = json;
    this.shortName = name.substring(name.lastIndexOf('.') + 1);
  }

  @Override
  public void log(LoggingEvent event) {
    Object[] arguments = event.getArgumentArray();
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    Map<String, String> values = new HashMap<>();
    if (pairs != null) {
      pairs.forEach(pair -> values.put(pair.key, String.valueOf(pair.value)));
    }
    write(event.getLevel(), event.getMessage(), arguments, event.getThrowable(), values);
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    write(level, message, arguments, failure, Map.of());
  }

  private void write(
      Level level,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable Throwable failure,
      Map<String, String> values) {
    String text =
        MessageFormatter.basicArrayFormat(
            message == null ? "null" : message, arguments == null ? NONE : arguments);
    LogLine line =
        new LogLine(
            OffsetDateTime.ofInstant(Instant.now(), ZoneId.systemDefault()),
            level,
            shortName,
            text,
            new TreeMap<>(values),
            Optional.ofNullable(failure));
    byte[] bytes = (json ? line.json() : line.text()).getBytes(StandardCharsets.UTF_8);
    // the stream of this moment; the launcher's tests put another one there
    PrintStream out = System.err;
    synchronized (LineLogger.class) {
      out.write(bytes, 0, bytes.length);
      out.flush();
    }
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  private boolean passes(Level level) {
    return threshold.passes(level);
  }

  @Override
  public boolean isTraceEnabled() {
    return passes(Level.TRACE);
  }

  @Override
  public boolean isTraceEnabled(Marker marker) {
    return passes(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return passes(Level.DEBUG);
  }

  @Override
  public boolean isDebugEnabled(Marker marker) {
    return passes(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return passes(Level.INFO);
  }

  @Override
  public boolean isInfoEnabled(Marker marker) {
    return passes(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return passes(Level.WARN);
  }

  @Override
  public boolean isWarnEnabled(Marker marker) {
    return passes(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return passes(Level.ERROR);
  }

  @Override
  public boolean isErrorEnabled(Marker marker) {
    return passes(Level.ERROR);
  }
}
