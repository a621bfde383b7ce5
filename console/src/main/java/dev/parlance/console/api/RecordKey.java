package dev.parlance.console.api;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Names that may hold anything, as segments of a path. */
final class RecordKey {
  private RecordKey() {}

  static String of(String name) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(name.getBytes(StandardCharsets.UTF_8));
  }

  /** The name again; what is no key is no name of anything. */
  static String text(String key) {
    try {
      return new String(Base64.getUrlDecoder().decode(key), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }
}
