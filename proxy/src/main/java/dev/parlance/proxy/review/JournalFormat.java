package dev.parlance.proxy.review;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The bytes of a journal file.
 *
 * <pre>
 *  0        8
 *  +--------+-------+-------+-----
 *  | magic  | frame | frame | ...
 *  +--------+-------+-------+-----
 *
 *  frame:   +--------+-----------+------------+---------+
 *           | length | headerCrc | payloadCrc | payload |
 *           | int    | int       | int        | bytes   |
 *           +--------+-----------+------------+---------+
 * </pre>
 *
 * <p>{@code headerCrc} is the CRC-32C of the frame's offset in the file (long) and the length, so a
 * length that was changed, or a frame that was moved, is told from a file that simply ends too
 * early. Only the latter is a torn tail: a process that dies while it appends leaves a prefix of
 * what it wrote (or, on some file systems, zeros). Everything else that does not fit is damage.
 */
final class JournalFormat {
  static final byte[] MAGIC = "PLREVQ01".getBytes(US_ASCII);
  static final int FRAME_HEADER_BYTES = 12;

  private JournalFormat() {}

  /** Receives the records of a journal in order. */
  @FunctionalInterface
  interface Visitor {
    /** A record and the size of its frame; throws if it does not fit what came before. */
    void visit(JournalRecord entry, int frameBytes) throws IOException;
  }

  /**
   * What was found.
   *
   * @param end offset behind the last whole frame
   * @param torn true if something incomplete stands behind it
   */
  record Scan(long end, boolean torn) {}

  /** The frame of a record that will stand at {@code offset}. */
  static ByteBuffer frame(JournalRecord entry, long offset) {
    byte[] payload = JournalRecord.encode(entry);
    return ByteBuffer.allocate(FRAME_HEADER_BYTES + payload.length)
        .putInt(payload.length)
        .putInt(headerCrc(offset, payload.length))
        .putInt(crc(payload))
        .put(payload)
        .flip();
  }

  private static int headerCrc(long offset, int length) {
    return crc(ByteBuffer.allocate(12).putLong(offset).putInt(length).array());
  }

  private static int crc(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /**
   * Reads a journal from end to end.
   *
   * @throws ReviewOpenException if it is damaged anywhere but in an incomplete last frame
   */
  static Scan scan(Path file, Visitor visitor) throws IOException {
    long size = Files.size(file);
    try (var in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
        throw new ReviewOpenException(
            ReviewOpenException.Code.UNKNOWN_FORMAT,
            0,
            file + " does not start like a review journal of this version",
            "move it away, or open it with the version that wrote it");
      }
      long offset = MAGIC.length;
      while (size - offset >= FRAME_HEADER_BYTES) {
        int length = in.readInt();
        int headerCrc = in.readInt();
        int payloadCrc = in.readInt();
        long left = size - offset - FRAME_HEADER_BYTES;
        if (length < 0 || headerCrc != headerCrc(offset, length)) {
          if ((length | headerCrc | payloadCrc) == 0 && onlyZeros(in)) {
            return new Scan(offset, true);
          }
          throw corrupt(file, offset, size, "the frame header does not match its checksum");
        }
        if (length > left) {
          return new Scan(offset, true);
        }
        byte[] payload = in.readNBytes(length);
        if (payloadCrc != crc(payload)) {
          throw corrupt(file, offset, size, "the record does not match its checksum");
        }
        int frameBytes = FRAME_HEADER_BYTES + length;
        try {
          visitor.visit(JournalRecord.decode(payload), frameBytes);
        } catch (IOException e) {
          var corrupt = corrupt(file, offset, size, String.valueOf(e.getMessage()));
          corrupt.initCause(e);
          throw corrupt;
        }
        offset += frameBytes;
      }
      return new Scan(offset, size > offset);
    }
  }

  private static boolean onlyZeros(DataInputStream in) throws IOException {
    byte[] chunk = new byte[8192];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      for (int i = 0; i < read; i++) {
        if (chunk[i] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static ReviewOpenException corrupt(Path file, long offset, long size, String what) {
    return new ReviewOpenException(
        ReviewOpenException.Code.CORRUPT,
        offset,
        file + " is damaged at byte " + offset + " of " + size + ": " + what,
        "restore the file from a backup, or keep a copy and cut it there with 'truncate -s "
            + offset
            + "', which loses every held message recorded behind that byte");
  }
}
