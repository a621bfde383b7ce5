package dev.parlance.cli;

import java.util.List;
import picocli.CommandLine.Option;

/**
 * A command that lists what a control plane has: a table for people.
 *
 * @param <T> what is listed
 */
public abstract class ListCommand<T> extends ControlPlaneCommand<List<T>> {
  private final String columns;
  private final String none;

  /** When the table is made. */
  protected final long nowMs = System.currentTimeMillis();

  /**
   * A list.
   *
   * @param columns as {@link TextTable} takes them
   * @param none said where there is nothing
   */
  protected ListCommand(String columns, String none) {
    this.columns = columns;
    this.none = none;
  }

  /** The cells of one. */
  protected abstract Object[] row(T one);

  @Override
  protected void text(List<T> all) {
    if (all.isEmpty()) {
      terminal.println(none);
      return;
    }
    var table = new TextTable("", columns);
    all.forEach(one -> table.add(row(one)));
    table.print(terminal.out());
  }

  /**
   * One that lists as many as are asked for.
   *
   * @param <T> what is listed
   */
  public abstract static class Limited<T> extends ListCommand<T> {
    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "how many at most, 1 to 1000 (default: 100)")
    protected int limit = 100;

    protected Limited(String columns, String none) {
      super(columns, none);
    }

    @Override
    protected void check() {
      CommandProblem.checkRange("--limit", limit, 1, 1000);
    }
  }
}
