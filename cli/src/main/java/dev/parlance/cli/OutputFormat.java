package dev.parlance.cli;

/** How a command prints data. */
public enum OutputFormat {
  /** For people. */
  TEXT,
  /** For programs: ASCII JSON. */
  JSON
}
