package dev.parlance.policy.claim;

import dev.parlance.policy.text.Confusables;
import dev.parlance.policy.text.Utf8Span;

/**
 * Finds the units of a text in one pass: words in ASCII eight bytes at a time, everything else code
 * point by code point.
 */
final class UnitReader {
  /** Of minutes and feet; behind letters an apostrophe. */
  private static final int PRIME = 0x2032;

  private static final int NONE = 0;
  private static final int WORD = 1;
  private static final int HANGUL = 2;
  private static final int HAN = 3;
  private static final int SYLLABLES = 4;
  private static final int SYMBOLS = 5;

  private final Units units;
  private final WordKey key;
  private final Grams grams;

  private byte[] bytes = {};
  private int to;
  private int run;
  private int runStart;
  private int runEnd;
  private int runFlags;

  /** Of which alphabets the letters of a word are. */
  private boolean latin;

  private boolean confusable;

  /** No unit begins before this. */
  private int taken;

  /** Text that is JSON: words in camel case are several. */
  private boolean json;

  UnitReader(Units units, WordKey key) {
    this.units = units;
    this.key = key;
    grams = new Grams(units, key);
  }

  void release() {
    bytes = Utf8Span.EMPTY.array();
  }

  void read(Utf8Span text) {
    bytes = text.array();
    int at = text.arrayOffset();
    to = at + text.length();
    taken = at;
    run = NONE;
    json = Markup.isJson(bytes, at, to);
    while (at < to) {
      byte b = bytes[at];
      if (b < 0) {
        at = wide(at);
      } else if (run == NONE && Folding.ASCII_PLAIN[b]) {
        at++;
      } else if (run == NONE && Folding.ASCII_LOWER[b] != 0 && !json) {
        at = word(at);
      } else {
        at = ascii(at, b);
      }
    }
    endRun();
  }

  /** Reads a word as far as it is ASCII, eight bytes at a time. */
  private int word(int start) {
    long hash = key.first;
    long block;
    boolean digits = false;
    int at = start;
    int length;
    do {
      long eight = AsciiBytes.eight(bytes, at, to);
      length = AsciiBytes.lettersAndDigits(eight);
      block = AsciiBytes.lower(eight, length);
      digits |= AsciiBytes.hasDigit(eight, length);
      at += length;
      if (length == Long.BYTES) {
        hash = WordKey.mix(hash ^ block, key.last);
        block = 0;
      }
    } while (length == Long.BYTES);
    byte first = bytes[start];
    int flags =
        Units.WORD
            | (digits ? Units.DIGITS : Units.PLAIN)
            | (first >= 'A' && first <= 'Z' ? Units.UPPER : 0);
    byte behind = at < to ? bytes[at] : (byte) ' ';
    if (behind == '\'' && isPossessive(at, block, at - start)) {
      flags |= Units.POSSESSIVE;
      taken = at + 2;
    } else if ((mayGoOn(behind) && !(behind == '-' && isJoining(at)))
        || (behind == '`' && isTick(at, to))) {
      run = WORD;
      runStart = start;
      runEnd = at;
      runFlags = flags & ~Units.PLAIN;
      latin = true;
      confusable = false;
      key.resume(hash, block, at - start, bytes[at - 1] | 0x20);
      return at;
    } else {
      taken = at;
    }
    units.add(start, taken, flags, WordKey.end(hash, block, at - start, key.last));
    // The blank behind it is the usual end of a word.
    return behind == ' ' && at < to ? at + 1 : taken;
  }

  /** True of an apostrophe with a possessive s. */
  private boolean isPossessive(int apostrophe, long block, int length) {
    return apostrophe + 1 < to
        && (bytes[apostrophe + 1] | 0x20) == 's'
        && !Markup.isLetterAt(bytes, apostrophe + 2, to)
        && !Markup.isElision(block, length);
  }

  /** True of a hyphen between two words, not one at the end of a line. */
  private boolean isJoining(int hyphen) {
    return hyphen + 1 == to || bytes[hyphen + 1] > ' ';
  }

  private static boolean mayGoOn(byte b) {
    return b < 0 || b == '\'' || b == '-' || b == '&' || b == '*' || b == '\\';
  }

  private int ascii(int at, byte b) {
    byte lower = Folding.ASCII_LOWER[b];
    if (lower != 0) {
      if (json && run == WORD && isCamel(at, b)) {
        endRun();
      }
      begin(WORD, at, b >= 'A' && b <= 'Z');
      key.add(lower);
      runFlags |= b <= '9' ? Units.DIGITS : 0;
      latin |= b > '9';
      runEnd = at + 1;
      return at + 1;
    }
    return switch (b) {
      case '\'' -> apostrophe(at + 1);
      case '-' -> hyphen(at + 1);
      case '`' -> run == WORD && isTick(at, to) ? apostrophe(at + 1) : take(b, at, at + 1);
      case '*' -> emphasis(at);
      case '<' -> tag(at);
      case '=' -> rule(at);
      case '&' -> coded(at, Markup.entity(bytes, at, to));
      case '\\' -> coded(at, Markup.escape(bytes, at, to, json));
      default -> take(b, at, at + 1);
    };
  }

  private boolean isCamel(int at, byte b) {
    return b >= 'A' && b <= 'Z' && bytes[at - 1] >= 'a' && bytes[at - 1] <= 'z';
  }

  private int wide(int at) {
    int codePoint = Markup.codePoint(bytes, at, to);
    if (codePoint < 0) {
      endRun();
      return at + 1;
    }
    return take(codePoint, at, at + Markup.width(codePoint));
  }

  /** Reads a code point that stands in a coded form; {@code coded} has its length above 21 bits. */
  private int coded(int at, int coded) {
    if (coded == 0) {
      return take(bytes[at], at, at + 1);
    }
    return take(coded & 0x1FFFFF, at, at + (coded >>> 21));
  }

  /** Reads a code point that lies from {@code at} to {@code next}; the index to go on at. */
  private int take(int codePoint, int at, int next) {
    long entry = Folding.of(codePoint);
    int folded = Folding.first(entry);
    switch (Folding.kind(entry)) {
      case Folding.LETTER -> {
        add(WORD, folded, at, next, isCapital(codePoint));
        latin |= folded <= 'z';
        confusable |= Confusables.plain(folded) != folded;
      }
      case Folding.DIGIT -> {
        add(WORD, folded, at, next, false);
        runFlags |= Units.DIGITS;
      }
      case Folding.HANGUL -> add(HANGUL, folded, at, next, false);
      case Folding.SYMBOL -> add(SYMBOLS, folded, at, next, false);
      case Folding.MARK -> mark(folded, next);
      case Folding.ACCENT -> accent(codePoint, next);
      case Folding.IGNORED -> {}
      case Folding.HAN -> {
        begin(HAN, at, false);
        grams.character(folded, at);
        runEnd = next;
      }
      case Folding.SYLLABLE, Folding.LEADING_VOWEL, Folding.SYLLABLE_MARK -> {
        begin(SYLLABLES, at, false);
        grams.syllable(Folding.kind(entry), folded, at, codePointAt(next));
        runEnd = next;
      }
      case Folding.RAISED -> raised(codePoint, folded, at, next);
      case Folding.APOSTROPHE -> {
        return apostrophe(next);
      }
      case Folding.HYPHEN -> {
        return hyphen(next);
      }
      case Folding.SEVERAL -> {
        take(folded, at, next);
        take(Folding.second(entry), at, next);
        if (Folding.third(entry) != 0) {
          take(Folding.third(entry), at, next);
        }
        runFlags |= runStart == at && isCapital(codePoint) ? Units.UPPER : 0;
      }
      default -> {
        if (codePoint == PRIME && run == WORD && (runFlags & Units.DIGITS) == 0) {
          return apostrophe(next);
        }
        endRun();
      }
    }
    return next;
  }

  /** True of a backtick that is typed for the apostrophe of isn't. */
  private boolean isTick(int at, int end) {
    return at + 1 < end
        && bytes[at] == '`'
        && (bytes[at + 1] | 0x20) == 't'
        && (bytes[at - 1] | 0x20) == 'n'
        && !Markup.isLetterAt(bytes, at + 2, end);
  }

  private int codePointAt(int at) {
    return at < to ? Markup.codePoint(bytes, at, to) : -1;
  }

  private static boolean isCapital(int codePoint) {
    return Character.isUpperCase(codePoint) || Character.isTitleCase(codePoint);
  }

  private void add(int kind, int folded, int at, int next, boolean capital) {
    begin(kind, at, capital);
    key.add(folded);
    runEnd = next;
  }

  private void begin(int kind, int at, boolean capital) {
    if (run == kind) {
      return;
    }
    endRun();
    run = kind;
    runStart = Math.max(at, taken);
    runFlags = capital ? Units.UPPER : 0;
    if (kind == HAN || kind == SYLLABLES) {
      grams.begin(runStart);
    } else {
      key.reset();
      latin = false;
      confusable = false;
    }
  }

  private void mark(int codePoint, int next) {
    if (run == HAN || run == SYLLABLES) {
      grams.mark(codePoint);
    } else if (run == WORD || run == HANGUL) {
      key.add(codePoint);
    } else {
      return;
    }
    runEnd = next;
  }

  private void accent(int codePoint, int next) {
    if (run == WORD) {
      int added = Folding.afterAccent(key.lastCodePoint(), codePoint);
      if (added != 0) {
        key.add(added);
      }
      runEnd = next;
    }
  }

  /** A raised digit behind a letter or two is one of a unit or formula, else a note or exponent. */
  private void raised(int codePoint, int digit, int at, int next) {
    boolean lowered = codePoint >= 0x2080;
    if (run == WORD && (lowered || ((runFlags & Units.DIGITS) == 0 && key.length() <= 3))) {
      key.add(digit);
      runFlags |= Units.DIGITS;
      runEnd = next;
    } else {
      add(SYMBOLS, codePoint, at, next, false);
    }
  }

  /** Within a word an apostrophe belongs to it, unless it parts an elision or a possessive s. */
  private int apostrophe(int next) {
    if (run != WORD || !Markup.isLetterAt(bytes, next, to)) {
      endRun();
      return next;
    }
    if (Markup.isElision(key.block(), key.length())) {
      runEnd = next;
      endRun();
    } else if ((bytes[next] | 0x20) == 's' && !Markup.isLetterAt(bytes, next + 1, to)) {
      runEnd = next + 1;
      runFlags |= Units.POSSESSIVE;
      endRun();
      return next + 1;
    } else {
      key.add('\'');
    }
    return next;
  }

  private int hyphen(int next) {
    if (run == WORD && (runFlags & Units.DIGITS) == 0) {
      int joined = Markup.wordGoesOn(bytes, next, to);
      if (joined > 0) {
        return joined;
      }
    }
    endRun();
    return next;
  }

  private int emphasis(int at) {
    int next = at;
    while (next < to && bytes[next] == '*') {
      next++;
    }
    boolean within = run == WORD && runEnd == at && at - runStart > 1 && next < to;
    if (!within || bytes[next] < 'a' || bytes[next] > 'z') {
      endRun();
    }
    return next;
  }

  /** Three and more underline a title, or are a rule. */
  private int rule(int at) {
    int next = at;
    while (next < to && bytes[next] == '=') {
      next++;
    }
    if (next - at < 3) {
      return take('=', at, at + 1);
    }
    endRun();
    return next;
  }

  private int tag(int at) {
    int end = Markup.tagEnd(bytes, at, to);
    if (end == 0) {
      return take('<', at, at + 1);
    }
    if (Markup.isBlock(bytes, at)) {
      endRun();
    }
    return end;
  }

  /** A word that mixes alphabets is that which it looks like: a Cyrillic o makes no other "not". */
  private void readByLooks() {
    key.reset();
    for (int at = runStart; at < runEnd; ) {
      int codePoint = bytes[at];
      int next = at + 1;
      if (codePoint < 0) {
        codePoint = Markup.codePoint(bytes, at, to);
        next = at + Markup.width(codePoint);
      } else if (codePoint == '&' || codePoint == '\\') {
        int coded =
            codePoint == '&' ? Markup.entity(bytes, at, to) : Markup.escape(bytes, at, to, json);
        codePoint = coded == 0 ? codePoint : coded & 0x1FFFFF;
        next = coded == 0 ? next : at + (coded >>> 21);
      }
      addByLooks(codePoint);
      at = next;
    }
  }

  private void addByLooks(int codePoint) {
    long entry = Folding.of(codePoint);
    switch (Folding.kind(entry)) {
      case Folding.LETTER, Folding.DIGIT, Folding.MARK, Folding.RAISED ->
          key.add(Confusables.plain(Folding.first(entry)));
      case Folding.SEVERAL -> {
        addByLooks(Folding.first(entry));
        addByLooks(Folding.second(entry));
        if (Folding.third(entry) != 0) {
          addByLooks(Folding.third(entry));
        }
      }
      case Folding.ACCENT -> {
        int added = Folding.afterAccent(key.lastCodePoint(), codePoint);
        if (added != 0) {
          key.add(added);
        }
      }
      case Folding.APOSTROPHE -> key.add('\'');
      default -> {} // not seen, or a mark at which the word goes on
    }
  }

  private void endRun() {
    if (run == WORD && latin && confusable) {
      readByLooks();
    }
    switch (run) {
      case WORD, HANGUL -> units.add(runStart, runEnd, runFlags | Units.WORD, key.end());
      case SYMBOLS -> units.add(runStart, runEnd, Units.SYMBOL, key.end());
      case HAN, SYLLABLES -> grams.end(runEnd);
      default -> {
        return;
      }
    }
    taken = runEnd;
    run = NONE;
  }
}
