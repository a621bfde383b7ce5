package dev.parlance.control.embed;

import dev.parlance.control.embed.TextInput.Row;
import java.util.List;

/** A loaded model with its input. For any number of threads, until it is closed. */
interface RowModel extends AutoCloseable {
  /** A text's row; what is too long is cut. */
  Row read(String text);

  /**
   * The length that a row is filled up to, whether it runs alone or with others: rows run together
   * only if they have the same.
   */
  int filledLength(Row row);

  /** Most rows of this length that run together, at least 1. */
  int mostRows(int filledLength);

  /**
   * The vectors of rows, in order.
   *
   * @param rows of the same filled length, at least one and at most {@link #mostRows}
   * @throws EncoderProblem if the runtime refuses
   */
  List<float[]> run(List<Row> rows) throws EncoderProblem;

  /** True if it still gives the vector that it gave when it was loaded. */
  boolean stillWorks();

  @Override
  void close();
}
