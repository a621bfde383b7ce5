package dev.parlance.proxy.audit;

import dev.parlance.policy.route.Profile;
import org.jspecify.annotations.Nullable;

/**
 * Profiles with all their settings as fields of a line. They are half of a line and hardly ever
 * change, so the latest ones are kept as bytes. One thread.
 */
final class ProfileJson {
  private static final int KEPT = 8;

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
    JsonBytes json =
        new JsonBytes().raw(',').begin("profile").whole("name", profile.name()).begin("settings");
    profile
        .settings()
        .forEach((name, value) -> {
          switch (value) {
            case Double number -> json.member(name, number.doubleValue());
            case Long number -> json.member(name, number.longValue());
            case Boolean flag -> json.member(name, flag.booleanValue());
            case String choice -> json.whole(name, choice);
            case Object other ->
                throw new IllegalStateException("setting " + name + " is of " + other.getClass());
          }
        });
    return json.raw('}').raw('}').toByteArray();
  }
}
