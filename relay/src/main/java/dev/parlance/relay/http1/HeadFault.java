package dev.parlance.relay.http1;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Why the bytes of a message are not HTTP/1.1 as strictly read, and the checks of a line of a head
 * that find it. Everything that splits the opinions of servers is refused: folded lines, a bare CR
 * or LF, a tab for a space, blanks around names. Pure; {@link HeadReader} asks here about every
 * line that is not of the plainest form.
 *
 * @param status status to answer a request with; a response with a fault is never passed on
 * @param code stable reason code
 * @param detail bad value and what was expected; ASCII
 */
public record HeadFault(int status, String code, String detail) {
  /** The first line has no version of HTTP: whoever sent it would not read an answer as one. */
  public static final String NO_HTTP = "no_http";

  private static final byte CR = '\r';

  /** A fault that is answered with 400. */
  public static HeadFault bad(String code, String detail) {
    return new HeadFault(400, code, detail);
  }

  /** Fields that take more bytes than they may, or are more than they may be. */
  public static HeadFault fieldsTooLarge() {
    return new HeadFault(431, "headers_too_large", "the headers are over the limit");
  }

  /**
   * Looks at the end of a line.
   *
   * @param start where the line begins
   * @param lf where its LF stands
   */
  static Optional<HeadFault> ofEnd(byte[] in, int start, int lf) {
    return lf == start || in[lf - 1] != CR
        ? fault("bare_lf", "LF without CR in a line of the head")
        : Optional.empty();
  }

  /** Looks at every byte of a line, which ends before {@code end}. */
  static Optional<HeadFault> ofBytes(byte[] in, int start, int end, boolean asciiOnly) {
    for (int i = start; i < end; i++) {
      int b = in[i] & 0xff;
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
      if (asciiOnly) {
        return fault("non_ascii", "byte " + hex(b) + " in the head; expected ASCII");
      }
    }
    return Optional.empty();
  }

  /** Looks at the byte with which a first line begins. */
  static Optional<HeadFault> ofFirstByte(byte first) {
    int b = first & 0xff;
    return b <= ' ' || b >= 0x7f
        ? fault("control_before_first_line", "byte " + hex(b) + " before the first line")
        : Optional.empty();
  }

  static Optional<HeadFault> ofRequestLine(String line) {
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
    return ofVersion(line.substring(last + 1));
  }

  private static Optional<HeadFault> ofVersion(String version) {
    if (version.equals("HTTP/1.1") || version.equals("HTTP/1.0")) {
      return Optional.empty();
    }
    boolean wellFormed =
        version.length() == 8
            && version.startsWith("HTTP/")
            && Syntax.isDigit(version.charAt(5))
            && version.charAt(6) == '.'
            && Syntax.isDigit(version.charAt(7));
    if (!version.regionMatches(true, 0, "HTTP/", 0, 5)) {
      return fault(NO_HTTP, "expected HTTP/1.1, as HTTP/1.x or the preface of HTTP/2");
    }
    return wellFormed
        ? Optional.of(new HeadFault(505, "version_unsupported", "expected HTTP/1.1"))
        : fault("version_malformed", "expected HTTP/1.1");
  }

  static Optional<HeadFault> ofStatusLine(String line) {
    if (line.length() < 12
        || line.charAt(8) != ' '
        || ofVersion(line.substring(0, 8)).isPresent()) {
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

  /** Looks at the name of a field, whose bytes have been looked at. */
  static Optional<HeadFault> ofName(byte[] in, int start, int end) {
    byte first = in[start];
    if (first == ' ' || first == '\t') {
      return fault("folded_line", "a header line that begins with a space");
    }
    int colon = start;
    while (colon < end && in[colon] != ':') {
      colon++;
    }
    if (colon == end) {
      return fault("header_without_colon", "a header line without a colon");
    }
    if (colon == start) {
      return fault("header_name_empty", "a header line without a name");
    }
    for (int i = start; i < colon; i++) {
      char c = (char) (in[i] & 0xff);
      if (c == ' ' || c == '\t') {
        return fault("space_before_colon", "a space in or after a header name");
      }
      if (!Syntax.isTokenChar(c)) {
        return fault("header_name_malformed", "expected a token for a header name");
      }
    }
    return Optional.empty();
  }

  /** Looks at the value of Content-Length; blanks behind it are refused. */
  static Optional<HeadFault> ofContentLength(byte[] in, int start, int end) {
    // 18 digits always fit a long.
    boolean digits = start < end && end - start <= 18;
    for (int i = start; i < end && digits; i++) {
      digits = Syntax.isDigit((char) (in[i] & 0xff));
    }
    return digits
        ? Optional.empty()
        : fault("content_length_malformed", "expected decimal digits for Content-Length");
  }

  /** Looks at the value of Transfer-Encoding; blanks behind it are refused. */
  static Optional<HeadFault> ofTransferEncoding(byte[] in, int start, int end) {
    String value = new String(in, start, end - start, StandardCharsets.ISO_8859_1);
    return value.equalsIgnoreCase("chunked")
        ? Optional.empty()
        : fault("transfer_encoding_malformed", "expected chunked and nothing else");
  }

  /** The same, for a check that finds it. */
  public static Optional<HeadFault> fault(String code, String detail) {
    return Optional.of(bad(code, detail));
  }

  private static String hex(int b) {
    return String.format(Locale.ROOT, "0x%02x", b);
  }
}
