package dev.parlance.relay.http1;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.http1.FieldName.FieldKind;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the head of one message after the other, strictly, and consumes it line by line.
 *
 * <pre>
 * leading CRLF*   first line CRLF   (name ":" OWS value OWS CRLF)*   CRLF
 * </pre>
 *
 * A plain line is looked at once: token, colon, printable ASCII, CRLF. Every other line goes to
 * {@link HeadFault}, which names its fault or finds none; both ways have the same outcome for every
 * line.
 */
public final class HeadReader {
  /** Which of the two first lines to expect. */
  public enum Kind {
    REQUEST,
    RESPONSE
  }

  /** Old clients send a CRLF after a body; more than a few are an attack on patience. */
  private static final int MAX_LEADING_EMPTY_LINES = 4;

  /** Most fields of one head. */
  public static final int MAX_FIELDS = 1000;

  /** Most heads end within this, and what lies behind them is body. */
  private static final int FIRST_LOOK_BYTES = 1024;

  private static final byte CR = '\r';
  private static final byte LF = '\n';

  /** A line is not whole yet, or has a fault. */
  private static final int NONE = -1;

  /** A line is not of the plainest form. */
  private static final int UNUSUAL = -2;

  private static final byte[] POST = ascii("POST ");
  private static final byte[] HTTP_11 = ascii(" HTTP/1.1\r\n");
  private static final byte[] HTTP_11_STATUS = ascii("HTTP/1.1 ");

  /** True for the bytes of a token. */
  private static final boolean[] TOKEN = new boolean[256];

  static {
    for (char c = 0; c < TOKEN.length; c++) {
      TOKEN[c] = Syntax.isTokenChar(c);
    }
  }

  private final Kind kind;
  private final int maxFirstLineBytes;
  private final int maxFieldBytes;
  private final boolean plainLines;
  private boolean lenient;
  private boolean exact;

  private boolean started;
  private boolean firstLineSeen;
  private boolean ended;
  private int leadingEmptyLines;
  private int fieldBytes;
  private int searched;
  private int contentLengths;
  private int transferEncodings;
  private Optional<HeadFault> fault = Optional.empty();

  private HttpMethod method = HttpMethod.GET;
  private String target = "";
  private int status;
  private String statusLine = "";
  private boolean http10;
  private long contentLength;
  private HeaderFields fields = new HeaderFields();

  public HeadReader(Kind kind, HttpMessageLimits limits) {
    this(kind, limits, true);
  }

  /**
   * @param plainLines false to have every line looked at by {@link HeadFault}
   */
  public HeadReader(Kind kind, HttpMessageLimits limits, boolean plainLines) {
    this.kind = kind;
    this.maxFirstLineBytes = limits.requestLineBytes();
    this.maxFieldBytes = limits.headerBytes();
    this.plainLines = plainLines;
    reset();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Says whether a first line may be as long as all fields, and values have bytes beyond ASCII;
   * both change nothing about where a message ends.
   */
  public void lenient(boolean isLenient) {
    lenient = isLenient;
  }

  /** Says whether an unusual phrase behind a status, and unusual blanks, are kept. */
  public void exact(boolean isExact) {
    exact = isExact;
  }

  /** What is lenient goes on as it came, too. */
  private boolean isExact() {
    return exact || lenient;
  }

  /** True if odd heads are let through. */
  public boolean isLenient() {
    return lenient;
  }

  private int maxFirstLineBytes() {
    return lenient ? Math.max(maxFirstLineBytes, maxFieldBytes) : maxFirstLineBytes;
  }

  /** Forgets the head that ended and waits for the next. */
  public void reset() {
    started = false;
    firstLineSeen = false;
    ended = false;
    leadingEmptyLines = 0;
    fieldBytes = 0;
    searched = 0;
    contentLengths = 0;
    transferEncodings = 0;
    http10 = false;
    statusLine = "";
    contentLength = -1;
    fields = new HeaderFields();
  }

  /** True once a byte of the first line has been seen. */
  public boolean started() {
    return started;
  }

  /** True once the empty line behind the fields has been consumed. */
  public boolean ended() {
    return ended;
  }

  HttpMethod method() {
    return method;
  }

  String target() {
    return target;
  }

  public int status() {
    return status;
  }

  /** Status and phrase, if the phrase is not the usual one and is to be kept; else empty. */
  public String statusLine() {
    return statusLine;
  }

  public boolean http10() {
    return http10;
  }

  /** The declared length of the body; -1 if none is declared. */
  public long contentLength() {
    return contentLength;
  }

  public boolean chunked() {
    return transferEncodings > 0;
  }

  /** The fields, which belong to whoever asks first after the end of the head. */
  public HeaderFields fields() {
    return fields;
  }

  /** Bytes of field lines so far; trailers count on. */
  public int fieldBytes() {
    return fieldBytes;
  }

  /** Consumes every line of the head that is complete; empty if nothing is wrong so far. */
  public Optional<HeadFault> read(ByteBuf in) {
    HeadScratch scratch = HeadScratch.get();
    int look = FIRST_LOOK_BYTES;
    fault = Optional.empty();
    while (!ended && in.isReadable()) {
      if (searched > 0) {
        int from = in.readerIndex() + searched;
        if (in.indexOf(from, in.writerIndex(), LF) < 0) {
          searched = in.readableBytes();
          return tooLong(searched);
        }
        searched = 0;
        look = in.readableBytes();
      }
      int seen = Math.min(look, in.readableBytes());
      byte[] bytes = scratch.bytes(seen);
      in.getBytes(in.readerIndex(), bytes, 0, seen);
      int used = lines(scratch, bytes, seen);
      in.skipBytes(used);
      if (fault.isPresent()) {
        return fault;
      }
      if (!ended && !in.isReadable(seen - used + 1)) {
        searched = started ? seen - used : 0;
        return tooLong(searched);
      }
      look = in.readableBytes();
      int most = Math.max(maxFirstLineBytes, maxFieldBytes) + FIRST_LOOK_BYTES;
      if (used == 0 && seen >= most) {
        return tooLong(seen);
      }
      look = Math.min(look, most);
    }
    return Optional.empty();
  }

  /** Reads the lines in an array and returns how many bytes they take. */
  private int lines(HeadScratch scratch, byte[] in, int end) {
    int at = 0;
    if (!started) {
      at = emptyLines(in, end);
      if (fault.isPresent() || at == end || in[at] == CR) {
        return at;
      }
      fault = HeadFault.ofFirstByte(in[at]);
      if (fault.isPresent()) {
        return at;
      }
      started = true;
    }
    while (!ended) {
      int next = firstLineSeen ? fieldLine(scratch, in, at, end) : firstLine(in, at, end);
      if (next < 0) {
        return at;
      }
      at = next;
    }
    return at;
  }

  private int emptyLines(byte[] in, int end) {
    int at = 0;
    while (at < end) {
      if (in[at] == LF) {
        fault = HeadFault.fault("bare_lf", "LF without CR before the first line");
        return at;
      }
      if (in[at] != CR || at + 1 == end) {
        return at;
      }
      if (in[at + 1] != LF) {
        fault = HeadFault.fault("bare_cr", "CR without LF before the first line");
        return at;
      }
      leadingEmptyLines++;
      if (leadingEmptyLines > MAX_LEADING_EMPTY_LINES) {
        fault =
            HeadFault.fault("leading_empty_lines", "too many empty lines before the first line");
        return at;
      }
      at += 2;
    }
    return at;
  }

  private int firstLine(byte[] in, int at, int end) {
    int next = plainLines ? plainFirstLine(in, at, end) : UNUSUAL;
    if (next == UNUSUAL) {
      int lf = indexOfLf(in, at, end);
      if (lf < 0) {
        return NONE;
      }
      fault = unusualFirstLine(in, at, lf);
      if (fault.isPresent()) {
        return NONE;
      }
      next = lf + 1;
    }
    fault = next - at - 2 > maxFirstLineBytes() ? firstLineTooLong() : Optional.empty();
    firstLineSeen = true;
    return fault.isPresent() ? NONE : next;
  }

  private int plainFirstLine(byte[] in, int at, int end) {
    return switch (kind) {
      case REQUEST -> plainPost(in, at, end);
      case RESPONSE -> plainStatus(in, at, end);
    };
  }

  /** Reads {@code HTTP/1.1 200 OK} or the like. */
  private int plainStatus(byte[] in, int at, int end) {
    int digits = at + HTTP_11_STATUS.length;
    if (!startsWith(HTTP_11_STATUS, in, at, end) || end - digits < 6) {
      return UNUSUAL;
    }
    int code = 0;
    for (int i = digits; i < digits + 3; i++) {
      if (in[i] < '0' || in[i] > '9') {
        return UNUSUAL;
      }
      code = code * 10 + (in[i] - '0');
    }
    if (in[digits + 3] != ' ' || code < 100 || code > 599) {
      return UNUSUAL;
    }
    int cr = digits + 4;
    while (cr < end && in[cr] >= ' ' && in[cr] < 0x7f) {
      cr++;
    }
    if (end - cr < 2 || in[cr] != CR || in[cr + 1] != LF) {
      return UNUSUAL;
    }
    status = code;
    keepStatusLine(in, digits, cr);
    return cr + 2;
  }

  private void keepStatusLine(byte[] in, int from, int end) {
    if (exact) {
      String usual = MessageWriter.statusLine(status);
      boolean isUsual = usual.length() == end - from;
      for (int i = 0; isUsual && i < usual.length(); i++) {
        isUsual = usual.charAt(i) == in[from + i];
      }
      statusLine = isUsual ? "" : new String(in, from, end - from, StandardCharsets.ISO_8859_1);
    }
  }

  /** Reads {@code POST target HTTP/1.1}, which is what agents send. */
  private int plainPost(byte[] in, int at, int end) {
    if (!startsWith(POST, in, at, end)) {
      return UNUSUAL;
    }
    int from = at + POST.length;
    int to = from;
    while (to < end && in[to] > ' ' && in[to] < 0x7f) {
      to++;
    }
    if (to == from || !startsWith(HTTP_11, in, to, end)) {
      return UNUSUAL;
    }
    method = HttpMethod.POST;
    target = new String(in, from, to - from, StandardCharsets.ISO_8859_1);
    return to + HTTP_11.length;
  }

  private static boolean startsWith(byte[] what, byte[] in, int at, int end) {
    if (end - at < what.length) {
      return false;
    }
    for (int i = 0; i < what.length; i++) {
      if (in[at + i] != what[i]) {
        return false;
      }
    }
    return true;
  }

  private Optional<HeadFault> unusualFirstLine(byte[] in, int at, int lf) {
    Optional<HeadFault> wrong = HeadFault.ofEnd(in, at, lf);
    if (wrong.isPresent()) {
      return wrong;
    }
    int end = lf - 1;
    if (end == at) {
      return HeadFault.fault("first_line_malformed", "an empty first line");
    }
    wrong = HeadFault.ofBytes(in, at, end, kind == Kind.REQUEST);
    if (wrong.isPresent()) {
      return wrong;
    }
    String line = new String(in, at, end - at, StandardCharsets.ISO_8859_1);
    return switch (kind) {
      case REQUEST -> {
        wrong = HeadFault.ofRequestLine(line);
        if (wrong.isEmpty()) {
          int first = line.indexOf(' ');
          int last = line.lastIndexOf(' ');
          method = HttpMethod.valueOf(line.substring(0, first));
          target = line.substring(first + 1, last);
          http10 = line.endsWith("0");
        }
        yield wrong;
      }
      case RESPONSE -> {
        wrong = HeadFault.ofStatusLine(line);
        if (wrong.isEmpty()) {
          status = Integer.parseInt(line, 9, 12, 10);
          http10 = line.charAt(7) == '0';
          keepStatusLine(in, at + 9, end);
        }
        yield wrong;
      }
    };
  }

  private int fieldLine(HeadScratch scratch, byte[] in, int at, int end) {
    if (end - at >= 2 && in[at] == CR && in[at + 1] == LF) {
      ended = true;
      fault = framing();
      if (chunked()) {
        fields.cameInChunks();
      }
      return fault.isPresent() ? NONE : at + 2;
    }
    int next = plainLines ? plainField(scratch, in, at, end) : UNUSUAL;
    if (next == UNUSUAL) {
      int lf = indexOfLf(in, at, end);
      if (lf < 0) {
        return NONE;
      }
      fault =
          HeadFault.ofEnd(in, at, lf)
              .or(() -> HeadFault.ofBytes(in, at, lf - 1, kind == Kind.REQUEST && !lenient))
              .or(() -> HeadFault.ofName(in, at, lf - 1));
      if (fault.isPresent()) {
        return NONE;
      }
      add(scratch, in, at, lf - 1);
      next = lf + 1;
    }
    if (next < 0 || fault.isPresent()) {
      return NONE;
    }
    fieldBytes += next - at - 2;
    boolean tooMany = fieldBytes > maxFieldBytes || fields.size() > MAX_FIELDS;
    fault = tooMany ? fieldsTooLarge() : Optional.empty();
    return fault.isPresent() ? NONE : next;
  }

  /** Reads a field whose every byte is a usual one. */
  private int plainField(HeadScratch scratch, byte[] in, int at, int end) {
    int colon = at;
    while (colon < end && TOKEN[in[colon] & 0xff]) {
      colon++;
    }
    if (colon == end) {
      return NONE;
    }
    if (colon == at || in[colon] != ':') {
      return UNUSUAL;
    }
    int cr = colon + 1;
    while (cr < end && ((in[cr] >= ' ' && in[cr] < 0x7f) || in[cr] == '\t')) {
      cr++;
    }
    if (cr + 1 >= end && (cr == end || in[cr] == CR)) {
      return NONE;
    }
    if (in[cr] != CR || in[cr + 1] != LF) {
      return UNUSUAL;
    }
    add(scratch, in, at, colon, cr);
    return cr + 2;
  }

  private void add(HeadScratch scratch, byte[] in, int at, int end) {
    int colon = at;
    while (in[colon] != ':') {
      colon++;
    }
    add(scratch, in, at, colon, end);
  }

  /** Adds the field of a line whose bytes have been looked at. */
  private void add(HeadScratch scratch, byte[] in, int at, int colon, int end) {
    int from = colon + 1;
    while (from < end && isBlank(in[from])) {
      from++;
    }
    FieldName name = scratch.name(in, at, colon - at);
    if (name.kind() == FieldKind.CONTENT_LENGTH) {
      fault = contentLength(in, from, end);
    } else if (name.kind() == FieldKind.TRANSFER_ENCODING) {
      fault = transferEncoding(in, from, end);
    }
    int to = end;
    while (to > from && isBlank(in[to - 1])) {
      to--;
    }
    fields.addChecked(name, new String(in, from, to - from, StandardCharsets.ISO_8859_1));
    if (isExact() && (to < end || from != colon + 2 || in[colon + 1] != ' ')) {
      fields.lastWritten(new String(in, colon + 1, end - colon - 1, StandardCharsets.ISO_8859_1));
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  private Optional<HeadFault> contentLength(byte[] in, int from, int end) {
    contentLengths++;
    if (contentLengths > 1) {
      return HeadFault.fault("content_length_repeated", "expected one Content-Length");
    }
    Optional<HeadFault> wrong = HeadFault.ofContentLength(in, from, end);
    if (wrong.isEmpty()) {
      long length = 0;
      for (int i = from; i < end; i++) {
        length = length * 10 + (in[i] - '0');
      }
      contentLength = length;
    }
    return wrong;
  }

  private Optional<HeadFault> transferEncoding(byte[] in, int from, int end) {
    transferEncodings++;
    return transferEncodings > 1
        ? HeadFault.fault("transfer_encoding_repeated", "expected one Transfer-Encoding")
        : HeadFault.ofTransferEncoding(in, from, end);
  }

  private Optional<HeadFault> framing() {
    if (transferEncodings > 0 && contentLengths > 0) {
      return HeadFault.fault(
          "content_length_with_transfer_encoding",
          "expected Content-Length or Transfer-Encoding, not both");
    }
    if (transferEncodings > 0 && http10) {
      return HeadFault.fault("transfer_encoding_in_http10", "HTTP/1.0 has no Transfer-Encoding");
    }
    return Optional.empty();
  }

  /** Whether the beginning of a line is over the limit of where it stands. */
  private Optional<HeadFault> tooLong(int bytes) {
    // A CR whose LF is still to come is not part of the line.
    if (!firstLineSeen) {
      return bytes - 1 > maxFirstLineBytes() ? firstLineTooLong() : Optional.empty();
    }
    return fieldBytes + bytes - 1 > maxFieldBytes ? fieldsTooLarge() : Optional.empty();
  }

  private static Optional<HeadFault> firstLineTooLong() {
    return Optional.of(
        new HeadFault(414, "request_line_too_long", "the first line is over the limit"));
  }

  private static Optional<HeadFault> fieldsTooLarge() {
    return Optional.of(HeadFault.fieldsTooLarge());
  }

  private static int indexOfLf(byte[] in, int from, int end) {
    for (int i = from; i < end; i++) {
      if (in[i] == LF) {
        return i;
      }
    }
    return NONE;
  }
}
