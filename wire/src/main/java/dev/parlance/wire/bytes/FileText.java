package dev.parlance.wire.bytes;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The text of a file that stands in a message as base64. A picture may pass where text is judged,
 * so what calls itself a picture and is text is read as the text that it is.
 *
 * @param text what it says; empty for a file that is no text
 * @param isRead true if that is all of it, for any reader
 */
public record FileText(Optional<Utf8Span> text, boolean isRead) {
  /** As much of a file as tells text from anything else: 192 bytes of it. */
  private static final int HEAD_CHARS = 256;

  private static final String SCHEME = "data:";
  private static final FileText NONE = new FileText(Optional.empty(), false);

  /**
   * Reads a file.
   *
   * @param base64 the file, in either alphabet; what is no base64 is text
   * @param isDeclared true if its media type is one of text
   */
  public static FileText of(Utf8Span base64, boolean isDeclared) {
    try {
      byte[] head = decode(base64.slice(0, Math.min(base64.length(), HEAD_CHARS)));
      if (!isDeclared && !isText(head)) {
        return NONE;
      }
      byte[] all = decode(base64);
      return Utf8.firstInvalid(all) < 0
          ? new FileText(Optional.of(Utf8Span.of(all)), isDeclared)
          : unsure(Utf8Span.of(new String(all, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException notBase64) {
      return unsure(base64);
    }
  }

  /** The file that stands in a {@code data:} URL. */
  public static Optional<FileText> inline(Utf8Span url) {
    int comma = 0;
    while (comma < url.length() && url.byteAt(comma) != ',') {
      comma++;
    }
    boolean isInline =
        comma < url.length()
            && url.slice(0, Math.min(comma, SCHEME.length())).toString().equalsIgnoreCase(SCHEME);
    return isInline
        ? Optional.of(of(url.slice(comma + 1, url.length() - comma - 1), /* isDeclared= */ false))
        : Optional.empty();
  }

  private static FileText unsure(Utf8Span text) {
    return new FileText(Optional.of(text), false);
  }

  private static byte[] decode(Utf8Span base64) {
    byte[] given = base64.toByteArray();
    boolean isForUrls = false;
    for (byte b : given) {
      isForUrls |= b == '-' || b == '_';
    }
    return (isForUrls ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(given);
  }

  /** No control characters but white space; a character may be cut at the end. */
  private static boolean isText(byte[] head) {
    for (byte b : head) {
      boolean isControl = b >= 0 && (b < ' ' || b == 0x7f);
      if (isControl && b != '\n' && b != '\r' && b != '\t' && b != '\f') {
        return false;
      }
    }
    int invalid = Utf8.firstInvalid(head);
    return invalid < 0 || head.length - invalid < 4;
  }
}
