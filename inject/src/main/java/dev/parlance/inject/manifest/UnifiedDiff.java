package dev.parlance.inject.manifest;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import java.util.List;

/** The difference of two texts, line by line, with three lines around each change. */
public final class UnifiedDiff {
  private static final int AROUND = 3;

  private UnifiedDiff() {}

  /** The text of {@code diff -u}; empty if the two are equal. */
  public static String of(String fromName, String toName, String from, String to) {
    List<String> before = from.lines().toList();
    List<String> lines =
        UnifiedDiffUtils.generateUnifiedDiff(
            fromName, toName, before, DiffUtils.diff(before, to.lines().toList()), AROUND);
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }
}
