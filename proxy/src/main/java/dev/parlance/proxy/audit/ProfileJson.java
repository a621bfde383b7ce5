package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parlance.policy.route.Profile;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Profiles with all their settings as fields of a line. They are half of a line and hardly ever
 * change, so the latest ones are kept as bytes. One thread.
 */
final class ProfileJson {
  private static final int KEPT = 8;

  private static final byte[] NAME = ",\"profile\":{\"name\":".getBytes(US_ASCII);
  private static final byte[] SETTINGS = ",\"settings\":{".getBytes(US_ASCII);
  private static final byte[] END = "}}".getBytes(US_ASCII);

  private final @Nullable Profile[] profiles = new Profile[KEPT];
  private final byte[][] encoded = new byte[KEPT][];
  private int next;

  /** The field {@code profile}, comma before it. */
  byte[] of(Profile profile) {
    for (int i = 0; i < KEPT; i++) {
      if (isSame(profiles[i], profile)) {
        return encoded[i];
      }
    }
    byte[] json = encode(profile);
    profiles[next] = profile;
    encoded[next] = json;
    next = (next + 1) % KEPT;
    return json;
  }

  @SuppressWarnings("ReferenceEquality") // comparing 29 settings would cost more than it saves
  private static boolean isSame(@Nullable Profile kept, Profile asked) {
    return kept == asked;
  }

  private static byte[] encode(Profile profile) {
    JsonBytes json = new JsonBytes().raw(NAME).text(profile.name()).raw(SETTINGS);
    char separator = ' ';
    for (Map.Entry<String, Object> setting : profile.settings().entrySet()) {
      if (separator == ',') {
        json.raw(',');
      }
      separator = ',';
      json.text(setting.getKey()).raw(':');
      switch (setting.getValue()) {
        case Double number -> json.number(number.doubleValue());
        case Long number -> json.number(number.longValue());
        case Boolean flag -> json.bool(flag);
        case Object other ->
            throw new IllegalStateException(
                "setting " + setting.getKey() + " is of " + other.getClass());
      }
    }
    return json.raw(END).toByteArray();
  }
}
