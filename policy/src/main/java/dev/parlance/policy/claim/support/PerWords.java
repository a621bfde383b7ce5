package dev.parlance.policy.claim.support;

import dev.parlance.policy.text.Utf8Span;

/**
 * What an amount is for, as the words behind it say: 25 euros <em>per trip</em>, 47 kWh <em>per 100
 * cycles</em>.
 */
final class PerWords {
  private static final byte[][] WORDS = {
    Utf8Span.of(" per ").toByteArray(),
    Utf8Span.of(" pro ").toByteArray(),
    Utf8Span.of(" par ").toByteArray(),
    Utf8Span.of(" por ").toByteArray(),
    Utf8Span.of(" a ").toByteArray(),
    Utf8Span.of(" an ").toByteArray(),
    Utf8Span.of("/").toByteArray(),
  };

  private static final byte[][] PERSONS = {
    Utf8Span.of("person").toByteArray(),
    Utf8Span.of("head").toByteArray(),
    Utf8Span.of("capita").toByteArray(),
    Utf8Span.of("kopf").toByteArray(),
  };

  /** Letters of a word that are compared: its ending is inflected. */
  private static final int COMPARED = 4;

  private PerWords() {}

  /**
   * True if both amounts say what they are for, and it is not the same.
   *
   * @param start where the one begins in its text
   * @param end where it ends, its unit included, which may say what it is for
   */
  static boolean differ(
      Utf8Span text, int start, int end, Utf8Span other, int otherStart, int otherEnd) {
    int word = behind(text, start, end);
    int otherWord = behind(other, otherStart, otherEnd);
    if (word < 0 || otherWord < 0) {
      return false;
    }
    if (isPerson(text, word) && isPerson(other, otherWord)) {
      return false;
    }
    int same = 0;
    while (same < COMPARED
        && isOfWord(text, word + same)
        && isOfWord(other, otherWord + same)
        && (text.byteAt(word + same) | 0x20) == (other.byteAt(otherWord + same) | 0x20)) {
      same++;
    }
    boolean ends = !isOfWord(text, word + same) || !isOfWord(other, otherWord + same);
    return same == 0 || (same < COMPARED && !ends);
  }

  /**
   * True if an amount is for one of what bytes of another text name: 140 euros per night, nights.
   */
  static boolean isFor(
      Utf8Span text, int from, int to, Utf8Span other, int otherStart, int otherEnd) {
    int word = behind(other, otherStart, otherEnd);
    for (int at = from; at < to && word >= 0; at++) {
      int same = 0;
      while (same < COMPARED
          && at + same < to
          && isOfWord(other, word + same)
          && (text.byteAt(at + same) | 0x20) == (other.byteAt(word + same) | 0x20)) {
        same++;
      }
      boolean begins = at == 0 || !isOfWord(text, at - 1);
      if (begins && same > 2 && (same == COMPARED || !isOfWord(other, word + same))) {
        return true;
      }
    }
    return false;
  }

  /** True of the words for a person who is counted: per head is per person. */
  private static boolean isPerson(Utf8Span text, int word) {
    for (byte[] person : PERSONS) {
      int same = 0;
      while (same < person.length
          && word + same < text.length()
          && (text.byteAt(word + same) | 0x20) == person[same]) {
        same++;
      }
      if (same == person.length) {
        return true;
      }
    }
    return false;
  }

  /** Where the word begins that stands behind "per", in an amount or right behind it; or -1. */
  private static int behind(Utf8Span text, int start, int end) {
    for (int from = start; from <= end; from++) {
      for (byte[] per : WORDS) {
        int at = from;
        int i = 0;
        while (i < per.length && at < text.length() && text.byteAt(at) == per[i]) {
          at++;
          i++;
        }
        if (i == per.length && isOfWord(text, at)) {
          return at;
        }
      }
    }
    return -1;
  }

  private static boolean isOfWord(Utf8Span text, int at) {
    if (at >= text.length()) {
      return false;
    }
    int b = text.byteAt(at);
    int lower = b | 0x20;
    return b < 0 || (lower >= 'a' && lower <= 'z') || (b >= '0' && b <= '9');
  }
}
