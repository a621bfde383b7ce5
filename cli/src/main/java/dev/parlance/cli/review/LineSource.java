package dev.parlance.cli.review;

import java.io.Closeable;
import java.io.IOException;
import java.util.Deque;
import java.util.function.Consumer;

/** The lines of a sidecar's decision log, as they are written. */
interface LineSource extends Closeable {
  /** Goes to the end and gives so many of the latest lines in front of it, oldest first. */
  Deque<String> last(int lines) throws IOException;

  /** Gives every line that has come since. */
  LogTail.Seen poll(Consumer<String> lines) throws IOException;
}
