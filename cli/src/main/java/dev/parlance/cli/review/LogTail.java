package dev.parlance.cli.review;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a file of lines that another process writes and, once it is large, gives another name and
 * begins anew. Only whole lines come out; one that is longer than {@value #LINE_BYTES_MAX} bytes is
 * passed over. One thread.
 */
public final class LogTail implements LineSource {
  private static final int LINE_BYTES_MAX = 1 << 20;
  private static final int READ_BYTES = 1 << 16;
  private static final int LOOK_BACK_BYTES = 4 << 20;

  /** More than a line of the decision log usually has. */
  private static final long LINE_BYTES = 4096;

  /** What became of the file since it was last looked at. */
  public enum Seen {
    /** Every line has come out. */
    ALL,
    /** It was begun anew more than once, and what stood in between was not read. */
    GAP
  }

  private final Path file;
  private final Path before;
  private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private @Nullable FileChannel open;
  private Optional<Object> key = Optional.empty();
  private boolean tooLong;

  /**
   * Nothing is opened yet; the file need not exist.
   *
   * @param file what is written
   * @param before the name it gets when it is begun anew
   */
  public LogTail(Path file, Path before) {
    this.file = file;
    this.before = before;
  }

  /**
   * Goes to the end of the file and gives the latest lines in front of it, oldest first: so many,
   * or those of the last {@value #LINE_BYTES} bytes for each.
   */
  @Override
  public Deque<String> last(int lines) throws IOException {
    Deque<String> latest = new ArrayDeque<>();
    if (!reopen()) {
      return latest;
    }
    FileChannel channel = Objects.requireNonNull(open);
    long start = Math.max(0, channel.size() - Math.max(LOOK_BACK_BYTES, lines * LINE_BYTES));
    channel.position(start);
    boolean[] torn = {start > 0};
    read(
        channel,
        text -> {
          if (torn[0]) {
            torn[0] = false; // the first one began before
            return;
          }
          latest.add(text);
          if (latest.size() > lines) {
            latest.remove();
          }
        });
    return latest;
  }

  /** Gives every line that has come since. */
  @Override
  public Seen poll(Consumer<String> lines) throws IOException {
    Seen seen = Seen.ALL;
    while (true) {
      FileChannel channel = open;
      if (channel == null) {
        if (!reopen()) {
          return seen;
        }
        continue;
      }
      read(channel, lines);
      Optional<Object> now = keyOf(file);
      if (now.isEmpty() || now.equals(key)) {
        return seen; // the same file, or in the middle of being begun anew
      }
      read(channel, lines); // what came between the last look and the new name
      if (!keyOf(before).equals(key)) {
        seen = Seen.GAP;
      }
      close();
    }
  }

  /** Opens what bears the name now; false if nothing does. */
  private boolean reopen() throws IOException {
    while (true) {
      Optional<Object> wanted = keyOf(file);
      FileChannel channel;
      try {
        channel = FileChannel.open(file, StandardOpenOption.READ);
      } catch (NoSuchFileException e) {
        return false;
      }
      if (keyOf(file).equals(wanted)) { // else it was begun anew meanwhile, and which one is open?
        open = channel;
        key = wanted;
        line.reset();
        tooLong = false;
        return true;
      }
      channel.close();
    }
  }

  private static Optional<Object> keyOf(Path path) throws IOException {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private void read(FileChannel channel, Consumer<String> lines) throws IOException {
    while (channel.read(buffer.clear()) > 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next == '\n') {
          if (!tooLong && line.size() > 0) {
            lines.accept(line.toString(StandardCharsets.UTF_8));
          }
          line.reset();
          tooLong = false;
        } else if (line.size() == LINE_BYTES_MAX) {
          tooLong = true;
        } else {
          line.write(next);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel channel = open;
    open = null;
    if (channel != null) {
      channel.close();
    }
  }
}
