package dev.parlance.cli.review;

import dev.parlance.policy.route.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Every reason code in one table: those of verdicts ({@link Reason}), and those by which the
 * sidecar refuses a request or an answer before anybody judges it, or says why nobody could ({@code
 * refusals.txt}). {@code docs/reasons.md} is this table.
 */
public final class ReasonTable {
  /**
   * A code and what it stands for.
   *
   * @param group what it is about
   * @param fault who can change it
   * @param sentence what is the matter, without a full stop
   * @param remedy what helps, without a full stop
   */
  public record Row(String code, String group, String fault, String sentence, String remedy) {}

  private static final int FIELDS = 5;

  private ReasonTable() {}

  /** The rows by their codes: verdicts first, each part in the order of its source. */
  public static Map<String, Row> rows() {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (Reason reason : Reason.values()) {
      rows.put(
          reason.code(),
          new Row(
              reason.code(),
              reason.group().code(),
              reason.fault().code(),
              reason.sentence(),
              reason.remedy()));
    }
    refusals().forEach(rows::putIfAbsent);
    return rows;
  }

  /** Refusals and kinds of what is not judged. */
  static Map<String, Row> refusals() {
    Map<String, Row> rows = new LinkedHashMap<>();
    try (InputStream in = ReasonTable.class.getResourceAsStream("refusals.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        String[] parts = line.split("\\|", FIELDS);
        rows.put(parts[2], new Row(parts[2], parts[0], parts[1], parts[3], parts[4]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("refusals.txt in the jar cannot be read", e);
    }
    return rows;
  }
}
