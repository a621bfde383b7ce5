package dev.parlance.inject.manifest;

import java.util.ArrayList;
import java.util.List;

/** The difference of two texts, line by line, with three lines around each change. */
public final class UnifiedDiff {
  private static final int AROUND = 3;

  /** Beyond so many lines on both sides of the middle it is shown as removed and added whole. */
  private static final int MAX_TABLE = 16_000_000;

  private UnifiedDiff() {}

  private record Line(char mark, String text) {}

  /** The text of {@code diff -u}; empty if the two are equal. */
  public static String of(String fromName, String toName, String from, String to) {
    if (from.equals(to)) {
      return "";
    }
    List<Line> script = script(from.lines().toList(), to.lines().toList());
    StringBuilder out = new StringBuilder();
    out.append("--- ").append(fromName).append('\n');
    out.append("+++ ").append(toName).append('\n');
    int at = 0;
    while (at < script.size()) {
      int first = nextChange(script, at);
      if (first < 0) {
        break;
      }
      int last = first;
      for (int next = first;
          next >= 0 && next - last <= 2 * AROUND + 1;
          next = nextChange(script, next + 1)) {
        last = next;
      }
      int begin = Math.max(at, first - AROUND);
      int end = Math.min(script.size(), last + AROUND + 1);
      hunk(script, begin, end, out);
      at = end;
    }
    return out.toString();
  }

  private static int nextChange(List<Line> script, int from) {
    for (int i = from; i < script.size(); i++) {
      if (script.get(i).mark() != ' ') {
        return i;
      }
    }
    return -1;
  }

  private static void hunk(List<Line> script, int begin, int end, StringBuilder out) {
    int oldBefore = count(script, 0, begin, '+');
    int newBefore = count(script, 0, begin, '-');
    int oldLines = count(script, begin, end, '+');
    int newLines = count(script, begin, end, '-');
    out.append("@@ -").append(place(oldBefore, oldLines));
    out.append(" +").append(place(newBefore, newLines)).append(" @@\n");
    for (Line line : script.subList(begin, end)) {
      out.append(line.mark()).append(line.text()).append('\n');
    }
  }

  private static String place(int before, int lines) {
    return (lines == 0 ? before : before + 1) + "," + lines;
  }

  private static int count(List<Line> script, int begin, int end, char without) {
    int count = 0;
    for (Line line : script.subList(begin, end)) {
      count += line.mark() == without ? 0 : 1;
    }
    return count;
  }

  private static List<Line> script(List<String> from, List<String> to) {
    int same = 0;
    while (same < Math.min(from.size(), to.size()) && from.get(same).equals(to.get(same))) {
      same++;
    }
    int tail = 0;
    while (tail < Math.min(from.size(), to.size()) - same
        && from.get(from.size() - 1 - tail).equals(to.get(to.size() - 1 - tail))) {
      tail++;
    }
    List<Line> script = new ArrayList<>();
    from.subList(0, same).forEach(text -> script.add(new Line(' ', text)));
    middle(from.subList(same, from.size() - tail), to.subList(same, to.size() - tail), script);
    from.subList(from.size() - tail, from.size()).forEach(text -> script.add(new Line(' ', text)));
    return script;
  }

  /** Longest common lines by the usual table. */
  private static void middle(List<String> from, List<String> to, List<Line> script) {
    if ((long) (from.size() + 1) * (to.size() + 1) > MAX_TABLE) {
      from.forEach(text -> script.add(new Line('-', text)));
      to.forEach(text -> script.add(new Line('+', text)));
      return;
    }
    int[][] common = new int[from.size() + 1][to.size() + 1];
    for (int i = from.size() - 1; i >= 0; i--) {
      for (int j = to.size() - 1; j >= 0; j--) {
        common[i][j] =
            from.get(i).equals(to.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    int i = 0;
    int j = 0;
    while (i < from.size() || j < to.size()) {
      if (i < from.size() && j < to.size() && from.get(i).equals(to.get(j))) {
        script.add(new Line(' ', from.get(i)));
        i++;
        j++;
      } else if (j >= to.size() || (i < from.size() && common[i + 1][j] >= common[i][j + 1])) {
        script.add(new Line('-', from.get(i++)));
      } else {
        script.add(new Line('+', to.get(j++)));
      }
    }
  }
}
