package dev.parlance.service.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Everything that is wrong with one document, each with its place. */
public final class Issues {
  private final YamlDocument document;
  private final List<ConfigProblem> problems = new ArrayList<>();

  public Issues(YamlDocument document) {
    this.document = document;
  }

  public void add(String pointer, String message) {
    add(pointer, document.at(pointer), message);
  }

  public void addAtKey(String pointer, String message) {
    add(pointer, document.atKey(pointer), message);
  }

  private void add(String pointer, Position at, String message) {
    problems.add(new ConfigProblem(pointer, at.line(), at.column(), message));
  }

  /** Puts this message in the place of whatever was said about the value before. */
  public void replace(String pointer, String message) {
    problems.removeIf(problem -> problem.pointer().equals(pointer));
    add(pointer, message);
  }

  /** True if the value itself, not something inside it, has a problem. */
  public boolean isBad(String pointer) {
    return problems.stream().anyMatch(problem -> problem.pointer().equals(pointer));
  }

  /** True if the value or something inside it has a problem. */
  boolean isBadWithin(String pointer) {
    return problems.stream()
        .anyMatch(problem ->
            problem.pointer().equals(pointer) || problem.pointer().startsWith(pointer + "/"));
  }

  public boolean isEmpty() {
    return problems.isEmpty();
  }

  /** All problems in the order of the file. */
  public List<ConfigProblem> inOrder() {
    return problems.stream()
        .distinct()
        .sorted(
            Comparator.comparingInt(ConfigProblem::line)
                .thenComparingInt(ConfigProblem::column)
                .thenComparing(ConfigProblem::pointer))
        .toList();
  }
}
