package dev.parlance.cli;

import java.io.PrintStream;

/**
 * A line on standard error that says how far a command is, renewed a few times a second; nothing at
 * all where standard error is no terminal. Close it to wipe the line.
 */
public final class ProgressLine implements AutoCloseable {
  private static final long INTERVAL_NS = 200_000_000;

  private final PrintStream err;
  private final boolean shown;
  private long lastNs = System.nanoTime();
  private boolean dirty;

  public ProgressLine(Terminal terminal) {
    this.err = terminal.err();
    this.shown = terminal.showsProgress();
  }

  /** True if it is time to say something new; cheap enough to be asked for every line. */
  public boolean isDue() {
    return shown && System.nanoTime() - lastNs >= INTERVAL_NS;
  }

  /** Replaces the line; {@code text} is shown as it is. */
  public void show(String text) {
    if (shown) {
      lastNs = System.nanoTime();
      dirty = true;
      err.print("\r\u001b[K  " + text);
      err.flush();
    }
  }

  @Override
  public void close() {
    if (dirty) {
      err.print("\r\u001b[K");
      err.flush();
      dirty = false;
    }
  }
}
