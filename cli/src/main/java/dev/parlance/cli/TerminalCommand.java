package dev.parlance.cli;

import java.util.concurrent.Callable;

/** A command that reads and writes on the terminal it is given. */
public abstract class TerminalCommand implements Callable<Integer> {
  /** Set by whoever makes the command, before it is called. */
  @SuppressWarnings("NullAway.Init")
  protected Terminal terminal;
}
