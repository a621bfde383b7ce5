package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code decisions.jsonl} and its predecessors: {@code decisions-1.jsonl} is the latest of them.
 * Writing is for one thread; reading is for any other.
 */
final class RotatingFile {
  private final Path directory;
  private final LogFiles disk;
  private final long fileBytes;
  private final int files;
  private LogFiles.@Nullable Out out;
  private long size;
  private boolean dirty;

  RotatingFile(Path directory, LogFiles disk, long fileBytes, int files) {
    this.directory = directory;
    this.disk = disk;
    this.fileBytes = fileBytes;
    this.files = files;
  }

  private Path file(int age) {
    return directory.resolve(age == 0 ? "decisions.jsonl" : "decisions-" + age + ".jsonl");
  }

  /** Opens the current file, unless it is open. */
  void open() throws IOException {
    opened();
  }

  private LogFiles.Out opened() throws IOException {
    LogFiles.Out current = out;
    if (current == null) {
      Files.createDirectories(directory);
      current = disk.open(file(0));
      out = current;
      size = current.size();
    }
    return current;
  }

  /** Appends a line; after an exception the file is closed and opened anew by the next one. */
  void append(String line) throws IOException {
    byte[] bytes = (line + "\n").getBytes(US_ASCII);
    try {
      LogFiles.Out current = opened();
      if (size > 0 && size + bytes.length > fileBytes) {
        rotate();
        current = opened();
      }
      dirty = true;
      current.write(ByteBuffer.wrap(bytes));
      size += bytes.length;
    } catch (IOException e) {
      abandon(e);
      throw e;
    }
  }

  private void rotate() throws IOException {
    close();
    for (int age = files - 1; age > 0; age--) {
      Path younger = file(age - 1);
      if (Files.exists(younger)) {
        disk.rename(younger, file(age));
      }
    }
    if (files == 1) {
      Files.deleteIfExists(file(0));
    }
  }

  /** Forces what was written to the disk. */
  void force() throws IOException {
    LogFiles.Out current = out;
    if (current != null && dirty) {
      try {
        current.force();
        dirty = false;
      } catch (IOException e) {
        abandon(e);
        throw e;
      }
    }
  }

  boolean isDirty() {
    return dirty;
  }

  private void abandon(IOException cause) {
    dirty = false;
    LogFiles.Out current = out;
    out = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }

  /** Forces and closes the current file. */
  void close() throws IOException {
    force();
    LogFiles.Out current = out;
    out = null;
    if (current != null) {
      current.close();
    }
  }

  /**
   * The last line that passes the test, from the newest file that has one. A file that rotates away
   * meanwhile is seen under its next name.
   */
  Optional<String> findLast(Predicate<String> test) throws IOException {
    for (int age = 0; age < files; age++) {
      var last = new LastLine(test);
      read(age, last);
      if (last.line != null) {
        return Optional.of(last.line);
      }
    }
    return Optional.empty();
  }

  private static final class LastLine implements Consumer<String> {
    private final Predicate<String> test;
    private @Nullable String line;

    LastLine(Predicate<String> test) {
      this.test = test;
    }

    @Override
    public void accept(String candidate) {
      if (test.test(candidate)) {
        line = candidate;
      }
    }
  }

  /** Shows every line of the current file and the one before it, oldest first. */
  void readLatest(Consumer<String> reader) throws IOException {
    for (int age = Math.min(1, files - 1); age >= 0; age--) {
      read(age, reader);
    }
  }

  private void read(int age, Consumer<String> reader) throws IOException {
    // One byte is one character: a torn line can hold anything, and none of it may end the reading.
    try (BufferedReader in =
        Files.newBufferedReader(file(age), java.nio.charset.StandardCharsets.ISO_8859_1)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        reader.accept(line);
      }
    } catch (NoSuchFileException e) {
      DecisionLog.LOG.debug("{} does not exist (yet)", file(age), e);
    }
  }
}
