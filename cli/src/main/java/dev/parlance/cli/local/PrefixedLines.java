package dev.parlance.cli.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * An output in which each line has its author's name in front, so that several can write to one
 * stream. A line goes out whole and at once; what stands in it goes out byte for byte. Threads may
 * share it.
 */
final class PrefixedLines extends OutputStream {
  /** A longer line is divided. */
  private static final int LINE_BYTES_MAX = 1 << 16;

  private final byte[] prefix;
  private final PrintStream out;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /**
   * @param width to which names are filled up, so that lines stand below each other
   */
  PrefixedLines(String name, int width, PrintStream out) {
    this.prefix = (name + " ".repeat(Math.max(0, width - name.length())) + " | ").getBytes(UTF_8);
    this.out = out;
  }

  private static final java.nio.charset.Charset UTF_8 = StandardCharsets.UTF_8;

  @Override
  public synchronized void write(int one) {
    line.write(one);
    if (one == '\n' || line.size() == LINE_BYTES_MAX) {
      end();
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }

  private void end() {
    byte[] text = line.toByteArray();
    line.reset();
    boolean isWhole = text[text.length - 1] == '\n';
    ByteArrayOutputStream whole = new ByteArrayOutputStream(prefix.length + text.length + 1);
    whole.writeBytes(prefix);
    whole.writeBytes(text);
    if (!isWhole) {
      whole.write('\n');
    }
    out.write(whole.toByteArray(), 0, whole.size());
    out.flush();
  }

  /** Ends a line that was begun. */
  @Override
  public synchronized void close() {
    if (line.size() > 0) {
      end();
    }
  }

  /** Takes lines from there until it ends or breaks, on a thread of its own. */
  Thread follow(InputStream from, String thread) {
    return Thread.ofVirtual()
        .name(thread)
        .start(() -> {
          try (this;
              from) {
            from.transferTo(this);
          } catch (IOException _) {
            // whoever wrote there is gone
          }
        });
  }
}
