package dev.parlance.service.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class LogLineTest {
  private static final OffsetDateTime AT =
      OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 67_900_000, ZoneOffset.UTC);

  private static String text(String message, Map<String, String> values) {
    return new LogLine(AT, Level.INFO, "Sidecar", message, new TreeMap<>(values), Optional.empty())
        .text();
  }

  @Test
  void aLine_hasTimeLevelLoggerMessageAndSortedValues() {
    assertThat(text("ready", Map.of("node", "n", "admin", "1")))
        .isEqualTo("2026-01-02T03:04:05.067Z INFO  Sidecar ready {admin=1, node=n}\n");
    assertThat(text("ready", Map.of())).endsWith("Sidecar ready\n");
  }

  @Test
  void anOffset_isWritten() {
    OffsetDateTime there = AT.withOffsetSameLocal(ZoneOffset.ofHoursMinutes(-3, -30));
    LogLine line = new LogLine(there, Level.ERROR, "X", "m", new TreeMap<>(), Optional.empty());
    assertThat(line.text()).isEqualTo("2026-01-02T03:04:05.067-03:30 ERROR X m\n");
  }

  @Test
  void lineBreaks_areEscaped_soThatNobodyForgesALine() {
    assertThat(text("a\r\nb", Map.of("k\n", "v\rw")))
        .endsWith("a\\r\\nb {k\\n=v\\rw}\n")
        .hasLineCount(1);
  }

  @Test
  void aFailure_followsWithItsFirstLines() {
    LogLine line =
        new LogLine(
            AT,
            Level.WARN,
            "X",
            "m",
            new TreeMap<>(),
            Optional.of(new IllegalStateException("no", new RuntimeException("why"))));
    assertThat(line.text().lines().toList())
        .hasSize(1 + LogLine.TRACE_LINES)
        .element(1)
        .isEqualTo("java.lang.IllegalStateException: no");
  }

  @Test
  void asJson_aLineIsOneObject_whateverStandsInIt() {
    LogLine line =
        new LogLine(
            AT,
            Level.WARN,
            "X",
            "a \"b\"\n\u0001 \ud800",
            new TreeMap<>(Map.of("path", "C:\\x", "admin", "1")),
            Optional.of(new IllegalStateException("no")));
    assertThat(line.json())
        .startsWith(
            "{\"ts\":\"2026-01-02T03:04:05.067Z\",\"level\":\"WARN\",\"logger\":\"X\",\"message\":\"a"
                + " \\\"b\\\"\\n\\u0001"
                + " \\ud800\",\"fields\":{\"admin\":\"1\",\"path\":\"C:\\\\x\"},\"failure\":\"java.lang.IllegalStateException:"
                + " no\\n\\tat ")
        .endsWith("\"}\n")
        .hasLineCount(1);
  }

  @Test
  void levels_passFromTheThresholdUp() {
    assertThat(Threshold.of("INFO").passes(Level.INFO)).isTrue();
    assertThat(Threshold.of("info").passes(Level.DEBUG)).isFalse();
    assertThat(Threshold.of("off").passes(Level.ERROR)).isFalse();
    assertThat(Threshold.of("nonsense")).isEqualTo(Threshold.DEFAULT);
  }

  @Test
  void slf4j_findsThisBackend() {
    assertThat(LoggerFactory.getLogger("a.b.C")).isInstanceOf(LineLogger.class);
    assertThat(LoggerFactory.getLogger("a.b.C").isWarnEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("a.b.C").isDebugEnabled()).isFalse();
  }
}
