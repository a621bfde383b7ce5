package dev.parlance.cli.offline;

import dev.parlance.cli.LineFault;
import dev.parlance.policy.core.WitnessedTest;
import java.io.IOException;

/** What comes next in a table of witnessed tests. Lines are counted from 1. */
sealed interface TestRow {
  /** A test. */
  record Test(long line, WitnessedTest test) implements TestRow {}

  /**
   * A row that is none.
   *
   * @param fault the stable code
   * @param message bad value and what was expected
   */
  record Fault(long line, LineFault fault, String message) implements TestRow {}

  /** The table is over. */
  record End() implements TestRow {}

  /** Reads a table row by row, in constant memory apart from the vocabulary. */
  @FunctionalInterface
  interface Source {
    TestRow next() throws IOException;
  }
}
