package dev.parlance.policy.text;

/**
 * The distinct tokens of one answer, and for each where else it was seen.
 *
 * <p>Only the answer's tokens are stored: question and evidence are streamed past them, so memory
 * follows the answer and time the sum of the lengths. Everything is scratch that the next answer
 * uses again: no object and no allocation per token. For one thread.
 */
public final class TokenTable {
  /** Where a token of the answer was met again. */
  public enum Place {
    /** In the question. */
    QUESTION((byte) 1),
    /** In at least one chunk. */
    CONTEXT((byte) 2);

    private final byte bit;

    Place(byte bit) {
      this.bit = bit;
    }
  }

  private final TokenReader reader = new TokenReader();
  private final PackedTokens packed;
  private final LongTokens longs;

  /** A table whose hash nobody can predict who does not know {@code seed}. */
  public TokenTable(long seed) {
    this(seed, -1L);
  }

  /** For tests that need every token to collide. */
  TokenTable(long seed, long hashMask) {
    packed = new PackedTokens(seed, hashMask);
    longs = new LongTokens(seed, hashMask);
  }

  /** Forgets the answer. */
  public void clear() {
    packed.clear();
    longs.clear();
    reader.release();
  }

  /** Adds the answer's tokens between two indexes; a token never reaches across them. */
  public void add(NormalizedText text, int from, int to) {
    reader.start(text, from, to);
    while (reader.nextWords()) {
      packed.addWords(reader);
      long[] tokens = reader.tokens();
      for (int i = 0; i < 2 * reader.size(); i += 2) {
        if (tokens[i] != TokenReader.LONG_TOKEN) {
          packed.add(tokens[i], tokens[i + 1]);
        }
      }
      for (int token = 0; token < reader.longs(); token++) {
        longs.add(reader.longBytes(), reader.longStart(token), reader.longEnd(token));
      }
    }
  }

  /** Notes which of the answer's tokens occur in {@code text}. */
  public void mark(NormalizedText text, Place place) {
    if (size() == 0) {
      return;
    }
    reader.start(text, text.start(), text.end());
    while (reader.nextWords()) {
      packed.markWords(reader, place.bit);
      long[] tokens = reader.tokens();
      for (int i = 0; i < 2 * reader.size(); i += 2) {
        packed.mark(tokens[i], tokens[i + 1], place.bit);
      }
      for (int token = 0; token < reader.longs(); token++) {
        longs.mark(reader.longBytes(), reader.longStart(token), reader.longEnd(token), place.bit);
      }
    }
  }

  /** Notes which of the answer's tokens are in {@code known}. */
  public void mark(TokenSet known, Place place) {
    known.mark(packed, place.bit);
    known.mark(longs, place.bit);
  }

  /** The tokens as they are now. */
  TokenSet toSet(TokenMix mix) {
    return new TokenSet(packed, longs, mix);
  }

  /** Number of distinct tokens of the answer. */
  public int size() {
    return packed.size() + longs.size();
  }

  /**
   * How many of the tokens were met where.
   *
   * @param inQuestion met in the question
   * @param inContext met in a chunk
   * @param novel met nowhere
   * @param novelNumbers met nowhere and with a decimal digit in them
   */
  public record Seen(int inQuestion, int inContext, int novel, int novelNumbers) {}

  /** How many of the tokens were met where, so far. */
  public Seen seen() {
    int question = 0;
    int context = 0;
    int novel = 0;
    int numbers = 0;
    for (int i = 0; i < packed.size(); i++) {
      int slot = packed.slot(i);
      int flags = packed.flags(slot);
      question += flags & 1;
      context += flags >> 1;
      if (flags == 0) {
        novel++;
        numbers += Digits.isIn(packed.first(slot), packed.second(slot)) ? 1 : 0;
      }
    }
    for (int i = 0; i < longs.size(); i++) {
      int flags = longs.flags(i);
      question += flags & 1;
      context += flags >> 1;
      if (flags == 0) {
        novel++;
        numbers += Digits.isIn(longs.bytes(), longs.start(i), longs.end(i)) ? 1 : 0;
      }
    }
    return new Seen(question, context, novel, numbers);
  }

  /** Looks for decimal digits in tokens. */
  static final class Digits {
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Digits() {}

    /** True if a token that is read as two numbers has a decimal digit of any script in it. */
    static boolean isIn(long first, long second) {
      if (hasAsciiDigit(first) || hasAsciiDigit(second)) {
        return true;
      }
      if (((first | second) & HIGH_BITS) == 0) {
        return false;
      }
      byte[] bytes = new byte[TokenReader.PACKED_BYTES];
      int length = 0;
      for (; length < bytes.length; length++) {
        long half = length < 8 ? first : second;
        bytes[length] = (byte) (half >>> (8 * length));
        if (bytes[length] == 0) {
          break;
        }
      }
      return isIn(bytes, 0, length);
    }

    /** True if a token has a decimal digit of any script in it. */
    static boolean isIn(byte[] token, int from, int to) {
      for (int i = from; i < to; ) {
        int width = Utf8Bytes.width(token[i]);
        if (Character.getType(Utf8Bytes.get(token, i, width)) == Character.DECIMAL_DIGIT_NUMBER) {
          return true;
        }
        i += width;
      }
      return false;
    }

    /** Of the bytes of a token only ASCII digits have bit 5 and neither bit 6 nor bit 7. */
    private static boolean hasAsciiDigit(long bytes) {
      return (bytes << 2 & ~(bytes << 1) & ~bytes & HIGH_BITS) != 0;
    }
  }
}
