package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.Texts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Joins texts beside the answer to the text that is judged, each once: what stands there already
 * word for word, what the asker said itself, ids of the evidence and what passed here before are
 * left out.
 *
 * <p>A text stands there if no word or number of the answer goes on beyond it (200 is not in 2000),
 * and a sentence, four words or more, if it is one there too, a line or a string of JSON: what the
 * answer denies or makes a condition of is news where it stands alone.
 *
 * <p>Looking for a text in the answer is bounded by {@value #MAX_COMPARED_BYTES} compared bytes for
 * one answer; past them everything is added, which judges more and never less.
 */
public final class SideTexts {
  private static final int MAX_COMPARED_BYTES = 1 << 24;

  /** Blanks in four words. */
  private static final int SENTENCE_BLANKS = 3;

  private final Relayed relayed;
  private final Arena memory;

  // Spans can be ordered, so the table stays fast among colliding hashes.
  private final Set<Utf8Span> known = new HashSet<>();
  private long compared;

  /**
   * Nothing is known yet.
   *
   * @param memory for what is put together
   */
  public SideTexts(Relayed relayed, Arena memory) {
    this.relayed = relayed;
    this.memory = memory;
  }

  /** Texts that are no news. */
  public void know(Collection<Utf8Span> texts) {
    known.addAll(texts);
  }

  /** The answer and whatever of the others is not in it, joined by line feeds. */
  public Utf8Span join(List<Utf8Span> answer, List<Utf8Span> others) {
    Utf8Span main = Texts.join(answer, memory);
    List<Utf8Span> all = new ArrayList<>(answer);
    for (Utf8Span other : others) {
      if (!other.isEmpty()
          && !known.contains(other)
          && !relayed.knows(other)
          && !isIn(main, other)) {
        known.add(other);
        all.add(other);
      }
    }
    return all.size() == answer.size() ? main : Texts.join(all, memory);
  }

  private boolean isIn(Utf8Span text, Utf8Span part) {
    byte[] bytes = text.array();
    byte[] sought = part.array();
    int last = text.arrayOffset() + text.length() - part.length();
    for (int at = text.arrayOffset(); at <= last && compared < MAX_COMPARED_BYTES; at++) {
      int same = 0;
      while (same < part.length() && bytes[at + same] == sought[part.arrayOffset() + same]) {
        same++;
      }
      compared += same + 1;
      if (same == part.length() && standsAlone(text, at - text.arrayOffset(), part.length())) {
        return true;
      }
    }
    return false;
  }

  /** True for a stretch of the answer that says there what it says alone. */
  private static boolean standsAlone(Utf8Span text, int from, int length) {
    int to = from + length;
    if ((isWord(text, from) && goesOnBefore(text, from))
        || (isWord(text, to - 1) && goesOnBehind(text, to))) {
      return false;
    }
    return !isSentence(text.slice(from, length))
        || isString(text, from, to)
        || (beginsSentence(text, from) && endsSentence(text, to));
  }

  private static boolean goesOnBefore(Utf8Span text, int from) {
    return isWord(text, from - 1)
        || (isDigit(text, from)
            && (isSign(text, from - 1) ? !isWord(text, from - 2) : isPoint(text, from - 1)));
  }

  private static boolean goesOnBehind(Utf8Span text, int to) {
    return isWord(text, to)
        || (isPoint(text, to) && isDigit(text, to - 1) && isDigit(text, to + 1));
  }

  private static boolean isSentence(Utf8Span part) {
    int blanks = 0;
    for (int i = 0; i < part.length(); i++) {
      blanks += isBlank(part, i) ? 1 : 0;
    }
    return blanks >= SENTENCE_BLANKS;
  }

  /** True for a whole string of an answer that is JSON, as tools write out what they structured. */
  private static boolean isString(Utf8Span text, int from, int to) {
    byte first = byteAt(text, 0);
    return (first == '{' || first == '[')
        && byteAt(text, from - 1) == '"'
        && byteAt(text, to) == '"';
  }

  private static boolean beginsSentence(Utf8Span text, int from) {
    int before = from - 1;
    while (byteAt(text, before) == ' ') {
      before--;
    }
    return isLineEnd(text, before) || (before < from - 1 && isStop(text, before));
  }

  /** True before the end of a line or a full stop, or behind one; citations may stand between. */
  private static boolean endsSentence(Utf8Span text, int to) {
    int behind = to;
    while (byteAt(text, behind) == ' ') {
      behind++;
    }
    return isLineEnd(text, behind)
        || byteAt(text, behind) == '['
        || isStop(text, to - 1)
        || (isStop(text, to) && (isBlank(text, to + 1) || isLineEnd(text, to + 1)));
  }

  /** The byte at an index; a line feed outside the text. */
  private static byte byteAt(Utf8Span text, int index) {
    return index < 0 || index >= text.length() ? (byte) '\n' : text.byteAt(index);
  }

  private static boolean isLineEnd(Utf8Span text, int index) {
    byte b = byteAt(text, index);
    return b == '\n' || b == '\r';
  }

  private static boolean isBlank(Utf8Span text, int index) {
    byte b = byteAt(text, index);
    return b == ' ' || b == '\t';
  }

  private static boolean isStop(Utf8Span text, int index) {
    byte b = byteAt(text, index);
    return b == '.' || b == '!' || b == '?';
  }

  private static boolean isSign(Utf8Span text, int index) {
    byte b = byteAt(text, index);
    return b == '-' || b == '+';
  }

  private static boolean isPoint(Utf8Span text, int index) {
    byte b = byteAt(text, index);
    return b == '.' || b == ',';
  }

  private static boolean isDigit(Utf8Span text, int index) {
    byte b = byteAt(text, index);
    return b >= '0' && b <= '9';
  }

  /** True for a byte of a word: a letter, a digit, anything beyond ASCII. */
  private static boolean isWord(Utf8Span text, int index) {
    byte b = byteAt(text, index);
    return b < 0
        || b == '_'
        || isDigit(text, index)
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z');
  }
}
