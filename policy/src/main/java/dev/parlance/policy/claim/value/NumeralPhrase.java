package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.Folding;

/**
 * The number that words say together: {@code two hundred and fifty}, {@code
 * zweitausendfünfhundert}, {@code quatre-vingt-dix}.
 */
final class NumeralPhrase {
  /** Longest word that is taken apart. */
  static final int MAX_BYTES = 48;

  private static final long LIMIT = 1_000_000_000_000_000L;

  private long total;
  private long current;
  private long last;
  private long scale;
  private int words;

  private final char[] text = new char[2 * MAX_BYTES];
  private int length;

  void start(long first) {
    total = 0;
    current = first;
    last = first;
    scale = Long.MAX_VALUE;
    words = 1;
    if (first >= 1000) {
      total = first;
      current = 0;
      scale = first;
    }
  }

  /** Adds a word; false if it does not belong to the number before it. */
  boolean add(long number, boolean and, int language) {
    if (number >= 1000) {
      if (and || number >= scale || current == 0 || current * (double) number > LIMIT) {
        return false;
      }
      total += current * number;
      current = 0;
      scale = number;
    } else if (number == 100) {
      if (and || current == 0 || current >= 100) {
        return false;
      }
      current *= 100;
    } else if (last >= 100) {
      if (number >= 100 && last < 1000) {
        return false;
      }
      current += number;
    } else if (last >= 20
        && last % 10 == 0
        && number < 10
        && number > 0
        && (!and || language != ValueLexicon.ENGLISH)) {
      current += number;
    } else if (last == 10 && number < 10 && number > 0 && language == ValueLexicon.TURKISH) {
      // on dört
      current += number;
    } else if (number == 12 && last >= 2 && last < 10 && words == 1 && !and) {
      // two dozen
      current = last * 12;
    } else if (number == 20 && last == 4) {
      // quatre-vingt
      current = current - 4 + 80;
    } else if ((last == 60 || (last == 20 && current % 100 == 80)) && number >= 10 && number < 20) {
      current += number;
    } else {
      return false;
    }
    last = number;
    words++;
    return true;
  }

  /** False of a word like million that multiplies what is not there. */
  boolean isNumber() {
    return words > 1 || (last != 1_000_000 && last != 1_000_000_000 && last != 1_000_000_000_000L);
  }

  long value() {
    return total + current;
  }

  void clearText() {
    length = 0;
  }

  /** Adds a character of a word that is to be taken apart. */
  void addText(int codePoint) {
    long entry = Folding.of(codePoint);
    int kind = Folding.kind(entry);
    if (length + 2 > text.length || kind == Folding.ACCENT || kind == Folding.IGNORED) {
      return;
    }
    text[length++] = (char) Folding.first(entry);
    if (kind == Folding.SEVERAL) {
      text[length++] = (char) Folding.second(entry);
    }
  }

  /** The value of number words written together, or -1 if the text is anything else. */
  long joined(ValueLexicon lexicon, int language) {
    int from = 0;
    long sum = -1;
    long unit = -1;
    while (from < length) {
      JoinedNumbers.Piece piece = lexicon.joined.piece(text, from, length, language);
      if (piece == null) {
        return -1;
      }
      from += piece.text().length();
      if (piece.value() < 0) {
        // einundzwanzig, eenentwintig: the unit stands before.
        if (sum < 0 || from >= length) {
          return -1;
        }
        unit = last < 10 && words > 0 ? last : 0;
        continue;
      }
      if (sum < 0) {
        start(piece.value());
      } else if (unit > 0 && piece.value() >= 20 && piece.value() < 100) {
        current += piece.value();
        last = 1;
        words++;
      } else if (unit < 0 ? !add(piece.value(), false, 0) : !add(piece.value(), true, 0)) {
        return -1;
      }
      unit = -1;
      sum = 0;
    }
    return words > 1 ? value() : -1;
  }
}
