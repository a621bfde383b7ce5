package dev.parlance.service.config;

/**
 * A place in a file.
 *
 * @param line from 1
 * @param column from 1
 */
public record Position(int line, int column) {
  static final Position START = new Position(1, 1);
}
