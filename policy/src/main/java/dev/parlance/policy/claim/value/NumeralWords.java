package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.RawTokens.MASK;
import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.GLUED;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

/** Makes digits of number words: of several tokens, and of words that several are written in. */
final class NumeralWords {
  private final RawTokens tokens;
  private final ValueLexicon lexicon;
  private final NumeralPhrase phrase = new NumeralPhrase();
  private final NumeralPhrase joinedPhrase = new NumeralPhrase();
  private int language;

  /** The token that is looked at. */
  private int done;

  NumeralWords(RawTokens tokens, ValueLexicon lexicon) {
    this.tokens = tokens;
    this.lexicon = lexicon;
  }

  /** In this language, 0 for an unknown one. */
  void language(int textLanguage) {
    language = textLanguage;
  }

  /** Makes one token of digits of the number words from a token on, if they are a number. */
  void join(int token) {
    done = token;
    long first = number(done);
    if (first < 0 || isScaleBehindDigits()) {
      return;
    }
    phrase.start(first);
    int last = done;
    for (int next = done + 1; next < done + 24; next++) {
      int word = next;
      if (!isJoined(word)) {
        break;
      }
      boolean and = lexicon.is(tokens.entries[word & MASK], WordRole.AND);
      if (and) {
        word++;
        if (!isJoined(word)) {
          break;
        }
      }
      long number = number(word);
      if (number < 0 || !phrase.add(number, and, language)) {
        break;
      }
      last = word;
      next = word;
    }
    if (!phrase.isNumber()) {
      return;
    }
    int first0 = done & MASK;
    tokens.types[first0] = DIGITS;
    tokens.values[first0] = phrase.value();
    tokens.counts[first0] = RawTokens.decimalDigits(phrase.value());
    tokens.words[first0] = true;
    tokens.ends[first0] = tokens.ends[last & MASK];
    int moved = last - done;
    for (int i = last + 1; i < tokens.count && moved > 0; i++) {
      tokens.copy(i, i - moved);
    }
    tokens.count -= moved;
  }

  private long number(int token) {
    return number(
        tokens.entries[token & MASK], tokens.starts[token & MASK], tokens.ends[token & MASK]);
  }

  private long number(int entry, int from, int to) {
    return entry == ValueLexicon.UNKNOWN ? joined(from, to) : lexicon.number(entry, language);
  }

  /** The value of a word that several number words are written in, or -1. */
  long joined(int from, int to) {
    if (to - from < 6
        || to - from > NumeralPhrase.MAX_BYTES
        || (language != 0 && !JoinedNumbers.isJoining(language))) {
      return -1;
    }
    if (!lexicon.joined.mayBeginWith(
        tokens.text.bytes[from], tokens.text.bytes[from + 1], tokens.text.bytes[from + 2])) {
      return -1;
    }
    joinedPhrase.clearText();
    for (int i = from; i < to; i += tokens.text.length) {
      tokens.text.decode(i);
      joinedPhrase.addText(tokens.text.codePoint);
    }
    if (language != 0) {
      return joinedPhrase.joined(lexicon, language);
    }
    for (int joining : JoinedNumbers.languages()) {
      long number = joinedPhrase.joined(lexicon, joining);
      if (number >= 0) {
        return number;
      }
    }
    return -1;
  }

  /** True if a token is a word right behind another one of a phrase. */
  private boolean isJoined(int token) {
    while (tokens.count <= token) {
      tokens.read();
    }
    int i = token & MASK;
    if (tokens.types[i] == SYMBOL && tokens.values[i] == '-' && tokens.gaps[i] == GLUED) {
      while (tokens.count <= token + 1) {
        tokens.read();
      }
      int after = token + 1 & MASK;
      if (tokens.types[after] == WORD && tokens.gaps[after] == GLUED && number(token + 1) >= 0) {
        // twenty-five: the hyphen goes, the word stands right behind.
        for (int j = token + 1; j < tokens.count; j++) {
          tokens.copy(j, j - 1);
        }
        tokens.count--;
        return true;
      }
      return false;
    }
    return tokens.types[i] == WORD && tokens.gaps[i] <= NARROW;
  }

  /** 5 million, 12,5 Tausend: the word multiplies the number before it. */
  private boolean isScaleBehindDigits() {
    int i = done & MASK;
    return done > 0
        && tokens.types[done - 1 & MASK] == DIGITS
        && tokens.gaps[i] <= NARROW
        && tokens.entries[i] != 0
        && lexicon.scale(tokens.entries[i]) >= 0;
  }
}
