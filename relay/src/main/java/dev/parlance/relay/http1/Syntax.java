package dev.parlance.relay.http1;

import java.util.Optional;

/** Character classes of RFC 9110 and RFC 3986, and the forms of a target and an authority. */
public final class Syntax {
  private Syntax() {}

  public static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isAlpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  static boolean isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  public static boolean isTokenChar(char c) {
    return isAlpha(c) || isDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  private static boolean isPathChar(char c) {
    return isAlpha(c) || isDigit(c) || "-._~!$&'()*+,;=:@/%".indexOf(c) >= 0;
  }

  /** host or host:port, without user information; host is a name, IPv4, or IPv6 in brackets. */
  public static boolean isAuthority(String text) {
    int portAt;
    if (text.startsWith("[")) {
      int close = text.indexOf(']');
      if (close < 3) {
        return false;
      }
      for (int i = 1; i < close; i++) {
        char c = text.charAt(i);
        if (!isHex(c) && c != ':' && c != '.') {
          return false;
        }
      }
      portAt = close + 1;
    } else {
      int colon = text.indexOf(':');
      portAt = colon < 0 ? text.length() : colon;
      if (portAt == 0) {
        return false;
      }
      for (int i = 0; i < portAt; i++) {
        char c = text.charAt(i);
        if (!isAlpha(c) && !isDigit(c) && c != '-' && c != '.' && c != '_' && c != '~') {
          return false;
        }
      }
    }
    return portAt == text.length() || (text.charAt(portAt) == ':' && isPort(text, portAt + 1));
  }

  private static boolean isPort(String text, int from) {
    int digits = text.length() - from;
    if (digits < 1 || digits > 5) {
      return false;
    }
    int port = 0;
    for (int i = from; i < text.length(); i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
      port = port * 10 + (text.charAt(i) - '0');
    }
    return port >= 1 && port <= 65_535;
  }

  /**
   * The same.
   *
   * @param lenient true if any path of printable characters will do
   */
  public static Optional<HeadFault> originForm(String target, boolean lenient) {
    if (lenient && target.chars().allMatch(c -> c > ' ' && c < 0x7f) && target.startsWith("/")) {
      return Optional.empty();
    }
    if (target.isEmpty() || target.charAt(0) != '/') {
      return HeadFault.fault("target_form", "expected a target that begins with /");
    }
    if (isPlainPath(target)) {
      return Optional.empty();
    }
    int query = target.indexOf('?');
    int pathEnd = query < 0 ? target.length() : query;
    StringBuilder plain = new StringBuilder(pathEnd);
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#' || c == '\\') {
        return HeadFault.fault("target_character", "a character that a target may not hold");
      }
      if (i >= pathEnd) {
        continue;
      }
      if (!isPathChar(c)) {
        return HeadFault.fault("target_character", "a character that a path may not hold");
      }
      if (c != '%') {
        plain.append(c);
        continue;
      }
      if (i + 2 >= pathEnd || !isHex(target.charAt(i + 1)) || !isHex(target.charAt(i + 2))) {
        return HeadFault.fault("target_escape", "expected two hex digits after %");
      }
      int value = Integer.parseInt(target, i + 1, i + 3, 16);
      if (value == 0) {
        return HeadFault.fault("target_escape", "%00 in the path");
      }
      // Only for the look at segments: an origin may decode these before it cuts the path.
      plain.append(value == '\\' ? '/' : (char) value);
      i += 2;
    }
    if (target.substring(0, pathEnd).contains("//")) {
      return HeadFault.fault("target_empty_segment", "an empty segment in the path");
    }
    for (String segment : plain.toString().split("/", -1)) {
      int parameters = segment.indexOf(';');
      String name = parameters < 0 ? segment : segment.substring(0, parameters);
      if (name.equals(".") || name.equals("..")) {
        return HeadFault.fault("target_dot_segment", "a dot segment in the path");
      }
    }
    return Optional.empty();
  }

  /** True for a path of plain characters in which nothing begins with a dot; without a query. */
  private static boolean isPlainPath(String target) {
    char before = '/';
    for (int i = 1; i < target.length(); i++) {
      char c = target.charAt(i);
      boolean plain =
          (c == '/' || c == '.') ? before != '/' : isAlpha(c) || isDigit(c) || c == '-' || c == '_';
      if (!plain) {
        return false;
      }
      before = c;
    }
    return true;
  }
}
