package dev.parlance.proxy.review;

/** What can happen to a held message. */
public sealed interface ReviewEvent {
  /** Longest name of a person, in characters. */
  int WHO_CHARACTERS = 200;

  /** Longest note, in characters. */
  int NOTE_CHARACTERS = 4000;

  /** When it happened, in milliseconds since the epoch. */
  long atMs();

  /**
   * A person lets the message pass.
   *
   * @param who the person, 1 to {@value #WHO_CHARACTERS} characters
   * @param note why, at most {@value #NOTE_CHARACTERS} characters
   * @param atMs when, in milliseconds since the epoch
   */
  record Release(String who, String note, long atMs) implements ReviewEvent {
    /** Refuses a nameless person and a text without bound. */
    public Release {
      checkPerson(who, note);
    }
  }

  /**
   * A person refuses the message.
   *
   * @param who the person, 1 to {@value #WHO_CHARACTERS} characters
   * @param note why, at most {@value #NOTE_CHARACTERS} characters
   * @param atMs when, in milliseconds since the epoch
   */
  record Reject(String who, String note, long atMs) implements ReviewEvent {
    /** Refuses a nameless person and a text without bound. */
    public Reject {
      checkPerson(who, note);
    }
  }

  /**
   * The released message reached the one who asked for it.
   *
   * @param atMs when, in milliseconds since the epoch
   */
  record Deliver(long atMs) implements ReviewEvent {}

  /**
   * The released message was not collected in time.
   *
   * @param atMs when, in milliseconds since the epoch
   */
  record Expire(long atMs) implements ReviewEvent {}

  private static void checkPerson(String who, String note) {
    if (!isWho(who) || !isNote(note)) {
      throw new IllegalArgumentException(
          "expected a name of 1 to "
              + WHO_CHARACTERS
              + " and a note of at most "
              + NOTE_CHARACTERS
              + " characters, got "
              + who.length()
              + " and "
              + note.length());
    }
  }

  /** True if {@code who} names a person. */
  static boolean isWho(String who) {
    return !who.isBlank() && who.length() <= WHO_CHARACTERS;
  }

  /** True if {@code note} is short enough. */
  static boolean isNote(String note) {
    return note.length() <= NOTE_CHARACTERS;
  }
}
