package dev.parlance.control.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How values stand in columns where they cannot stand as they are. */
final class Columns {
  private static final byte[] NONE = {};

  private Columns() {}

  /** A list as text, one element a line. */
  static String lines(List<String> elements) {
    for (String element : elements) {
      if (element.isEmpty() || element.indexOf('\n') >= 0) {
        throw new IllegalArgumentException(
            "expected texts of one line, not empty, got \"" + element + "\"");
      }
    }
    return String.join("\n", elements);
  }

  /** The list that {@link #lines} made the text from. */
  static List<String> list(String lines) {
    return lines.isEmpty() ? List.of() : List.of(lines.split("\n", -1));
  }

  /** Bytes of a column that is never NULL; SQLite's driver gives none of them as null. */
  static byte[] bytes(ResultSet row, String column) throws SQLException {
    byte @Nullable [] bytes = row.getBytes(column);
    return bytes == null ? NONE : bytes;
  }
}
