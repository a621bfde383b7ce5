package dev.parlance.proxy.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the Prometheus text format 0.0.4 and complains as {@code promtool check metrics} does: help
 * and type, names, suffixes, units, buckets, duplicates.
 */
final class PromText {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([^=,]+)=\"((?:[^\"\\\\]|\\\\.)*)\"(?:,|$)");
  private static final Pattern LABEL_NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final List<String> NOT_BASE_UNITS =
      List.of(
          "milliseconds",
          "microseconds",
          "nanoseconds",
          "minutes",
          "hours",
          "ms",
          "us",
          "kilobytes",
          "megabytes",
          "bits",
          "percent",
          "celsius_milli",
          "kb",
          "mb",
          "sec");
  private static final List<String> UNITS = List.of("seconds", "bytes", "ratio", "jsd", "info");

  /** One line. */
  record Sample(String name, Map<String, String> labels, double value) {}

  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, String> helps = new HashMap<>();
  private final List<Sample> samples = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  PromText(String text) {
    if (!text.endsWith("\n")) {
      problems.add("does not end with a line feed");
    }
    Set<String> seen = new HashSet<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        if (helps.put(words[2], words.length > 3 ? words[3] : "") != null) {
          problems.add("second HELP of " + words[2]);
        }
      } else if (line.startsWith("# TYPE ")) {
        if (types.put(words[2], words[3]) != null) {
          problems.add("second TYPE of " + words[2]);
        }
      } else {
        Matcher matcher = SAMPLE.matcher(line);
        if (!matcher.matches()) {
          problems.add("unreadable line: " + line);
          continue;
        }
        Sample sample = sample(matcher);
        if (!seen.add(sample.name() + new TreeMap<>(sample.labels()))) {
          problems.add("duplicate series: " + line);
        }
        samples.add(sample);
      }
    }
  }

  private Sample sample(Matcher line) {
    Map<String, String> labels = new LinkedHashMap<>();
    String text = line.group(2) == null ? "" : line.group(2);
    Matcher label = LABEL.matcher(text);
    int end = 0;
    while (end < text.length() && label.find(end) && label.start() == end) {
      if (!LABEL_NAME.matcher(label.group(1)).matches() || label.group(1).startsWith("__")) {
        problems.add("illegal label name " + label.group(1));
      }
      if (labels.put(label.group(1), label.group(2)) != null) {
        problems.add("label twice: " + line.group());
      }
      end = label.end();
    }
    if (end != text.length()) {
      problems.add("unreadable labels: " + text);
    }
    String value = line.group(3).replace("+Inf", "Infinity").replace("-Inf", "-Infinity");
    return new Sample(line.group(1), labels, Double.parseDouble(value));
  }

  List<Sample> samples() {
    return samples;
  }

  Map<String, String> types() {
    return types;
  }

  Map<String, String> helps() {
    return helps;
  }

  /** Sum of the samples with this name that have all these labels. */
  double sum(String name, Map<String, String> labels) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name))
        .filter(sample -> sample.labels().entrySet().containsAll(labels.entrySet()))
        .mapToDouble(Sample::value)
        .sum();
  }

  /** Everything that promtool would complain about. */
  List<String> lint() {
    List<String> found = new ArrayList<>(problems);
    types.forEach((name, type) -> lintName(name, type, found));
    for (Sample sample : samples) {
      String family = family(sample.name());
      if (!types.containsKey(family)) {
        found.add("no TYPE: " + sample.name());
      }
      if (helps.getOrDefault(family, "").isBlank()) {
        found.add("no HELP: " + sample.name());
      }
      if (Double.isNaN(sample.value())) {
        found.add("NaN: " + sample.name());
      }
    }
    types.forEach((name, type) -> {
      if (type.equals("histogram")) {
        lintHistogram(name, found);
      }
    });
    return found;
  }

  private String family(String sample) {
    for (String suffix : List.of("_bucket", "_sum", "_count")) {
      if (sample.endsWith(suffix)) {
        String base = sample.substring(0, sample.length() - suffix.length());
        if ("histogram".equals(types.get(base))) {
          return base;
        }
      }
    }
    return sample;
  }

  private static void lintName(String name, String type, List<String> found) {
    if (name.contains(":")) {
      found.add("colon in " + name);
    }
    if (!name.equals(name.toLowerCase(Locale.ROOT)) || name.contains("__")) {
      found.add("not snake case: " + name);
    }
    if (type.equals("untyped")) {
      found.add("untyped: " + name);
    }
    if (name.contains("_" + type) || name.contains("gauge") || name.contains("counter")) {
      found.add("type in the name: " + name);
    }
    if (type.equals("counter") != name.endsWith("_total")) {
      found.add("counters, and only they, end in _total: " + name + " is a " + type);
    }
    List<String> words = List.of(name.split("_", -1));
    for (String unit : NOT_BASE_UNITS) {
      if (words.contains(unit)) {
        found.add("not a base unit: " + name);
      }
    }
    for (String unit : UNITS) {
      int at = words.indexOf(unit);
      int last = words.size() - 1;
      boolean suffixFollows = at == last - 1 && List.of("total", "max").contains(words.get(last));
      if (at >= 0 && at != last && !suffixFollows) {
        found.add("unit is not the suffix: " + name);
      }
    }
  }

  private void lintHistogram(String name, List<String> found) {
    Map<Map<String, String>, List<Sample>> series = new LinkedHashMap<>();
    for (Sample sample : samples) {
      if (sample.name().equals(name + "_bucket")) {
        Map<String, String> rest = new TreeMap<>(sample.labels());
        rest.remove("le");
        series.computeIfAbsent(rest, key -> new ArrayList<>()).add(sample);
      }
    }
    if (series.isEmpty()) {
      found.add("histogram without buckets: " + name);
    }
    series.forEach((labels, buckets) -> {
      double bound = Double.NEGATIVE_INFINITY;
      double count = 0;
      for (Sample bucket : buckets) {
        String text = bucket.labels().getOrDefault("le", "NaN").replace("+Inf", "Infinity");
        double next = Double.parseDouble(text);
        if (!(next > bound) || bucket.value() < count) {
          found.add("buckets out of order: " + name + labels);
        }
        bound = next;
        count = bucket.value();
      }
      if (bound != Double.POSITIVE_INFINITY) {
        found.add("no +Inf bucket: " + name + labels);
      }
      if (count != sum(name + "_count", labels)) {
        found.add("+Inf bucket is not the count: " + name + labels);
      }
    });
  }
}
