package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFiles.FileOps;
import dev.parlance.ledger.note.Checkpoint;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.tile.EntryBundles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.zip.CRC32C;

/**
 * A write-ahead journal of commits: a file of fixed size, filled once when it is made, and then
 * written over. Forcing it needs no change of the file system's own tables, which a new file does.
 *
 * <pre>
 * header   | magic, 16 bytes | salt, 16 bytes | bytes of a half, int32 | CRC32C, int32 |
 * half     | record | record | ...                                          two of them
 * record   | body bytes, int32 | CRC32C of salt and body, int32 | body |    at a multiple of 4,096
 * body     | sequence, int64 | flushed, int64 | base, int64 | writes, int32 | write | ...
 *          | checkpoint bytes, int32 | checkpoint |
 * write    | path bytes, int32 | path | bytes, int32 | content |
 * </pre>
 *
 * <p>Records fill one half and then the other. The sequence rises by one from record to record, so
 * what an earlier lap has left behind the last record of a half is told from a record; the salt,
 * another one for each file, tells it from what an entry may contain. A record begins a block of
 * its own, so that no block with an earlier one is written again. A record that is cut anywhere is
 * not there.
 */
final class CommitJournal implements AutoCloseable {
  /** Name in the log's directory. */
  static final String FILE = "log.journal";

  /** Bytes of a half unless a test wants others. */
  static final int DEFAULT_HALF_BYTES = 2 << 20;

  static final int BLOCK = 4_096;
  private static final byte[] MAGIC = "parlance-commit1".getBytes(StandardCharsets.US_ASCII);
  private static final int SALT_BYTES = 16;
  private static final int FRAME_BYTES = 2 * Integer.BYTES;
  private static final int MAX_HALF_BYTES = 64 << 20;
  private static final int MAX_PATH_BYTES = 256;

  private final FileChannel channel;
  private final FileOps ops;
  private final byte[] salt;
  private final int halfBytes;
  private ByteBuffer memory = ByteBuffer.allocateDirect(0);
  private int half;
  private int position;
  private long sequence;

  /** The last record of the half that is not written to now. */
  private long otherHalf;

  private CommitJournal(FileChannel channel, FileOps ops, byte[] salt, int halfBytes) {
    this.channel = channel;
    this.ops = ops;
    this.salt = salt;
    this.halfBytes = halfBytes;
  }

  /**
   * A commit as the journal has it.
   *
   * @param sequence number of the record, from 1
   * @param flushed the last record whose files were durable when this one was written; 0: none
   * @param base entries of the log before the commit
   * @param writes bytes by path of tlog-tiles
   * @param checkpoint bytes of the checkpoint after it
   */
  @SuppressWarnings("ArrayRecordComponent") // written as it was, never compared
  record JournaledCommit(
      long sequence,
      long flushed,
      long base,
      SequencedMap<String, byte[]> writes,
      byte[] checkpoint) {
    /** Entries of the log after the commit. */
    long size() {
      return sizeOf(checkpoint);
    }
  }

  /** The size that a checkpoint states. */
  static long sizeOf(byte[] checkpoint) {
    return Note.parse(checkpoint)
        .value()
        .flatMap(note -> Checkpoint.parse(note.text()).value())
        .orElseThrow(() -> new IllegalArgumentException("no checkpoint"))
        .size();
  }

  /**
   * Makes a journal, in the place of an older one.
   *
   * @param temporary where it is written before it gets its name
   */
  static CommitJournal create(Path directory, Path temporary, FileOps ops, int halfBytes)
      throws IOException {
    if (halfBytes < BLOCK || halfBytes % BLOCK != 0 || halfBytes > MAX_HALF_BYTES) {
      throw new IllegalArgumentException("a half of " + halfBytes + " bytes");
    }
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    byte[] content = new byte[BLOCK + 2 * halfBytes];
    ByteBuffer header = ByteBuffer.wrap(content).put(MAGIC).put(salt).putInt(halfBytes);
    header.putInt(crc(new byte[0], ByteBuffer.wrap(content, 0, header.position())));
    ops.write(temporary, content);
    ops.forceAt(temporary);
    Path file = directory.resolve(FILE);
    ops.rename(temporary, file);
    ops.forceAt(directory);
    return new CommitJournal(ops.open(file), ops, salt, halfBytes);
  }

  /** Whether a record of so many bytes has room in a half. */
  boolean fits(int recordBytes) {
    return blocks(recordBytes) <= halfBytes;
  }

  /**
   * The record that must be durable in the log's files before one of so many bytes is appended,
   * since that takes its place; 0: none.
   */
  long replaced(int recordBytes) {
    return hasRoom(recordBytes) ? 0 : otherHalf;
  }

  /** False if a record of so many bytes begins the other half. */
  boolean hasRoom(int recordBytes) {
    return position + blocks(recordBytes) <= halfBytes;
  }

  /** Bytes of a record. */
  static int recordBytes(SequencedMap<String, byte[]> writes, byte[] checkpoint) {
    long bytes = FRAME_BYTES + 3L * Long.BYTES + 2L * Integer.BYTES + checkpoint.length;
    for (Map.Entry<String, byte[]> write : writes.entrySet()) {
      bytes += 2L * Integer.BYTES + write.getKey().length() + write.getValue().length;
    }
    return Math.toIntExact(bytes);
  }

  /**
   * Appends a commit and waits until it is durable.
   *
   * @return its sequence
   */
  long append(long flushed, long base, SequencedMap<String, byte[]> writes, byte[] checkpoint)
      throws IOException {
    int recordBytes = recordBytes(writes, checkpoint);
    if (!hasRoom(recordBytes)) {
      half = 1 - half;
      position = 0;
      otherHalf = sequence;
    }
    ByteBuffer record = buffer(blocks(recordBytes)).position(FRAME_BYTES);
    record.putLong(sequence + 1).putLong(flushed).putLong(base).putInt(writes.size());
    writes.forEach((path, content) -> {
      putBytes(record, path.getBytes(StandardCharsets.US_ASCII));
      putBytes(record, content);
    });
    putBytes(record, checkpoint);
    int bodyBytes = record.position() - FRAME_BYTES;
    record.putInt(0, bodyBytes);
    record.putInt(Integer.BYTES, crc(salt, record.slice(FRAME_BYTES, bodyBytes)));
    record.rewind();
    channel.position(BLOCK + (long) half * halfBytes + position);
    while (record.hasRemaining()) {
      ops.write(channel, record);
    }
    ops.forceData(channel);
    position += blocks(recordBytes);
    sequence++;
    return sequence;
  }

  /** Memory that is kept: outside the heap, where the JDK would copy the record to otherwise. */
  private ByteBuffer buffer(int bytes) {
    if (memory.capacity() < bytes) {
      memory = ByteBuffer.allocateDirect(Math.min(halfBytes, 2 * bytes));
    }
    return memory.clear().limit(bytes);
  }

  private static void putBytes(ByteBuffer record, byte[] bytes) {
    record.putInt(bytes.length).put(bytes);
  }

  private static int blocks(int bytes) {
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
  }

  private static int crc(byte[] salt, ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(salt);
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** Lets the file go; it stays. */
  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * The commits of the journal of a directory without a gap between them, oldest first, up to the
   * last one that is whole; none where there is no journal.
   */
  static List<JournaledCommit> read(Path directory) throws IOException {
    try (InputStream in = Files.newInputStream(directory.resolve(FILE))) {
      byte[] header = in.readNBytes(BLOCK);
      return header.length < BLOCK ? List.of() : read(header, in);
    } catch (NoSuchFileException absent) {
      return List.of();
    }
  }

  /** The commits behind a header; no more is read than it states. */
  private static List<JournaledCommit> read(byte[] block, InputStream rest) throws IOException {
    ByteBuffer header = ByteBuffer.wrap(block);
    byte[] magic = new byte[MAGIC.length];
    byte[] salt = new byte[SALT_BYTES];
    header.get(magic).get(salt);
    int halfBytes = header.getInt();
    int headerBytes = header.position();
    if (header.getInt() != crc(new byte[0], ByteBuffer.wrap(block, 0, headerBytes))
        || !Arrays.equals(magic, MAGIC)
        || halfBytes < BLOCK
        || halfBytes > MAX_HALF_BYTES) {
      return List.of();
    }
    byte[] content = rest.readNBytes(2 * halfBytes);
    if (content.length < 2 * halfBytes || rest.read() >= 0) {
      return List.of();
    }
    List<JournaledCommit> first = readHalf(ByteBuffer.wrap(content, 0, halfBytes), salt);
    List<JournaledCommit> second = readHalf(ByteBuffer.wrap(content, halfBytes, halfBytes), salt);
    if (second.isEmpty()
        || (!first.isEmpty() && first.getFirst().sequence() > second.getFirst().sequence())) {
      return joined(second, first);
    }
    return joined(first, second);
  }

  /** The later commits, after the earlier ones where these lead to them. */
  private static List<JournaledCommit> joined(
      List<JournaledCommit> earlier, List<JournaledCommit> later) {
    List<JournaledCommit> joined = new ArrayList<>();
    if (!earlier.isEmpty()
        && !later.isEmpty()
        && earlier.getLast().sequence() + 1 == later.getFirst().sequence()) {
      joined.addAll(earlier);
    }
    joined.addAll(later);
    return joined;
  }

  private static List<JournaledCommit> readHalf(ByteBuffer half, byte[] salt) {
    ByteBuffer rest = half.slice();
    List<JournaledCommit> commits = new ArrayList<>();
    Optional<JournaledCommit> next = readRecord(rest, salt);
    while (next.isPresent()
        && (commits.isEmpty() || next.get().sequence() == commits.getLast().sequence() + 1)) {
      commits.add(next.get());
      next = readRecord(rest, salt);
    }
    return commits;
  }

  /** The record at the position, which moves behind it; empty where there is no whole one. */
  private static Optional<JournaledCommit> readRecord(ByteBuffer from, byte[] salt) {
    if (from.remaining() < BLOCK) {
      return Optional.empty();
    }
    int start = from.position();
    int bodyBytes = from.getInt(start);
    if (bodyBytes < 0 || bodyBytes > from.remaining() - FRAME_BYTES) {
      return Optional.empty();
    }
    ByteBuffer body = from.slice(start + FRAME_BYTES, bodyBytes);
    if (from.getInt(start + Integer.BYTES) != crc(salt, body.duplicate())) {
      return Optional.empty();
    }
    from.position(start + blocks(FRAME_BYTES + bodyBytes));
    return readBody(body);
  }

  private static Optional<JournaledCommit> readBody(ByteBuffer body) {
    if (body.remaining() < 3 * Long.BYTES + Integer.BYTES) {
      return Optional.empty();
    }
    long sequence = body.getLong();
    long flushed = body.getLong();
    long base = body.getLong();
    int count = body.getInt();
    SequencedMap<String, byte[]> writes = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      Optional<byte[]> path = getBytes(body, MAX_PATH_BYTES);
      Optional<byte[]> content = getBytes(body, EntryBundles.MAX_BUNDLE_BYTES);
      if (path.isEmpty() || content.isEmpty()) {
        return Optional.empty();
      }
      writes.put(new String(path.get(), StandardCharsets.US_ASCII), content.get());
    }
    return getBytes(body, Note.MAX_BYTES)
        .map(checkpoint -> new JournaledCommit(sequence, flushed, base, writes, checkpoint));
  }

  private static Optional<byte[]> getBytes(ByteBuffer body, int maxBytes) {
    if (body.remaining() < Integer.BYTES) {
      return Optional.empty();
    }
    int length = body.getInt();
    if (length < 0 || length > Math.min(maxBytes, body.remaining())) {
      return Optional.empty();
    }
    byte[] bytes = new byte[length];
    body.get(bytes);
    return Optional.of(bytes);
  }
}
