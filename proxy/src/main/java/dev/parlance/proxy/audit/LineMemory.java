package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lines in memory: those that wait to be written, and behind them the latest ones that were. Both
 * are the same bytes in the same blocks, so a line is copied once. Thread-safe; nothing waits for
 * more than a copy of one line.
 *
 * <pre>
 * oldest block                                     newest block
 * | written ... | written ... | taken | taken, waiting | waiting |
 *   give way to new ones past      the writer   bounded in lines
 *   the bytes of recent lines      has them     and bytes: past that
 *                                               a line is not taken
 * </pre>
 *
 * A line ends with a line break, which no line has inside.
 */
final class LineMemory {
  /** Room of one block, unless a line is larger. */
  private static final int BLOCK_BYTES = 64 * 1024;

  /** The part of what may wait at which the writer is woken. */
  private static final int MARK_PART = 8;

  /** What became of a line. */
  enum Taken {
    /** There is no room for it. */
    REFUSED,
    /** It waits; the writer comes by itself. */
    WAITS,
    /** It waits, and the writer must be woken. */
    WAKE
  }

  /** Bytes are only ever added, so whoever knows a size under the lock may read without it. */
  private static final class Block {
    private final byte[] bytes;
    private final boolean verified;
    private int size;
    private int taken;
    private int written;

    Block(byte[] bytes, boolean verified) {
      this.bytes = bytes;
      this.verified = verified;
    }
  }

  /**
   * Whole lines, or one of them without its line break.
   *
   * @param bytes belong to this memory: to be read only
   * @param verified false if nobody has looked whether they are complete
   */
  @SuppressWarnings("ArrayRecordComponent") // a view, handed through and never compared
  record Lines(byte[] bytes, int from, int to, boolean verified) {
    /** True if these bytes occur in it. */
    boolean contains(byte[] part) {
      for (int at = from; at <= to - part.length; at++) {
        if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
          return true;
        }
      }
      return false;
    }

    /** One byte is one character: a torn line can hold anything. */
    @Override
    public String toString() {
      return new String(bytes, from, to - from, ISO_8859_1);
    }
  }

  private final int maxLines;
  private final long recentBytes;
  private final int maxWaitingLines;
  private final long maxWaitingBytes;
  private final ArrayDeque<Block> blocks = new ArrayDeque<>();
  private @Nullable Block spare;
  private long allocatedBytes;
  private int waitingLines;
  private long waitingBytes;
  private int readers;
  private boolean writerSleeps;
  private boolean writerCalled;
  private boolean closed;

  /**
   * Nothing yet.
   *
   * @param maxLines most lines shown as recent
   * @param recentBytes memory for recent lines
   * @param maxWaitingLines most lines that wait
   * @param maxWaitingBytes most bytes that wait or are being written
   */
  LineMemory(int maxLines, long recentBytes, int maxWaitingLines, long maxWaitingBytes) {
    this.maxLines = maxLines;
    this.recentBytes = recentBytes;
    this.maxWaitingLines = maxWaitingLines;
    this.maxWaitingBytes = maxWaitingBytes;
  }

  /** Adds lines that are on the disk already, from a file that may be torn anywhere. */
  synchronized void restore(byte[] lines, int from, int to) {
    int start = from;
    int end = from;
    for (int at = from; at < to; at++) {
      if (lines[at] == '\n') {
        if (at + 1 - start > BLOCK_BYTES && end > start) {
          restoreBlock(lines, start, end);
          start = end;
        }
        end = at + 1;
      }
    }
    if (end > start) {
      restoreBlock(lines, start, end);
    }
  }

  private void restoreBlock(byte[] lines, int from, int to) {
    Block block = new Block(Arrays.copyOfRange(lines, from, to), false);
    block.size = to - from;
    block.taken = block.size;
    block.written = block.size;
    makeRoom(block.size);
    add(block);
  }

  /** Takes a line with its line break, unless there is no room. */
  synchronized Taken append(byte[] line, int length) {
    if (closed || waitingLines >= maxWaitingLines) {
      return Taken.REFUSED;
    }
    Block block = blocks.peekLast();
    if (block == null || !block.verified || block.bytes.length - block.size < length) {
      if (unwrittenBytes() + length > maxWaitingBytes) {
        return Taken.REFUSED;
      }
      block = fresh(length);
      add(block);
    }
    System.arraycopy(line, 0, block.bytes, block.size, length);
    block.size += length;
    waitingLines++;
    waitingBytes += length;
    if (!writerCalled && (writerSleeps || waitingBytes > maxWaitingBytes / MARK_PART)) {
      writerCalled = true;
      return Taken.WAKE;
    }
    return Taken.WAITS;
  }

  /** Bytes of the blocks that cannot give way. */
  private long unwrittenBytes() {
    long bytes = 0;
    for (Iterator<Block> newest = blocks.descendingIterator(); newest.hasNext(); ) {
      Block block = newest.next();
      if (block.written == block.size) {
        break;
      }
      bytes += block.bytes.length;
    }
    return bytes;
  }

  private Block fresh(int length) {
    int size = Math.max(length, (int) Math.min(BLOCK_BYTES, Math.max(1, recentBytes / 2)));
    makeRoom(size);
    Block known = spare;
    if (known != null && known.bytes.length == size) {
      spare = null;
      return new Block(known.bytes, true);
    }
    return new Block(new byte[size], true);
  }

  private void add(Block block) {
    blocks.addLast(block);
    allocatedBytes += block.bytes.length;
  }

  /** The oldest written lines give way. */
  private void makeRoom(int bytes) {
    for (Block oldest = blocks.peekFirst();
        oldest != null && oldest.written == oldest.size && allocatedBytes + bytes > recentBytes;
        oldest = blocks.peekFirst()) {
      blocks.removeFirst();
      allocatedBytes -= oldest.bytes.length;
      spare = readers == 0 && oldest.verified ? oldest : null; // a reader may still look at it
    }
  }

  /**
   * Everything that waits, for the writer, who says {@link #written} when it is done with it. If
   * nothing waits the writer counts as asleep, and the next line wakes it.
   */
  synchronized List<Lines> take() {
    List<Lines> all = new ArrayList<>();
    for (Block block : blocks) {
      if (block.taken < block.size) {
        all.add(new Lines(block.bytes, block.taken, block.size, true));
        block.taken = block.size;
      }
    }
    waitingLines = 0;
    waitingBytes = 0;
    writerCalled = false;
    writerSleeps = all.isEmpty();
    return all;
  }

  /** The writer is done with what it took. */
  synchronized void written() {
    for (Block block : blocks) {
      block.written = block.taken;
    }
    // What had to wait for a slow disk took more than its share.
    makeRoom(0);
  }

  /** Refuses lines from now on. */
  synchronized void close() {
    closed = true;
  }

  /** Lines that nobody has taken yet. */
  synchronized int waitingLines() {
    return waitingLines;
  }

  /** The latest lines that pass a test, newest first; the test is asked without a lock. */
  List<String> latest(int count, Predicate<Lines> test) {
    List<String> found = new ArrayList<>();
    int most = Math.min(count, maxLines);
    List<Lines> all = startReading();
    try {
      long bytes = 0;
      for (Lines lines : all.reversed()) {
        int end = lines.to();
        while (end > lines.from() && found.size() < most) {
          int start = end - 1;
          while (start > lines.from() && lines.bytes()[start - 1] != '\n') {
            start--;
          }
          Lines line = new Lines(lines.bytes(), start, end - 1, lines.verified());
          bytes += line.to() - line.from();
          if (bytes > recentBytes) {
            return found;
          }
          if (test.test(line)) {
            found.add(line.toString());
          }
          end = start;
        }
      }
    } finally {
      stopReading();
    }
    return found;
  }

  private synchronized List<Lines> startReading() {
    readers++;
    spare = null;
    return blocks.stream()
        .map(block -> new Lines(block.bytes, 0, block.size, block.verified))
        .toList();
  }

  private synchronized void stopReading() {
    readers--;
  }
}
