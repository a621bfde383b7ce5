package dev.parlance.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code promtool check metrics} looks for in a page of the text format 0.0.4, and that no
 * series stands there twice.
 */
final class MetricsLint {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(.*)})? (\\S+)( \\d+)?");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\",?");
  private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary");

  /** Units that are not the base unit of their quantity. */
  private static final Set<String> OTHER_UNITS =
      Set.of(
          "ms",
          "milliseconds",
          "us",
          "microseconds",
          "ns",
          "nanoseconds",
          "minutes",
          "hours",
          "kb",
          "kilobytes",
          "mb",
          "megabytes",
          "gb",
          "percent",
          "percentage");

  private final List<String> problems = new ArrayList<>();
  private final Map<String, String> types = new HashMap<>();
  private final Map<String, String> helps = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private final Set<String> closed = new HashSet<>();
  private String current = "";

  private MetricsLint() {}

  /** Everything that is wrong with the page; empty if nothing is. */
  static List<String> problems(String page) {
    MetricsLint lint = new MetricsLint();
    if (!page.endsWith("\n")) {
      lint.problems.add("the page does not end with a line feed");
    }
    page.lines().forEach(lint::line);
    lint.types.keySet().forEach(lint::family);
    return lint.problems;
  }

  /** Names and labels of all series of a page. */
  static List<String> series(String page) {
    return page.lines()
        .filter(line -> !line.startsWith("#") && !line.isEmpty())
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .toList();
  }

  private void line(String line) {
    if (line.startsWith("# HELP ")) {
      String[] words = line.substring(7).split(" ", 2);
      once(helps, words[0], words.length == 2 ? words[1] : "", "HELP");
      enter(words[0]);
    } else if (line.startsWith("# TYPE ")) {
      String[] words = line.substring(7).split(" ", 2);
      once(types, words[0], words[1], "TYPE");
      enter(words[0]);
    } else if (!line.isEmpty() && !line.startsWith("#")) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        sample(sample.group(1), sample.group(3) == null ? "" : sample.group(3), sample.group(4));
      } else {
        problems.add("no sample: " + line);
      }
    }
  }

  private void once(Map<String, String> to, String family, String text, String what) {
    if (to.put(family, text) != null) {
      problems.add(family + ": two lines of " + what);
    }
  }

  /** All lines of a family stand together. */
  private void enter(String family) {
    if (!family.equals(current)) {
      if (!current.isEmpty()) {
        closed.add(current);
      }
      if (closed.contains(family)) {
        problems.add(family + ": its lines do not stand together");
      }
      current = family;
    }
  }

  private void sample(String name, String labels, String value) {
    String family = familyOf(name);
    enter(family);
    if (!seen.add(name + "{" + labels + "}")) {
      problems.add("twice: " + name + "{" + labels + "}");
    }
    if (!types.containsKey(family)) {
      problems.add(name + ": no TYPE before its sample");
    }
    number(name, value);
    Set<String> names = new HashSet<>();
    Matcher label = LABEL.matcher(labels);
    int end = 0;
    while (label.find() && label.start() == end) {
      end = label.end();
      String labelName = label.group(1);
      boolean ofType = labelName.equals("le") && name.endsWith("_bucket");
      if (!ofType && (labelName.equals("le") || labelName.equals("quantile"))) {
        problems.add(name + ": label " + labelName + " belongs to another type");
      }
      if (!NAME.matcher(labelName).matches() || !names.add(labelName)) {
        problems.add(name + ": bad or repeated label " + labelName);
      }
    }
    if (end != labels.length()) {
      problems.add(name + ": bad labels " + labels);
    }
  }

  private void number(String name, String value) {
    try {
      double number = Double.parseDouble(value.replace("+Inf", "Infinity"));
      boolean gauge = "gauge".equals(types.get(name));
      if (Double.isNaN(number) || (!gauge && number < 0)) {
        problems.add(name + ": the value " + value);
      }
    } catch (NumberFormatException e) {
      problems.add(name + ": no number: " + value);
    }
  }

  private String familyOf(String sample) {
    for (String suffix : List.of("_bucket", "_sum", "_count")) {
      if (sample.endsWith(suffix)) {
        String family = sample.substring(0, sample.length() - suffix.length());
        if ("histogram".equals(types.get(family)) || "summary".equals(types.get(family))) {
          return family;
        }
      }
    }
    return sample;
  }

  private void family(String family) {
    String type = types.getOrDefault(family, "");
    if (!TYPES.contains(type)) {
      problems.add(family + ": the type " + type);
    }
    if (helps.getOrDefault(family, "").isBlank()) {
      problems.add(family + ": no HELP");
    }
    if (!NAME.matcher(family).matches() || !family.startsWith("parlance_")) {
      problems.add(family + ": the name");
    }
    if (type.equals("counter") != family.endsWith("_total")) {
      problems.add(family + ": counters end in _total, and nothing else does");
    }
    for (String part : family.split("_", -1)) {
      if (OTHER_UNITS.contains(part) || TYPES.contains(part)) {
        problems.add(family + ": " + part + " in a name");
      }
    }
    if (type.equals("histogram")) {
      boolean whole =
          seen.stream().anyMatch(s -> s.startsWith(family + "_bucket{") && s.contains("+Inf"))
              && seen.stream().anyMatch(s -> s.startsWith(family + "_sum{"))
              && seen.stream().anyMatch(s -> s.startsWith(family + "_count{"));
      if (!whole) {
        problems.add(family + ": a histogram without _bucket{le=\"+Inf\"}, _sum or _count");
      }
    }
  }
}
