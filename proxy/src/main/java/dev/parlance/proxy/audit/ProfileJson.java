package dev.parlance.proxy.audit;

import dev.parlance.policy.route.Profile;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code profile} of decisions, of the latest profiles: a look-up by the object, where
 * {@link LoggedProfiles} goes by the settings. One thread.
 */
final class ProfileJson {
  private static final int KEPT = 8;

  private final LoggedProfiles logged;
  private final @Nullable Profile[] profiles = new Profile[KEPT];
  private final byte[][] encoded = new byte[KEPT][];
  private int next;

  /**
   * Of none yet.
   *
   * @param logged those of the log, to which all that are asked for are added
   */
  ProfileJson(LoggedProfiles logged) {
    this.logged = logged;
  }

  /** The field {@code profile}, comma before it. */
  byte[] of(Profile profile) {
    for (int i = 0; i < KEPT; i++) {
      if (isSame(profiles[i], profile)) {
        return encoded[i];
      }
    }
    byte[] json = logged.name(profile).field();
    profiles[next] = profile;
    encoded[next] = json;
    next = (next + 1) % KEPT;
    return json;
  }

  @SuppressWarnings("ReferenceEquality") // comparing 29 settings would cost more than it saves
  private static boolean isSame(@Nullable Profile kept, Profile asked) {
    return kept == asked;
  }
}
