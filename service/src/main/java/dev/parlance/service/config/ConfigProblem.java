package dev.parlance.service.config;

/**
 * One thing that is wrong with a configuration.
 *
 * @param pointer JSON Pointer of the value, empty for the whole document
 * @param line line in the file, from 1
 * @param column column in the line, from 1
 * @param message the bad value and what was expected
 */
public record ConfigProblem(String pointer, int line, int column, String message) {
  /** {@code 12:5 /audits/retries: message}. */
  @Override
  public String toString() {
    return line + ":" + column + " " + (pointer.isEmpty() ? "" : pointer + ": ") + message;
  }
}
