package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the raw lines of a message head before Netty's decoder does, because the decoder is lenient
 * where lenience splits opinions: it joins folded lines, takes a bare CR or a tab for a space in
 * the first line, and trims what it should refuse.
 *
 * <pre>
 * leading CRLF*   first line CRLF   (name ":" value CRLF)*   CRLF
 * </pre>
 *
 * The scanner consumes nothing. It relies on the decoder consuming every complete line of a head in
 * the same call, so that the next scan begins where the last one ended.
 */
final class HeadScanner {
  /** Which of the two first lines to expect. */
  enum Kind {
    REQUEST,
    RESPONSE
  }

  /** Old clients send a CRLF after a body; more than a few are an attack on patience. */
  private static final int MAX_LEADING_EMPTY_LINES = 4;

  private static final byte CR = '\r';
  private static final byte LF = '\n';

  private final Kind kind;
  private boolean started;
  private boolean firstLineSeen;
  private boolean ended;
  private boolean pendingCr;
  private int leadingEmptyLines;
  private boolean http10;
  private int contentLengths;
  private int transferEncodings;

  HeadScanner(Kind kind) {
    this.kind = kind;
  }

  /** Forgets the head that ended and waits for the next. */
  void reset() {
    started = false;
    firstLineSeen = false;
    ended = false;
    pendingCr = false;
    leadingEmptyLines = 0;
    http10 = false;
    contentLengths = 0;
    transferEncodings = 0;
  }

  /** True once a byte of the first line has been seen. */
  boolean started() {
    return started;
  }

  /** Looks at every complete line; empty means that nothing is wrong so far. */
  Optional<HeadFault> scan(ByteBuf in) {
    int at = in.readerIndex();
    int end = in.writerIndex();
    if (!started) {
      while (at < end) {
        byte b = in.getByte(at);
        if (b == CR && !pendingCr) {
          pendingCr = true;
        } else if (b == LF && pendingCr) {
          pendingCr = false;
          leadingEmptyLines++;
          if (leadingEmptyLines > MAX_LEADING_EMPTY_LINES) {
            return fault("leading_empty_lines", "too many empty lines before the first line");
          }
        } else if (b == LF) {
          return fault("bare_lf", "LF without CR before the first line");
        } else if (b == CR || pendingCr) {
          return fault("bare_cr", "CR without LF before the first line");
        } else {
          break;
        }
        at++;
      }
      if (at == end) {
        return Optional.empty();
      }
      int first = in.getByte(at) & 0xff;
      if (first <= ' ' || first >= 0x7f) {
        return fault("control_before_first_line", "byte " + hex(first) + " before the first line");
      }
      started = true;
    }
    while (!ended) {
      int lf = in.indexOf(at, end, LF);
      if (lf < 0) {
        return Optional.empty();
      }
      if (lf == at || in.getByte(lf - 1) != CR) {
        return fault("bare_lf", "LF without CR in a line of the head");
      }
      Optional<HeadFault> fault = line(in, at, lf - 1);
      if (fault.isPresent()) {
        return fault;
      }
      at = lf + 1;
    }
    return Optional.empty();
  }

  private Optional<HeadFault> line(ByteBuf in, int start, int end) {
    if (start == end) {
      if (!firstLineSeen) {
        return fault("first_line_malformed", "an empty first line");
      }
      ended = true;
      return framing();
    }
    for (int i = start; i < end; i++) {
      int b = in.getByte(i) & 0xff;
      if ((b >= ' ' && b < 0x7f) || b == '\t') {
        continue;
      }
      if (b == CR) {
        return fault("bare_cr", "CR without LF inside a line");
      }
      if (b == 0) {
        return fault("nul", "NUL inside a line");
      }
      if (b < ' ' || b == 0x7f) {
        return fault("control_character", "byte " + hex(b) + " inside a line");
      }
      if (kind == Kind.REQUEST) {
        return fault("non_ascii", "byte " + hex(b) + " in the head; expected ASCII");
      }
    }
    if (!firstLineSeen) {
      firstLineSeen = true;
      String line = in.toString(start, end - start, StandardCharsets.ISO_8859_1);
      return kind == Kind.REQUEST ? requestLine(line) : statusLine(line);
    }
    return fieldLine(in, start, end);
  }

  private Optional<HeadFault> requestLine(String line) {
    int first = line.indexOf(' ');
    int last = line.lastIndexOf(' ');
    if (first <= 0 || first == last || line.indexOf(' ', first + 1) != last || last == first + 1) {
      return fault("request_line_malformed", "expected method, target and version");
    }
    if (line.indexOf('\t') >= 0) {
      return fault("request_line_malformed", "a tab in the request line");
    }
    for (int i = 0; i < first; i++) {
      if (!Syntax.isTokenChar(line.charAt(i))) {
        return fault("method_malformed", "expected a token for the method");
      }
    }
    return version(line.substring(last + 1));
  }

  private Optional<HeadFault> version(String version) {
    if (version.equals("HTTP/1.1")) {
      return Optional.empty();
    }
    if (version.equals("HTTP/1.0")) {
      http10 = true;
      return Optional.empty();
    }
    boolean wellFormed =
        version.length() == 8
            && version.startsWith("HTTP/")
            && Syntax.isDigit(version.charAt(5))
            && version.charAt(6) == '.'
            && Syntax.isDigit(version.charAt(7));
    return wellFormed
        ? Optional.of(new HeadFault(505, "version_unsupported", "expected HTTP/1.1"))
        : fault("version_malformed", "expected HTTP/1.1");
  }

  private Optional<HeadFault> statusLine(String line) {
    if (line.length() < 12 || line.charAt(8) != ' ' || version(line.substring(0, 8)).isPresent()) {
      return fault("status_line_malformed", "expected HTTP/1.1, a status and a reason");
    }
    boolean digits =
        Syntax.isDigit(line.charAt(9))
            && Syntax.isDigit(line.charAt(10))
            && Syntax.isDigit(line.charAt(11));
    if (!digits || (line.length() > 12 && line.charAt(12) != ' ')) {
      return fault("status_line_malformed", "expected a status of three digits");
    }
    if (line.charAt(9) < '1' || line.charAt(9) > '5') {
      return fault("status_out_of_range", "expected a status from 100 to 599");
    }
    return Optional.empty();
  }

  private Optional<HeadFault> fieldLine(ByteBuf in, int start, int end) {
    byte first = in.getByte(start);
    if (first == ' ' || first == '\t') {
      return fault("folded_line", "a header line that begins with a space");
    }
    int colon = in.indexOf(start, end, (byte) ':');
    if (colon < 0) {
      return fault("header_without_colon", "a header line without a colon");
    }
    if (colon == start) {
      return fault("header_name_empty", "a header line without a name");
    }
    for (int i = start; i < colon; i++) {
      char c = (char) (in.getByte(i) & 0xff);
      if (c == ' ' || c == '\t') {
        return fault("space_before_colon", "a space in or after a header name");
      }
      if (c == '_' && kind == Kind.REQUEST) {
        // CGI-style stacks read Content_Length as Content-Length.
        return fault("header_name_underscore", "'_' in a header name");
      }
      if (!Syntax.isTokenChar(c)) {
        return fault("header_name_malformed", "expected a token for a header name");
      }
    }
    int length = colon - start;
    if (length != 14 && length != 17) {
      return Optional.empty();
    }
    String name = in.toString(start, length, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    if (name.equals("content-length")) {
      return contentLength(value(in, colon + 1, end));
    }
    if (name.equals("transfer-encoding")) {
      return transferEncoding(value(in, colon + 1, end));
    }
    return Optional.empty();
  }

  /**
   * The value with leading blanks gone; trailing ones stay, for no client of good faith sends them.
   */
  private static String value(ByteBuf in, int start, int end) {
    int from = start;
    while (from < end && (in.getByte(from) == ' ' || in.getByte(from) == '\t')) {
      from++;
    }
    return in.toString(from, end - from, StandardCharsets.ISO_8859_1);
  }

  private Optional<HeadFault> contentLength(String value) {
    contentLengths++;
    if (contentLengths > 1) {
      return fault("content_length_repeated", "expected one Content-Length");
    }
    // 18 digits always fit a long.
    boolean digits = !value.isEmpty() && value.length() <= 18;
    for (int i = 0; i < value.length() && digits; i++) {
      digits = Syntax.isDigit(value.charAt(i));
    }
    return digits
        ? Optional.empty()
        : fault("content_length_malformed", "expected decimal digits for Content-Length");
  }

  private Optional<HeadFault> transferEncoding(String value) {
    transferEncodings++;
    if (transferEncodings > 1) {
      return fault("transfer_encoding_repeated", "expected one Transfer-Encoding");
    }
    return value.equalsIgnoreCase("chunked")
        ? Optional.empty()
        : fault("transfer_encoding_malformed", "expected chunked and nothing else");
  }

  private Optional<HeadFault> framing() {
    if (transferEncodings > 0 && contentLengths > 0) {
      return fault(
          "content_length_with_transfer_encoding",
          "expected Content-Length or Transfer-Encoding, not both");
    }
    if (transferEncodings > 0 && http10) {
      return fault("transfer_encoding_in_http10", "HTTP/1.0 has no Transfer-Encoding");
    }
    return Optional.empty();
  }

  private static Optional<HeadFault> fault(String code, String detail) {
    return Optional.of(HeadFault.bad(code, detail));
  }

  private static String hex(int b) {
    return String.format(Locale.ROOT, "0x%02x", b);
  }
}
