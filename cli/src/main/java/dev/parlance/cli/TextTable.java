package dev.parlance.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A table for people: cells are made inert, columns are as wide as their widest cell, two blanks
 * apart. Numbers stand to the right.
 */
public final class TextTable {
  private static final String GAP = "  ";

  /**
   * A cell.
   *
   * @param text one line; made inert
   * @param paint put around it once its width is settled
   */
  public record Cell(String text, UnaryOperator<String> paint) {
    /** Makes the text inert. */
    public Cell {
      text = TerminalEscaper.line(text);
    }

    public static Cell of(String text) {
      return new Cell(text, UnaryOperator.identity());
    }

    public static Cell of(long number) {
      return of(Long.toString(number));
    }
  }

  private final String indent;
  private final List<String> names;
  private final boolean[] right;
  private final List<List<Cell>> rows = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param headings with commas and blanks between them; one that starts with {@code >} is of a
   *     column of numbers
   */
  public TextTable(String indent, String headings) {
    this.indent = indent;
    String[] texts = headings.split(", ", -1);
    this.right = new boolean[texts.length];
    for (int i = 0; i < texts.length; i++) {
      right[i] = texts[i].startsWith(">");
      texts[i] = right[i] ? texts[i].substring(1) : texts[i];
    }
    this.names = List.of(texts);
  }

  /** Adds a row with as many cells as there are columns: cells, texts or whole numbers. */
  public void add(Object... cells) {
    if (cells.length != names.size()) {
      throw new IllegalArgumentException(
          "expected " + names.size() + " cells, got " + cells.length);
    }
    rows.add(
        Arrays.stream(cells)
            .map(cell -> cell instanceof Cell whole ? whole : Cell.of(cell.toString()))
            .toList());
  }

  public void print(PrintStream out) {
    int[] widths = new int[names.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = names.get(i).length();
      for (List<Cell> row : rows) {
        widths[i] = Math.max(widths[i], width(row.get(i).text()));
      }
    }
    printRow(out, names.stream().map(Cell::of).toList(), widths);
    rows.forEach(row -> printRow(out, row, widths));
  }

  private void printRow(PrintStream out, List<Cell> row, int[] widths) {
    var line = new StringBuilder(indent);
    int blanks = 0;
    for (int i = 0; i < widths.length; i++) {
      Cell cell = row.get(i);
      int padding = widths[i] - width(cell.text());
      int before = blanks + (right[i] ? padding : 0);
      if (!cell.text().isEmpty()) { // so that no line ends in blanks
        line.repeat(' ', before).append(cell.paint().apply(cell.text()));
        blanks = 0;
      } else {
        blanks = before;
      }
      blanks += (right[i] ? 0 : padding) + GAP.length();
    }
    out.println(line);
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
