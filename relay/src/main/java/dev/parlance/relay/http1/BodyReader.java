package dev.parlance.relay.http1;

import dev.parlance.relay.api.HttpMessageLimits;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the body of one message in the bytes behind its head: which of them are body, and where it
 * ends. Consumes what frames it (RFC 9112 section 7.1), never the body itself.
 *
 * <pre>
 * state      expects                       next
 * LENGTH     so many bytes                 END
 * TO_THE_END bytes, until somebody closes
 * SIZE       1*HEX [;extensions] CRLF      CHUNK, or TRAILERS behind a size of 0
 * CHUNK      so many bytes                 CHUNK_END
 * CHUNK_END  CRLF                          SIZE
 * TRAILERS   field CRLF                    TRAILERS
 * TRAILERS   CRLF                          END
 * </pre>
 */
public final class BodyReader {
  /** What lies ahead. */
  public enum Ahead {
    /** Not enough bytes to tell. */
    MORE,
    /** {@link #length()} bytes of the body, at the reader's index. */
    BODY,
    /** The message is whole. */
    END,
    /** Nothing that can be trusted, see {@link #fault()}. */
    FAULT
  }

  private enum State {
    LENGTH,
    TO_THE_END,
    SIZE,
    CHUNK,
    CHUNK_END,
    TRAILERS,
    END
  }

  /** Chunk sizes and extensions may cost this much beyond eight times the data they carry. */
  private static final int OVERHEAD_BYTES = 16 * 1024;

  private static final int OVERHEAD_RATIO = 8;

  private static final byte CR = '\r';
  private static final byte LF = '\n';

  private final HeadReader.Kind kind;
  private final int maxLineBytes;
  private final int maxFieldBytes;

  private State state = State.END;
  private long left;
  private int length;
  private int searched;
  private int fieldBytes;
  private long framingBytes;
  private long bodyBytes;
  private Optional<HeadFault> fault = Optional.empty();
  private HeaderFields trailers = new HeaderFields();

  public BodyReader(HeadReader.Kind kind, HttpMessageLimits limits) {
    this.kind = kind;
    this.maxLineBytes = limits.requestLineBytes();
    this.maxFieldBytes = limits.headerBytes();
  }

  /** Expects a body of this many bytes. */
  public void expectLength(long bytes) {
    begin(State.LENGTH);
    left = bytes;
  }

  /**
   * Expects chunks.
   *
   * @param bytesOfFields what the fields of the head have taken of their limit
   */
  public void expectChunks(int bytesOfFields) {
    begin(State.SIZE);
    fieldBytes = bytesOfFields;
  }

  /** Expects everything until the end of the connection. */
  public void expectTheEnd() {
    begin(State.TO_THE_END);
  }

  private void begin(State first) {
    state = first;
    searched = 0;
    framingBytes = 0;
    bodyBytes = 0;
    if (!trailers.isEmpty()) {
      trailers = new HeaderFields();
    }
  }

  /** True if the end of the connection is the end of the body. */
  public boolean endsWithConnection() {
    return state == State.TO_THE_END;
  }

  /** How many bytes of the body lie ahead. */
  public int length() {
    return length;
  }

  /** How many bytes of the present chunk, or of the length, lie behind these. */
  public long left() {
    return left;
  }

  public Optional<HeadFault> fault() {
    return fault;
  }

  /** The fields behind the chunks, as sent. */
  public HeaderFields trailers() {
    return trailers;
  }

  /** Looks at what lies ahead; the caller takes the bytes of the body before it asks again. */
  public Ahead ahead(ByteBuf in) {
    while (true) {
      switch (state) {
        case LENGTH, CHUNK -> {
          if (left > 0) {
            return body((int) Math.min(left, in.readableBytes()));
          }
          state = state == State.CHUNK ? State.CHUNK_END : State.END;
        }
        case TO_THE_END -> {
          return body(in.readableBytes());
        }
        case END -> {
          return Ahead.END;
        }
        case CHUNK_END -> {
          if (in.readableBytes() < 2) {
            return in.isReadable() && in.getByte(in.readerIndex()) != CR
                ? malformed("expected CRLF behind a chunk")
                : Ahead.MORE;
          }
          if (in.readByte() != CR || in.readByte() != LF) {
            return malformed("expected CRLF behind a chunk");
          }
          framingBytes += 2;
          state = State.SIZE;
        }
        case SIZE, TRAILERS -> {
          Ahead line = line(in);
          if (line != Ahead.BODY) {
            return line;
          }
        }
      }
    }
  }

  private Ahead body(int bytes) {
    if (bytes == 0) {
      return Ahead.MORE;
    }
    length = bytes;
    left -= bytes;
    bodyBytes += bytes;
    return Ahead.BODY;
  }

  /** Reads one line of the framing; {@code BODY} means that all is well. */
  private Ahead line(ByteBuf in) {
    int start = in.readerIndex();
    int lf = in.indexOf(start + searched, in.writerIndex(), LF);
    int known = (lf < 0 ? in.writerIndex() : lf) - start;
    boolean inSize = state == State.SIZE;
    if (known - 1 > (inSize ? maxLineBytes : maxFieldBytes - fieldBytes)) {
      return fail(
          inSize
              ? new HeadFault(414, "request_line_too_long", "the line of a chunk is over the limit")
              : HeadFault.fieldsTooLarge());
    }
    if (lf < 0) {
      searched = known;
      return Ahead.MORE;
    }
    searched = 0;
    byte[] bytes = HeadScratch.get().bytes(known + 1);
    in.readBytes(bytes, 0, known + 1);
    framingBytes += known + 1;
    if (known == 0 || bytes[known - 1] != CR) {
      return malformed("LF without CR in the framing of a body");
    }
    Ahead read = inSize ? size(bytes, known - 1) : trailer(bytes, known - 1);
    boolean wasteful =
        kind == HeadReader.Kind.REQUEST
            && framingBytes > OVERHEAD_BYTES + OVERHEAD_RATIO * bodyBytes;
    return read != Ahead.FAULT && wasteful
        ? fail(HeadFault.bad("chunk_overhead", "more chunk framing than data"))
        : read;
  }

  private Ahead size(byte[] line, int end) {
    long size = 0;
    int at = 0;
    while (at < end && Syntax.isHex((char) (line[at] & 0xff))) {
      size = size * 16 + Character.digit(line[at], 16);
      if (size > Integer.MAX_VALUE) {
        return malformed("a chunk that is too large");
      }
      at++;
    }
    if (at == 0 || !isExtension(line, at, end)) {
      return malformed("expected the size of a chunk");
    }
    left = size;
    state = size == 0 ? State.TRAILERS : State.CHUNK;
    return Ahead.BODY;
  }

  /** Extensions are dropped, but they have to end where everybody thinks they do. */
  private static boolean isExtension(byte[] line, int start, int end) {
    if (start == end) {
      return true;
    }
    if (line[start] != ';') {
      return false;
    }
    boolean quoted = false;
    for (int i = start; i < end; i++) {
      int b = line[i] & 0xff;
      if ((b < ' ' && b != '\t') || b >= 0x7f) {
        return false;
      }
      if (quoted && b == '\\') {
        i++;
      } else if (b == '"') {
        quoted = !quoted;
      }
    }
    return !quoted;
  }

  private Ahead trailer(byte[] line, int end) {
    if (end == 0) {
      state = State.END;
      return Ahead.BODY;
    }
    fieldBytes += end;
    boolean request = kind == HeadReader.Kind.REQUEST;
    Optional<HeadFault> wrong =
        HeadFault.ofBytes(line, 0, end, request).or(() -> HeadFault.ofName(line, 0, end));
    if (wrong.isPresent()) {
      return malformed(wrong.get().detail());
    }
    String text = new String(line, 0, end, StandardCharsets.ISO_8859_1);
    int colon = text.indexOf(':');
    String name = text.substring(0, colon);
    if (request && FieldRules.isForbiddenTrailer(name.toLowerCase(Locale.ROOT))) {
      return fail(HeadFault.bad("trailer_forbidden", "a trailer that would act as a header"));
    }
    trailers.addWritten(FieldName.of(name), text.substring(colon + 1));
    return trailers.size() > HeadReader.MAX_FIELDS ? fail(HeadFault.fieldsTooLarge()) : Ahead.BODY;
  }

  private Ahead malformed(String detail) {
    return fail(HeadFault.bad("chunk_malformed", detail));
  }

  private Ahead fail(HeadFault found) {
    fault = Optional.of(found);
    return Ahead.FAULT;
  }
}
