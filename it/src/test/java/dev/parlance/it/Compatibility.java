package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The page on compatibility. A row says of the scenarios of one suite how many end through sidecars
 * as they end without, observing and enforcing; the test that runs the suite holds the row to what
 * it has seen. With {@code -Dregenerate=true} it writes the row instead.
 */
final class Compatibility {
  static final String OBSERVE = "observe";
  static final String ENFORCE = "enforce";

  private static final Path PAGE = Path.of("..", "docs", "compatibility.md");

  /** The cells of a row, before its reason; the line begins with a bar. */
  private static final int SCENARIOS = 2;

  private static final int OBSERVED = 3;
  private static final int ENFORCED = 4;

  private Compatibility() {}

  /**
   * Holds one figure of a row to what was seen.
   *
   * @param suite first cell of the row
   * @param scenarios how many there are
   * @param equal how many of them end as without sidecars
   */
  static void row(String suite, String mode, int scenarios, long equal) throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    int at = 0;
    while (at < lines.size() && !lines.get(at).startsWith("| " + suite + " |")) {
      at++;
    }
    assertThat(at).as("a row of '%s'", suite).isLessThan(lines.size());
    String[] cells = lines.get(at).split("\\|");
    cells[SCENARIOS] = " " + scenarios + " ";
    cells[mode.equals(OBSERVE) ? OBSERVED : ENFORCED] = " " + equal + " ";
    String row = String.join("|", Arrays.asList(cells)) + "|";
    if (Boolean.getBoolean("regenerate")) {
      lines.set(at, row);
      Files.write(PAGE, lines);
    } else {
      assertThat(lines.get(at)).as("in %s", mode).isEqualTo(row);
    }
  }
}
