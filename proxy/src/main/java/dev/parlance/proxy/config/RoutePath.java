package dev.parlance.proxy.config;

/**
 * Paths as routes compare them. A path that an origin would take for the same resource must not
 * reach a laxer route, so escapes of unreserved characters are undone, dot segments removed (RFC
 * 3986, 6.2.2) and repeated slashes joined; query and fragment do not count.
 */
final class RoutePath {
  private RoutePath() {}

  /** The path that routes are compared with; always begins with a slash. */
  static String normalise(String target) {
    int end = target.length();
    for (int i = 0; i < end; i++) {
      char c = target.charAt(i);
      if (c == '?' || c == '#') {
        end = i;
      }
    }
    String path = isPlain(target, end) ? target.substring(0, end) : clean(target.substring(0, end));
    return path.isEmpty() ? "/" : path;
  }

  /** True if the path lies at or below the prefix; a prefix ends at a segment boundary. */
  static boolean startsWith(String path, String prefix) {
    if (!path.startsWith(prefix)) {
      return false;
    }
    return prefix.endsWith("/")
        || path.length() == prefix.length()
        || path.charAt(prefix.length()) == '/';
  }

  /** Most paths need nothing done: no escape, no dot after a slash, no double slash. */
  private static boolean isPlain(String target, int end) {
    if (end == 0 || target.charAt(0) != '/') {
      return false;
    }
    for (int i = 0; i < end; i++) {
      char c = target.charAt(i);
      if (c == '%' || c == '\\') {
        return false;
      }
      if (c == '/' && i + 1 < end && (target.charAt(i + 1) == '.' || target.charAt(i + 1) == '/')) {
        return false;
      }
    }
    return true;
  }

  private static String clean(String raw) {
    String decoded = decodeUnreserved(raw);
    StringBuilder out = new StringBuilder(decoded.length() + 1);
    boolean endsWithSlash = false;
    for (String segment : decoded.split("/", -1)) {
      switch (segment) {
        case "", "." -> endsWithSlash = true;
        case ".." -> {
          out.setLength(Math.max(0, out.lastIndexOf("/")));
          endsWithSlash = true;
        }
        default -> {
          out.append('/').append(segment);
          endsWithSlash = false;
        }
      }
    }
    return endsWithSlash ? out.append('/').toString() : out.toString();
  }

  private static String decodeUnreserved(String raw) {
    StringBuilder out = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%' && i + 2 < raw.length()) {
        int value =
            Character.digit(raw.charAt(i + 1), 16) * 16 + Character.digit(raw.charAt(i + 2), 16);
        if (value > 0 && isUnreserved((char) value)) {
          out.append((char) value);
          i += 2;
          continue;
        }
      }
      out.append(c);
    }
    return out.toString();
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }
}
