package dev.parlance.proxy.review;

import dev.parlance.policy.text.Coded;

/** What can happen to a held message. */
public sealed interface ReviewEvent {
  /** Longest name of a person, in characters. */
  int WHO_CHARACTERS = 200;

  /** Longest note, in characters. */
  int NOTE_CHARACTERS = 4000;

  /** Most people who have to agree. */
  int MAX_PEOPLE = 8;

  /** When it happened, in milliseconds since the epoch. */
  long atMs();

  /** What a person can decide. */
  enum Verdict implements Coded {
    /** The message passes. */
    RELEASE,
    /** It is refused for good. */
    REJECT,
    /** It is refused, and its author is asked for another one with the note as instruction. */
    SEND_BACK
  }

  /** What people do about a message that waits. */
  sealed interface Deliberating extends ReviewEvent {}

  /**
   * A person takes the message to decide it, or goes on with it.
   *
   * @param who the person, 1 to {@value #WHO_CHARACTERS} characters
   * @param untilMs how long nobody else can, in milliseconds since the epoch
   * @param atMs when, in milliseconds since the epoch
   */
  record Claim(String who, long untilMs, long atMs) implements Deliberating {
    /** Refuses a nameless person and a claim that is over. */
    public Claim {
      checkPerson(who, "");
      if (untilMs <= atMs) {
        throw new IllegalArgumentException("expected a claim that lasts, got " + untilMs);
      }
    }
  }

  /**
   * A person gives the message back undecided.
   *
   * @param who the person, 1 to {@value #WHO_CHARACTERS} characters
   * @param atMs when, in milliseconds since the epoch
   */
  record Unclaim(String who, long atMs) implements Deliberating {
    /** Refuses a nameless person. */
    public Unclaim {
      checkPerson(who, "");
    }
  }

  /**
   * A person decides, as far as it is up to one.
   *
   * @param who the person, 1 to {@value #WHO_CHARACTERS} characters
   * @param note why, at most {@value #NOTE_CHARACTERS} characters
   * @param verdict what
   * @param people how many have to agree, 1 to {@value #MAX_PEOPLE}
   * @param undoMs how long the decision can be undone, 0 or more
   * @param atMs when, in milliseconds since the epoch
   */
  record Vote(String who, String note, Verdict verdict, int people, long undoMs, long atMs)
      implements Deliberating {
    /** Refuses a nameless person, a text without bound, and nobody. */
    public Vote {
      checkPerson(who, note);
      if (people < 1 || people > MAX_PEOPLE || undoMs < 0) {
        throw new IllegalArgumentException(
            "expected 1 to " + MAX_PEOPLE + " people and time to undo, got " + people);
      }
    }

    /** When it counts, if nobody else is needed; in milliseconds since the epoch. */
    long countsAtMs() {
      return atMs + undoMs;
    }
  }

  /**
   * A person takes back what he decided, before it counts.
   *
   * @param who the person, 1 to {@value #WHO_CHARACTERS} characters
   * @param atMs when, in milliseconds since the epoch
   */
  record Undo(String who, long atMs) implements Deliberating {
    /** Refuses a nameless person. */
    public Undo {
      checkPerson(who, "");
    }
  }

  /**
   * What was decided can be undone no more, and takes effect.
   *
   * @param atMs when, in milliseconds since the epoch
   */
  record Count(long atMs) implements Deliberating {}

  /**
   * Nobody has decided in time: others are to.
   *
   * @param to whom, 1 to {@value #WHO_CHARACTERS} characters
   * @param atMs when, in milliseconds since the epoch
   */
  record Escalate(String to, long atMs) implements Deliberating {
    /** Refuses nobody. */
    public Escalate {
      checkPerson(to, "");
    }
  }

  /**
   * The author of an answer that was sent back has given another one, which is held in its place:
   * people decide anew.
   *
   * @param by the new one, with all drafts before it
   * @param atMs when, in milliseconds since the epoch
   */
  record Redraft(HeldMessage by, long atMs) implements ReviewEvent {}

  /**
   * The message passes at once, whatever people do about it.
   *
   * @param who in whose name, 1 to {@value #WHO_CHARACTERS} characters
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
   * The message is refused at once, whatever people do about it.
   *
   * @param who in whose name, 1 to {@value #WHO_CHARACTERS} characters
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
