package dev.parlance.proxy.audit;

import dev.parlance.service.file.AppendLog;
import dev.parlance.service.file.Disk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code decisions.jsonl} and its predecessors: {@code decisions-1.jsonl} is the latest of them.
 * The profiles that lines name stand before them in the same file. Writing is for one thread;
 * reading is for any other.
 */
final class RotatingFile {
  private final Path directory;
  private final Disk disk;
  private final long fileBytes;
  private final int files;
  private final LoggedProfiles profiles;
  private @Nullable AppendLog out;
  private boolean dirty;

  /** How many profiles stand in the open file, of those that there are. */
  private int profilesWritten;

  /** Bytes of the open file that are no lines but profiles; -1 if there may be others. */
  private long headBytes = -1;

  RotatingFile(Path directory, Disk disk, long fileBytes, int files, LoggedProfiles profiles) {
    this.profiles = profiles;
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

  private AppendLog opened() throws IOException {
    AppendLog current = out;
    if (current == null) {
      Files.createDirectories(directory);
      current = AppendLog.open(file(0), disk);
      out = current;
      profilesWritten = 0;
      headBytes = current.size() == 0 ? 0 : -1;
    }
    return current;
  }

  /** Bytes of the profiles that the open file does not have yet. */
  private long profileBytesMissing() {
    List<LoggedProfiles.Named> named = profiles.named();
    long bytes = 0;
    for (int i = profilesWritten; i < named.size(); i++) {
      bytes += named.get(i).line().length;
    }
    return bytes;
  }

  /** Whoever reads a line finds its profile before it. */
  private void writeProfiles(AppendLog current) throws IOException {
    List<LoggedProfiles.Named> named = profiles.named();
    while (profilesWritten < named.size()) {
      dirty = true;
      current.appendLines(ByteBuffer.wrap(named.get(profilesWritten).line()));
      profilesWritten++;
      headBytes = headBytes < 0 ? -1 : current.size();
    }
  }

  /**
   * Appends whole lines with their line breaks, with as few writes as the size of a file allows;
   * after an exception the file is closed and opened anew by the next call.
   *
   * @param lines read from its position, which moves on past what was written
   */
  void append(ByteBuffer lines) throws IOException {
    try {
      AppendLog before = out;
      if (before != null && !before.isInPlace()) {
        DecisionLog.LOG.warn("{} was moved away or removed: it is opened anew", file(0));
        close();
      }
      while (lines.hasRemaining()) {
        AppendLog current = opened();
        if (headBytes < 0 && current.size() + profileBytesMissing() > fileBytes) {
          rotate(); // a profile that is new does not make a full file larger
          continue;
        }
        writeProfiles(current);
        int fitting = fitting(current.size(), lines);
        if (fitting == 0) {
          rotate();
        } else {
          dirty = true;
          headBytes = -1;
          ByteBuffer part = lines.slice(lines.position(), fitting);
          try {
            current.appendLines(part);
          } finally {
            lines.position(lines.position() + part.position());
          }
        }
      }
    } catch (IOException e) {
      abandon(e);
      throw e;
    }
  }

  /**
   * Bytes of the lines that the current file has room for; one without any but profiles takes any
   * line.
   */
  private int fitting(long size, ByteBuffer lines) {
    int all = lines.remaining();
    if (size + all <= fileBytes) {
      return all;
    }
    int fitting = 0;
    for (int length = lineLength(lines, 0);
        fitting < all
            && ((size == headBytes && fitting == 0) || size + fitting + length <= fileBytes);
        length = lineLength(lines, fitting)) {
      fitting += length;
    }
    return fitting;
  }

  private static int lineLength(ByteBuffer lines, int offset) {
    int start = lines.position() + offset;
    for (int at = start; at < lines.limit(); at++) {
      if (lines.get(at) == '\n') {
        return at + 1 - start;
      }
    }
    return lines.limit() - start;
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
    AppendLog current = out;
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
    AppendLog current = out;
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
    AppendLog current = out;
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

  /**
   * Shows the last lines of the current file and the one before it, as many bytes as asked, each
   * piece whole lines with their line breaks, oldest first.
   */
  void readLatest(long bytes, Pieces reader) throws IOException {
    long ofCurrent = sizeOf(0);
    if (files > 1 && ofCurrent < bytes) {
      readEnd(1, bytes - ofCurrent, reader);
    }
    readEnd(0, bytes, reader);
  }

  /** Takes whole lines. */
  interface Pieces {
    /** Whole lines; the array belongs to the caller again afterwards. */
    void accept(byte[] lines, int from, int to);
  }

  private long sizeOf(int age) throws IOException {
    try {
      return Files.size(file(age));
    } catch (NoSuchFileException e) {
      DecisionLog.LOG.debug("{} does not exist (yet)", file(age), e);
      return 0;
    }
  }

  private void readEnd(int age, long bytes, Pieces reader) throws IOException {
    long fileSize = sizeOf(age);
    if (fileSize == 0) {
      return;
    }
    try (FileChannel in = FileChannel.open(file(age))) {
      // One byte more, to see whether the first line begins there.
      long start = Math.max(0, fileSize - bytes - 1);
      ByteBuffer end = ByteBuffer.allocate(Math.toIntExact(fileSize - start));
      while (end.hasRemaining() && in.read(end, start + end.position()) > 0) {}
      byte[] read = end.array();
      int from = start == 0 ? 0 : lineLength(end.flip(), 0);
      int to = end.limit();
      while (to > from && read[to - 1] != '\n') {
        to--;
      }
      reader.accept(read, Math.min(from, to), to);
    } catch (NoSuchFileException e) {
      DecisionLog.LOG.debug("{} is gone", file(age), e);
    }
  }

  /** Shows every line, oldest first but for what rotates away meanwhile. */
  void readAll(Consumer<String> reader) throws IOException {
    for (int age = files - 1; age >= 0; age--) {
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
