package dev.parlance.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads CSV record by record as RFC 4180 has it: commas, double quotes around fields that hold
 * commas, quotes (doubled) or line ends, records ended by CRLF. LF alone is taken too, and the last
 * record may lack its end; empty lines are passed over, and so is one byte order mark at the start.
 * After a fault reading goes on behind the next line end.
 */
public final class CsvRecords {
  /** Longest record, in bytes. */
  public static final int RECORD_BYTES_MAX = 1 << 20;

  /** Most fields in a record. */
  static final int FIELDS_MAX = 256;

  private static final int END = -1;
  private static final int BYTE_ORDER_MARK_FIRST = 0xEF;

  /** What comes next. Lines are counted from 1; a record may span several. */
  public sealed interface Row {
    /** A record and the line it starts in. */
    record Fields(long line, List<String> values) implements Row {
      /** Copies the list. */
      public Fields {
        values = List.copyOf(values);
      }
    }

    /** Not a record. */
    record Fault(long line, LineFault fault, String message) implements Row {}

    /** The stream is over. */
    record End() implements Row {}
  }

  private final InputStream in;
  private final byte[] chunk = new byte[1 << 16];
  private final ByteArrayOutputStream field = new ByteArrayOutputStream();
  private int from;
  private int to;
  private long line = 1;
  private int recordBytes;
  private boolean atStart = true;

  public CsvRecords(InputStream in) {
    this.in = in;
  }

  public Row next() throws IOException {
    if (atStart) {
      atStart = false;
      skipByteOrderMark();
    }
    while (isLineEnd(peek())) {
      lineEnd();
    }
    return peek() == END ? new Row.End() : record();
  }

  private Row record() throws IOException {
    long start = line;
    recordBytes = 0;
    List<String> values = new ArrayList<>();
    while (true) {
      String problem = peek() == '"' ? quoted() : plain();
      if (!problem.isEmpty()) {
        return fault(start, problem);
      }
      if (values.size() == FIELDS_MAX) {
        return fault(start, "more than " + FIELDS_MAX + " fields");
      }
      try {
        values.add(
            StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(field.toByteArray()))
                .toString());
      } catch (CharacterCodingException e) {
        skipLine();
        return new Row.Fault(start, LineFault.BAD_ENCODING, "not valid UTF-8");
      }
      if (peek() == ',') {
        take();
      } else {
        if (peek() != END) {
          lineEnd();
        }
        return new Row.Fields(start, values);
      }
    }
  }

  /** Reads up to a comma or line end; what is wrong, or nothing. */
  private String plain() throws IOException {
    field.reset();
    while (true) {
      int b = peek();
      if (b == ',' || b == END || isLineEnd(b)) {
        return "";
      }
      if (b == '"') {
        return "a quote inside a field that does not start with one";
      }
      if (b == '\r') {
        return "a carriage return without a line feed";
      }
      take();
      if (!keep(b)) {
        return "longer than " + RECORD_BYTES_MAX + " bytes";
      }
    }
  }

  private String quoted() throws IOException {
    field.reset();
    take();
    while (true) {
      int b = take();
      if (b == END) {
        return "a quoted field has no end";
      }
      if (b == '"') {
        if (peek() != '"') {
          return peek() == ',' || peek() == END || isLineEnd(peek())
              ? ""
              : "text behind the closing quote of a field";
        }
        take();
      }
      if (!keep(b)) {
        return "longer than " + RECORD_BYTES_MAX + " bytes; is a closing quote missing?";
      }
    }
  }

  private boolean keep(int b) {
    field.write(b);
    recordBytes++;
    return recordBytes <= RECORD_BYTES_MAX;
  }

  private Row fault(long start, String problem) throws IOException {
    skipLine();
    return new Row.Fault(start, LineFault.BAD_CSV, problem);
  }

  private void skipLine() throws IOException {
    int b = take();
    while (b != '\n' && b != END) {
      b = take();
    }
  }

  private boolean isLineEnd(int b) throws IOException {
    return b == '\n' || (b == '\r' && second() == '\n');
  }

  private void lineEnd() throws IOException {
    if (take() == '\r') {
      take();
    }
  }

  private void skipByteOrderMark() throws IOException {
    if (peek() == BYTE_ORDER_MARK_FIRST
        && second() == 0xBB
        && to - from > 2
        && chunk[from + 2] == (byte) 0xBF) {
      from += 3;
    }
  }

  private int peek() throws IOException {
    return from < to || fill() ? chunk[from] & 0xFF : END;
  }

  /** The byte behind the next one. */
  private int second() throws IOException {
    return to - from > 1 || fill() ? chunk[from + 1] & 0xFF : END;
  }

  private int take() throws IOException {
    int b = peek();
    if (b != END) {
      from++;
      if (b == '\n') {
        line++;
      }
    }
    return b;
  }

  /** Reads more behind what is left; false at the end. */
  private boolean fill() throws IOException {
    System.arraycopy(chunk, from, chunk, 0, to - from);
    to -= from;
    from = 0;
    int read = in.read(chunk, to, chunk.length - to);
    to += Math.max(read, 0);
    return read > 0;
  }
}
