package dev.parlance.onnx;

import dev.parlance.onnx.TextInput.Row;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * BERT's tokenizer: a text is cleaned, split at blanks and punctuation, and every word becomes the
 * longest pieces that the vocabulary has, from left to right.
 *
 * <p>The rules are those of the {@code BertNormalizer}, {@code BertPreTokenizer} and {@code
 * WordPiece} of the file format {@code tokenizer.json}, with one difference: names of special
 * tokens in a text ({@code [SEP]}, {@code [MASK]}) are ordinary text, so that a text cannot speak
 * to the model beside its words.
 */
public final class WordPiece implements TextInput {
  /**
   * What the tokenizer's file says.
   *
   * @param vocabulary numbers of pieces; inner pieces begin with {@code prefix}
   * @param unknown number of a word that has no pieces
   * @param prefix what inner pieces begin with
   * @param maxWordChars longest word in code points; longer ones are unknown
   */
  record Pieces(Map<String, Integer> vocabulary, int unknown, String prefix, int maxWordChars) {
    Pieces {
      vocabulary = Map.copyOf(vocabulary);
    }
  }

  /**
   * How the text is prepared.
   *
   * @param cleans drops control characters, makes every blank a space
   * @param splitsHan every Chinese character is a word
   * @param stripsAccents letters lose their marks
   * @param lowers letters become small
   */
  record Preparation(boolean cleans, boolean splitsHan, boolean stripsAccents, boolean lowers) {}

  /**
   * What stands around the text.
   *
   * @param before special tokens in front of it
   * @param beforeTypes their segments
   * @param after special tokens behind it
   * @param afterTypes their segments
   * @param textType segment of the text itself
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Frame(long[] before, long[] beforeTypes, long[] after, long[] afterTypes, int textType) {
    int size() {
      return before.length + after.length;
    }

    /** Writes a text with what stands around it; gives the place behind. */
    private int write(long[] text, int at, long[] ids, long[] types) {
      int textAt = at + before.length;
      int afterAt = textAt + text.length;
      System.arraycopy(before, 0, ids, at, before.length);
      System.arraycopy(beforeTypes, 0, types, at, before.length);
      System.arraycopy(text, 0, ids, textAt, text.length);
      Arrays.fill(types, textAt, afterAt, textType);
      System.arraycopy(after, 0, ids, afterAt, after.length);
      System.arraycopy(afterTypes, 0, types, afterAt, after.length);
      return afterAt + after.length;
    }
  }

  /**
   * What stands around two texts.
   *
   * @param first around the first one
   * @param second around the second one, which follows
   */
  record PairFrame(Frame first, Frame second) {
    int size() {
      return first.size() + second.size();
    }
  }

  private final Pieces pieces;
  private final Preparation preparation;
  private final Frame frame;
  private final Optional<PairFrame> pair;
  private final int maxTokens;
  private final int longestPiece;
  private final int largestId;

  /**
   * A tokenizer.
   *
   * @param pair what stands around two texts; empty if only single ones are read
   * @param maxTokens most tokens of one or two texts with what stands around, more than the latter
   */
  WordPiece(
      Pieces pieces,
      Preparation preparation,
      Frame frame,
      Optional<PairFrame> pair,
      int maxTokens) {
    int most = Math.max(frame.size(), pair.map(PairFrame::size).orElse(0));
    if (maxTokens <= most) {
      throw new IllegalArgumentException(
          "expected room for more than " + most + " special tokens, got " + maxTokens);
    }
    this.pair = pair;
    this.pieces = pieces;
    this.preparation = preparation;
    this.frame = frame;
    this.maxTokens = maxTokens;
    longestPiece = pieces.vocabulary.keySet().stream().mapToInt(String::length).max().orElse(1);
    largestId = pieces.vocabulary.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  @Override
  public Row read(String text) {
    return framed(tokens(text, maxTokens - frame.size()));
  }

  /**
   * The row of two texts. The second one is read whole, the first one as far as there is room.
   *
   * @return empty if the second one takes more than half of the room, or if single texts are read
   */
  Optional<Row> read(String first, String second) {
    if (pair.isEmpty()) {
      return Optional.empty();
    }
    PairFrame around = pair.get();
    int room = maxTokens - around.size();
    long[] b = tokens(second, room / 2 + 1);
    if (b.length > room / 2) {
      return Optional.empty();
    }
    long[] a = tokens(first, room - b.length);
    long[] ids = new long[around.size() + a.length + b.length];
    long[] types = new long[ids.length];
    around.second.write(b, around.first.write(a, 0, ids, types), ids, types);
    return Optional.of(Row.ofTokens(ids, types));
  }

  private long[] tokens(String text, int most) {
    Collector out = new Collector(most);
    split(prepared(text), out);
    return out.toArray();
  }

  @Override
  public Row longest() {
    long[] ids = new long[maxTokens - frame.size()];
    Arrays.fill(ids, largestId);
    return framed(ids);
  }

  private Row framed(long[] text) {
    long[] ids = new long[frame.size() + text.length];
    long[] types = new long[ids.length];
    frame.write(text, 0, ids, types);
    return Row.ofTokens(ids, types);
  }

  private String prepared(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(c -> prepare(c, out));
    String prepared = out.toString();
    if (preparation.stripsAccents) {
      String decomposed = Normalizer.normalize(prepared, Normalizer.Form.NFD);
      out.setLength(0);
      decomposed
          .codePoints()
          .filter(c -> Character.getType(c) != Character.NON_SPACING_MARK)
          .forEach(out::appendCodePoint);
      prepared = out.toString();
    }
    if (preparation.lowers) {
      out.setLength(0);
      prepared.codePoints().forEach(c -> lower(c, out));
      prepared = out.toString();
    }
    return prepared;
  }

  private void prepare(int c, StringBuilder out) {
    if (preparation.cleans) {
      if (c == 0 || c == 0xFFFD || isControl(c)) {
        return;
      }
      if (isBlank(c)) {
        out.append(' ');
        return;
      }
    }
    if (preparation.splitsHan && isHan(c)) {
      out.append(' ').appendCodePoint(c).append(' ');
    } else {
      out.appendCodePoint(c);
    }
  }

  /** Letter by letter; a whole string would end a Greek word in another sigma. */
  private static void lower(int c, StringBuilder out) {
    if (c == 0x130) {
      out.append("i\u0307"); // the one letter that becomes two
    } else {
      out.appendCodePoint(Character.toLowerCase(c));
    }
  }

  private void split(String text, Collector out) {
    int wordAt = 0;
    for (int i = 0; i < text.length() && !out.isFull(); ) {
      int c = text.codePointAt(i);
      int next = i + Character.charCount(c);
      boolean isBlank = isBlank(c);
      if (isBlank || isPunctuation(c)) {
        word(text.substring(wordAt, i), out);
        if (!isBlank) {
          word(text.substring(i, next), out);
        }
        wordAt = next;
      }
      i = next;
    }
    if (!out.isFull()) {
      word(text.substring(Math.min(wordAt, text.length())), out);
    }
  }

  private void word(String word, Collector out) {
    if (word.isEmpty()) {
      return;
    }
    int before = out.size();
    if (word.codePointCount(0, word.length()) > pieces.maxWordChars) {
      out.add(pieces.unknown);
      return;
    }
    for (int start = 0; start < word.length(); ) {
      int end = pieceEnd(word, start, out);
      if (end < 0) { // one piece missing makes the whole word unknown
        out.cut(before);
        out.add(pieces.unknown);
        return;
      }
      start = end;
    }
  }

  /** Adds the longest piece from here; gives its end, or -1 if there is none. */
  private int pieceEnd(String word, int start, Collector out) {
    String prefix = start == 0 ? "" : pieces.prefix;
    int end = Math.min(word.length(), start + longestPiece);
    while (end > start) {
      boolean splitsPair = end < word.length() && Character.isLowSurrogate(word.charAt(end));
      if (!splitsPair) {
        Integer id = pieces.vocabulary.get(prefix.concat(word.substring(start, end)));
        if (id != null) {
          out.add(id);
          return end;
        }
      }
      end--;
    }
    return -1;
  }

  /** Categories Cc, Cf, Cn, Co and halves of pairs, but not the three blanks among them. */
  private static boolean isControl(int c) {
    if (c == '\t' || c == '\n' || c == '\r') {
      return false;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  /** Unicode's White_Space. */
  private static boolean isBlank(int c) {
    return (c >= 0x9 && c <= 0xD)
        || c == 0x20
        || c == 0x85
        || c == 0xA0
        || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A)
        || c == 0x2028
        || c == 0x2029
        || c == 0x202F
        || c == 0x205F
        || c == 0x3000;
  }

  /** ASCII that is neither letter, digit, blank nor control; Unicode's categories P. */
  private static boolean isPunctuation(int c) {
    if (c < 0x80) {
      return c > ' ' && c < 0x7F && !Character.isLetterOrDigit(c);
    }
    return switch (Character.getType(c)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
          true;
      default -> false;
    };
  }

  /** The blocks that the format's own implementation names, its gap 2B820 to 2B91F included. */
  private static boolean isHan(int c) {
    return (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0x3400 && c <= 0x4DBF)
        || (c >= 0x20000 && c <= 0x2A6DF)
        || (c >= 0x2A700 && c <= 0x2B73F)
        || (c >= 0x2B740 && c <= 0x2B81F)
        || (c >= 0x2B920 && c <= 0x2CEAF)
        || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0x2F800 && c <= 0x2FA1F);
  }

  /** Tokens up to a number; what comes on top is dropped. */
  private static final class Collector {
    private final int most;
    private long[] ids = new long[32];
    private int size;

    Collector(int most) {
      this.most = most;
    }

    void add(int id) {
      if (size == ids.length) {
        ids = Arrays.copyOf(ids, 2 * size);
      }
      ids[size++] = id;
    }

    void cut(int to) {
      size = to;
    }

    int size() {
      return size;
    }

    boolean isFull() {
      return size >= most;
    }

    long[] toArray() {
      return Arrays.copyOf(ids, Math.min(size, most));
    }
  }
}
