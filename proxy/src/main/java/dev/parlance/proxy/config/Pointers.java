package dev.parlance.proxy.config;

/** JSON Pointers (RFC 6901) and how values are shown in messages. */
public final class Pointers {
  private static final int SHOWN_CHARS = 60;

  private Pointers() {}

  public static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  public static String unescape(String segment) {
    return segment.replace("~1", "/").replace("~0", "~");
  }

  /** The text on one line, printable, at most {@value #SHOWN_CHARS} characters. */
  public static String shown(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length() && i < SHOWN_CHARS; i++) {
      char c = text.charAt(i);
      out.append(c < ' ' || (c >= 0x7f && c <= 0x9f) || Character.isSurrogate(c) ? '?' : c);
    }
    return text.length() > SHOWN_CHARS ? out.append("...").toString() : out.toString();
  }
}
