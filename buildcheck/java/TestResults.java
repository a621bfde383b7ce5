import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * What came of one class of tests: a line of {@link TestWorker} for each test, and what it cost.
 */
final class TestResults {
  final String module;
  final String type;
  final List<String[]> lines = new ArrayList<>();
  private final long startNs = System.nanoTime();
  private String current = "";
  private long elapsedNs;
  private Cost cost = Cost.NONE;

  /**
   * Processor time since a process began.
   *
   * @param ownMs of its own threads
   * @param childrenMs of the processes that it started and that have ended
   */
  record Cost(long ownMs, long childrenMs) {
    static final Cost NONE = new Cost(0, 0);
    private static final int MS_PER_TICK = 10;

    /** As Linux counts it; nothing elsewhere. */
    static Cost of(long pid) {
      try {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new Cost(ticks(fields, 11), ticks(fields, 13));
      } catch (IOException _) {
        return NONE;
      }
    }

    private static long ticks(String[] fields, int first) {
      return MS_PER_TICK * (Long.parseLong(fields[first]) + Long.parseLong(fields[first + 1]));
    }

    Cost since(Cost before) {
      return new Cost(
          Math.max(0, ownMs - before.ownMs), Math.max(0, childrenMs - before.childrenMs));
    }

    long ms() {
      return ownMs + childrenMs;
    }
  }

  TestResults(String module, String type) {
    this.module = module;
    this.type = type;
  }

  void take(String[] line) {
    if (line[0].equals("begin")) {
      current = line[1];
    } else {
      lines.add(line);
    }
  }

  /** Its JVM has ended, or was ended. */
  void broken(String why) {
    String text = why + (current.isEmpty() ? "" : ", at " + current);
    lines.add(
        new String[] {
          "error",
          current,
          "0",
          Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
        });
  }

  void over(Cost spent) {
    elapsedNs = System.nanoTime() - startNs;
    cost = spent;
  }

  double elapsedS() {
    return elapsedNs / 1e9;
  }

  Cost cost() {
    return cost;
  }

  int testCount() {
    return count("pass") + count("fail") + count("error") + count("skip");
  }

  int count(String what) {
    return (int) lines.stream().filter(line -> line[0].equals(what)).count();
  }

  static String text(String[] line) {
    return new String(Base64.getDecoder().decode(line[3]), StandardCharsets.UTF_8);
  }

  /** The report that build servers read, in Surefire's form. */
  void write(Path folder, String printed) throws IOException {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append(
        "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">%n"
            .formatted(
                escaped(type),
                lines.size(),
                count("fail"),
                count("error"),
                count("skip"),
                elapsedS()));
    for (String[] line : lines) {
      xml.append(
          "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\""
              .formatted(escaped(type), escaped(line[1]), Long.parseLong(line[2]) / 1e3));
      String element =
          switch (line[0]) {
            case "fail" -> "failure";
            case "error" -> "error";
            case "skip" -> "skipped";
            default -> "";
          };
      xml.append(
          element.isEmpty()
              ? "/>\n"
              : "><%s>%s</%s></testcase>%n".formatted(element, escaped(text(line)), element));
    }
    xml.append("</testsuite>\n");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("TEST-" + type + ".xml"), xml);
    Files.writeString(folder.resolve(type + "-output.txt"), printed);
  }

  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '<' -> safe.append("&lt;");
            case '>' -> safe.append("&gt;");
            case '&' -> safe.append("&amp;");
            case '"' -> safe.append("&quot;");
            default ->
                safe.appendCodePoint(
                    c >= ' ' || c == '\n' || c == '\t' ? c : Character.MAX_VALUE & '?');
          }
        });
    return safe.toString();
  }
}
