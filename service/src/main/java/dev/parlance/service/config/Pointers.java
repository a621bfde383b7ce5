package dev.parlance.service.config;

/** The parts of JSON Pointers (RFC 6901). */
public final class Pointers {
  private Pointers() {}

  public static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  public static String unescape(String segment) {
    return segment.replace("~1", "/").replace("~0", "~");
  }
}
