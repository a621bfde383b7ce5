package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.TableFile;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds words that exclude each other in scripts whose words stand in runs or take endings, so that
 * no unit is such a word: Thai, Lao, Khmer, Korean. Of a group of {@code run-opposites.txt} the
 * claim has one that the sentence has not, and the sentence has another that the claim has not.
 *
 * <p>Linear in claim and sentence; for one thread, nothing is allocated. A longer word hides one
 * within it: เปิด (open) is not ปิด (closed).
 */
final class RunOpposites {
  private static final int MAX_BYTES = 1 << 12;
  private static final Table TABLE = new Table();

  /** One word, and which others exclude it: those from {@code first} to {@code after}. */
  @SuppressWarnings("ArrayRecordComponent") // read only
  private record Word(byte[] bytes, int index, int first, int after) {}

  /** The words of the file, found by their first character, the longest first. */
  @SuppressWarnings("StringSplitter") // lines of our own file
  private static final class Table {
    private static final int SLOTS = 1 << 9;

    private final List<Word> words = new ArrayList<>();
    private final int[] characters = new int[SLOTS];
    private final Word[][] lists = new Word[SLOTS][0];

    Table() {
      String text =
          new String(
              TableFile.bytes(RunOpposites.class, "run-opposites.txt"), StandardCharsets.UTF_8);
      for (String line : text.split("\n")) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        String[] group = line.split(" ");
        int first = words.size();
        for (String word : group) {
          byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
          words.add(new Word(bytes, words.size(), first, first + group.length));
        }
      }
      words.stream()
          .sorted(Comparator.comparingInt((Word word) -> -word.bytes.length))
          .forEach(this::put);
    }

    private void put(Word word) {
      int character = character(word.bytes, 0);
      int slot = slot(character);
      characters[slot] = character;
      lists[slot] = Arrays.copyOf(lists[slot], lists[slot].length + 1);
      lists[slot][lists[slot].length - 1] = word;
    }

    private int slot(int character) {
      int slot = character & SLOTS - 1;
      while (characters[slot] != 0 && characters[slot] != character) {
        slot = slot + 1 & SLOTS - 1;
      }
      return slot;
    }

    Word[] beginningWith(int character) {
      return lists[slot(character)];
    }
  }

  private final BitSet said = new BitSet();
  private final BitSet there = new BitSet();

  /** The three bytes of a character of these scripts. */
  private static int character(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) << 16 | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF);
  }

  /** True if a byte begins a character of Thai, Lao, Khmer or Korean. */
  private static boolean isOfRun(int lead) {
    return lead == 0xE0 || lead == 0xE1 || (lead >= 0xEA && lead <= 0xED);
  }

  /**
   * The unit of a claim that has the word, or -1.
   *
   * @param text of the answer
   * @param units of it
   * @param sentence the chunk that has it
   * @param from the first byte of the sentence
   * @param to the one behind its last
   */
  int find(Utf8Span text, Units units, int first, int after, Utf8Span sentence, int from, int to) {
    int begin = units.start(first);
    int end = units.end(after - 1);
    boolean mayHave = false;
    for (int unit = first; unit < after && !mayHave; unit++) {
      mayHave = isOfRun(text.byteAt(units.start(unit)) & 0xFF);
    }
    if (!mayHave || end - begin > MAX_BYTES || to - from > MAX_BYTES) {
      return -1;
    }
    read(text, begin, end, said);
    if (said.isEmpty()) {
      return -1;
    }
    read(sentence, from, to, there);
    for (int i = said.nextSetBit(0); i >= 0; i = said.nextSetBit(i + 1)) {
      Word word = TABLE.words.get(i);
      if (!there.get(i) && hasOther(word)) {
        return unitOf(text, units, first, after, word);
      }
    }
    return -1;
  }

  private boolean hasOther(Word word) {
    for (int i = word.first; i < word.after; i++) {
      if (there.get(i) && !said.get(i)) {
        return true;
      }
    }
    return false;
  }

  private void read(Utf8Span text, int from, int to, BitSet into) {
    into.clear();
    byte[] bytes = text.array();
    int end = text.arrayOffset() + to;
    for (int at = text.arrayOffset() + from; at + 3 <= end; ) {
      Word word = isOfRun(bytes[at] & 0xFF) ? wordAt(bytes, at, end) : null;
      if (word != null) {
        into.set(word.index);
        at += word.bytes.length;
      } else {
        at++;
      }
    }
  }

  private @Nullable Word wordAt(byte[] bytes, int at, int end) {
    for (Word word : TABLE.beginningWith(character(bytes, at))) {
      if (isAt(bytes, at, end, word.bytes)) {
        return word;
      }
    }
    return null;
  }

  private static boolean isAt(byte[] bytes, int at, int end, byte[] word) {
    int same = at + word.length <= end ? 0 : word.length + 1;
    while (same < word.length && bytes[at + same] == word[same]) {
      same++;
    }
    return same == word.length;
  }

  private static int unitOf(Utf8Span text, Units units, int first, int after, Word word) {
    byte[] bytes = text.array();
    int offset = text.arrayOffset();
    int end = offset + units.end(after - 1);
    for (int unit = first; unit < after; unit++) {
      for (int at = units.start(unit); at < units.end(unit); at++) {
        if (isAt(bytes, offset + at, end, word.bytes)) {
          return unit;
        }
      }
    }
    return first;
  }
}
