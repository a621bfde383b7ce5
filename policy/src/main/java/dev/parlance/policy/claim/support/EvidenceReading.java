package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.PlainText;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.Changes;
import dev.parlance.policy.claim.value.ValueIndex;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The evidence of a message as claims are held against it: the words, values and pairs of all its
 * chunks. A chunk that is known from before is not read again, and nothing is where the evidence is
 * that of the last message. For one thread.
 */
final class EvidenceReading {
  /** Evidence of so many bytes is kept for the next message. */
  private static final int KEPT_BYTES = 1 << 16;

  private static final int NONE = -1;

  private final KnownTexts<ReadChunk> known;
  private final KnownTexts.Key key;
  private final Units units;
  private final TextWords words;
  private final EvidenceIndex index;
  private final Values values;
  private final ValueIndex valueIndex;
  private final Changes changes;
  private final PlainText plain = new PlainText();

  private List<Chunk> chunks = List.of();

  /** True if {@link #chunks} are read. */
  private boolean held;

  /** True if {@link #values} are read, too. */
  private boolean valued;

  /** Where the values of each chunk begin. */
  private int[] chunkValues = new int[16];

  /** The chunk that {@link #plain} holds. */
  private int plainChunk = NONE;

  /** Chunks that are not read as they were given, but without their markup. */
  private final BitSet rewritten = new BitSet();

  /** Chunks with rows of tables or fields of JSON. */
  private final BitSet records = new BitSet();

  /**
   * No evidence yet.
   *
   * @param known what was read of chunks that came before
   * @param words of units that are scratch
   * @param index takes its words
   * @param values takes its values
   * @param valueIndex takes them, too
   * @param changes takes what claims are compared with word for word
   */
  EvidenceReading(
      KnownTexts<ReadChunk> known,
      TextWords words,
      EvidenceIndex index,
      Values values,
      ValueIndex valueIndex,
      Changes changes) {
    this.known = known;
    this.key = known.newKey();
    this.units = words.units();
    this.words = words;
    this.index = index;
    this.values = values;
    this.valueIndex = valueIndex;
    this.changes = changes;
  }

  /**
   * Takes up the evidence of a message.
   *
   * @param withValues false if nothing will be asked of its values, as of most answers without any
   */
  void read(List<Chunk> given, boolean withValues) {
    if ((valued || !withValues) && holds(given)) {
      changes.build();
      return;
    }
    chunks = given;
    held = true;
    valued = withValues;
    index.clear();
    changes.clear();
    values.clear();
    records.clear();
    rewritten.clear();
    if (chunkValues.length <= chunks.size()) {
      chunkValues = new int[2 * chunks.size() + 2];
    }
    plainChunk = NONE;
    for (int i = 0; i < chunks.size(); i++) {
      readChunk(i, chunks.get(i).text());
    }
    chunkValues[chunks.size()] = values.count();
    index.build();
    changes.build();
    valueIndex.build(values);
  }

  /**
   * True if this is the evidence that was read last: drafts that are asked for again and the pieces
   * of a stream come with the same one.
   */
  private boolean holds(List<Chunk> other) {
    if (!held || other.size() != chunks.size()) {
      return false;
    }
    for (int i = 0; i < other.size(); i++) {
      Utf8Span a = other.get(i).text();
      Utf8Span b = chunks.get(i).text();
      boolean same =
          other.get(i).id().equals(chunks.get(i).id())
              && Arrays.equals(
                  a.array(),
                  a.arrayOffset(),
                  a.arrayOffset() + a.length(),
                  b.array(),
                  b.arrayOffset(),
                  b.arrayOffset() + b.length());
      if (!same) {
        return false;
      }
    }
    return true;
  }

  private void readChunk(int chunk, Utf8Span given) {
    chunkValues[chunk] = values.count();
    Optional<ReadChunk> kept = known.find(given, key);
    if (kept.isPresent()) {
      ReadChunk read = kept.get();
      rewritten.set(chunk, read.rewritten());
      records.set(chunk, read.records());
      index.add(read.words(), chunk);
      if (valued) {
        values.add(read.values());
      }
      changes.add(read.units(), read.text());
      return;
    }
    plain.read(given);
    plainChunk = chunk;
    // What was rewritten lies in a buffer of the next chunk, too.
    Utf8Span text = plain.isChanged() ? plain.text().detached() : given;
    rewritten.set(chunk, plain.isChanged());
    records.set(chunk, plain.hasRecords());
    units.read(text);
    words.read();
    index.add(words, chunk);
    if (valued) {
      values.add(text, units);
    }
    changes.add(units, text);
    known.keep(key, () -> kept(chunk, text));
  }

  /**
   * What was read last, for other messages.
   *
   * @param text the chunk as plain text, in bytes of its own if it was rewritten
   */
  private ReadChunk kept(int chunk, Utf8Span text) {
    boolean isOther = rewritten.get(chunk);
    if (!valued) {
      values.add(text, units);
    }
    ReadChunk read =
        new ReadChunk(
            isOther ? text : text.detached(),
            isOther,
            records.get(chunk),
            index.kept(chunk),
            values.keptFrom(chunkValues[chunk]),
            changes.kept());
    if (!valued) {
      values.clear();
    }
    return read;
  }

  /** Its words. */
  EvidenceIndex index() {
    return index;
  }

  /** Its values, in the order of its chunks. */
  Values values() {
    return values;
  }

  /** The same by what they say. */
  ValueIndex valueIndex() {
    return valueIndex;
  }

  /** True if one of the chunks has rows of tables or fields of JSON. */
  boolean hasRecords() {
    return !records.isEmpty();
  }

  /** True if a chunk has. */
  boolean hasRecords(int chunk) {
    return records.get(chunk);
  }

  /** The first value of a chunk; the one behind its last is the first of the next chunk. */
  int firstValue(int chunk) {
    return chunkValues[chunk];
  }

  /** The first value of a sentence. */
  int firstOf(int sentence) {
    return chunkValue(index.chunkOf(sentence), index.startByte(sentence));
  }

  /** The value behind the last one that begins in a sentence. */
  int afterOf(int sentence) {
    return chunkValue(index.chunkOf(sentence), index.endByte(sentence));
  }

  private int chunkValue(int chunk, int at) {
    int low = chunkValues[chunk];
    int high = chunkValues[chunk + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (values.start(middle) < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The chunk that has a value. */
  int chunkOf(int value) {
    int chunk = 0;
    while (chunkValues[chunk + 1] <= value) {
      chunk++;
    }
    return chunk;
  }

  /** A sentence, as it says it. */
  Excerpt excerpt(int sentence) {
    return excerpt(index.chunkOf(sentence), index.startByte(sentence), index.endByte(sentence));
  }

  /** A piece of a chunk, as it says it, with its place in the chunk as it was given. */
  Excerpt excerpt(int chunk, int from, int to) {
    Excerpt piece = Excerpt.of(chunks.get(chunk).id(), plainText(chunk), from, to);
    return new Excerpt(
        piece.where(), origin(chunk, from), originEnd(chunk, from, to), piece.text());
  }

  /** A chunk as plain text, as it was read; until another one is asked for. */
  Utf8Span plainText(int chunk) {
    Utf8Span given = chunks.get(chunk).text();
    if (!rewritten.get(chunk)) {
      return given;
    }
    if (plainChunk != chunk) {
      plain.read(given);
      plainChunk = chunk;
    }
    return plain.text();
  }

  /** Offset in a chunk as it was given of a byte of its {@link #plainText}, asked for last. */
  int origin(int chunk, int at) {
    return rewritten.get(chunk) ? plain.origin(at) : at;
  }

  /** Offset in a chunk as it was given after the last byte of a range. */
  int originEnd(int chunk, int from, int to) {
    return rewritten.get(chunk) ? plain.origin(Math.max(from, to - 1)) + 1 : to;
  }

  /** Lets go of evidence that is too long to be kept for the next message. */
  void release() {
    int bytes = 0;
    for (Chunk chunk : chunks) {
      bytes += chunk.text().length();
    }
    if (bytes > KEPT_BYTES) {
      held = false;
      chunks = List.of();
      plainChunk = NONE;
      plain.release();
      valueIndex.release();
      values.release();
    }
  }
}
