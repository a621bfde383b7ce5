package dev.parlance.proxy.config.file;

import dev.parlance.service.config.ConfigProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Everything that is wrong with one document, each with its place. */
final class Issues {
  private final YamlDocument document;
  private final List<ConfigProblem> problems = new ArrayList<>();

  Issues(YamlDocument document) {
    this.document = document;
  }

  void add(String pointer, String message) {
    add(pointer, document.at(pointer), message);
  }

  void addAtKey(String pointer, String message) {
    add(pointer, document.atKey(pointer), message);
  }

  private void add(String pointer, Position at, String message) {
    problems.add(new ConfigProblem(pointer, at.line(), at.column(), message));
  }

  /** Puts this message in the place of whatever was said about the value before. */
  void replace(String pointer, String message) {
    problems.removeIf(problem -> problem.pointer().equals(pointer));
    add(pointer, message);
  }

  /** True if the value itself, not something inside it, has a problem. */
  boolean isBad(String pointer) {
    return problems.stream().anyMatch(problem -> problem.pointer().equals(pointer));
  }

  boolean isEmpty() {
    return problems.isEmpty();
  }

  /** All problems in the order of the file. */
  List<ConfigProblem> inOrder() {
    return problems.stream()
        .distinct()
        .sorted(
            Comparator.comparingInt(ConfigProblem::line)
                .thenComparingInt(ConfigProblem::column)
                .thenComparing(ConfigProblem::pointer))
        .toList();
  }
}
