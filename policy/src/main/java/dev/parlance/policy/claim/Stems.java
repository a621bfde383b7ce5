package dev.parlance.policy.claim;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The fingerprint of a word without its inflection: plural, tense, case, gender, article, particle.
 *
 * <p>The rules are few and know no language but by its script, so that a word has one stem in every
 * text. Latin: English plurals, {@code -ing}, {@code -ed}, {@code -ly}; endings of German; final
 * vowels, which Italian, Spanish, Polish inflect by. Cyrillic: endings of Russian. Arabic: article
 * and suffixes. Hangul: particles and verb endings. Two words of one stem are likely forms of one
 * word; that they are is for a dictionary to say.
 *
 * <p>What was found is remembered by the word's key, so that a word that comes again costs one
 * look-up.
 */
final class Stems {
  private static final int MAX_LETTERS = 32;

  /** Keeps short stems of words in -e apart from other words: note, noting are not not. */
  private static final int LOST_E = '\'';

  private static final int REMEMBERED = 1 << 12;

  private static final int[][] CYRILLIC =
      endings(
          "иями ями ами ого его ому ему ыми ими иях ях ах ов ев ей ой ий ый ая яя ое ее ые ие ую юю"
              + " ом ем ам ям их ых ть ет ит ют ут ят ат ал ла ло ли ия ии ию ией а я о е и ы у ю"
              + " ь");
  private static final int[][] HANGUL =
      endings(
          "은 는 이 가 을 를 의 에 와 과 도 만 로 에서 에게 으로 까지 부터 마다 보다 처럼 이나 라고 이라고 에는 에도"
              + " 에서는 으로는 입니다 이다 이며 이고 합니다 하였다 하였습니다 했습니다 했다 한다 하여야 하여 해야 해서 하는 하고"
              + " 하면 하며 하지 할 한 됩니다 되었습니다 되었다 된다 되는 되고 되어 되면 될 된 들 들은 들이 들을 들의");
  private static final int[][] ARABIC = endings("ها ان ات ون ين يه ه ي");
  private static final int[][] ARTICLES = endings("وال بال كال فال ال لل");

  private final WordKey keys;
  private final long[] known = new long[REMEMBERED];
  private final long[] stems = new long[REMEMBERED];
  private final int[] letters = new int[MAX_LETTERS + 3];
  private int length;

  Stems(WordKey keys) {
    this.keys = keys;
  }

  private static int[][] endings(String words) {
    return Stream.of(words.split(" "))
        .map(word -> word.codePoints().toArray())
        .sorted(Comparator.comparingInt((int[] word) -> -word.length))
        .toArray(int[][]::new);
  }

  /** The stem of a word of this key that lies here. */
  long of(long key, boolean possessive, byte[] bytes, int start, int end) {
    int slot = (int) (key >>> 52);
    if (known[slot] != key) {
      known[slot] = key;
      stems[slot] = find(key, bytes, start, possessive ? Math.max(start, end - 2) : end);
    }
    return stems[slot];
  }

  private long find(long key, byte[] bytes, int start, int end) {
    if (!fold(bytes, start, end) || !cut()) {
      return key;
    }
    keys.reset();
    for (int i = 0; i < length; i++) {
      keys.add(letters[i]);
    }
    return keys.end();
  }

  /** Reads the letters; false if there are others, or too many. */
  private boolean fold(byte[] bytes, int start, int end) {
    length = 0;
    for (int at = start; at < end; ) {
      int codePoint = Markup.codePoint(bytes, at, end);
      if (codePoint < 0 || length >= MAX_LETTERS) {
        return false;
      }
      at += Markup.width(codePoint);
      long entry = Folding.of(codePoint);
      switch (Folding.kind(entry)) {
        case Folding.LETTER, Folding.HANGUL, Folding.MARK -> add(Folding.first(entry));
        case Folding.SEVERAL -> {
          add(Folding.first(entry));
          add(Folding.second(entry));
          add(Folding.third(entry));
        }
        case Folding.ACCENT ->
            add(length == 0 ? 0 : Folding.afterAccent(letters[length - 1], codePoint));
        case Folding.IGNORED, Folding.HYPHEN -> {}
        default -> {
          if (codePoint != '*' && codePoint > ' ') {
            return false;
          }
        }
      }
    }
    return true;
  }

  private void add(int letter) {
    if (letter != 0) {
      letters[length++] = letter;
    }
  }

  /** Cuts the word's inflection; false if there is none. */
  private boolean cut() {
    if (length < 3) {
      return false;
    }
    int letter = letters[length - 1];
    if (letter < 0x80) {
      return cutLatin();
    }
    return switch (Character.UnicodeScript.of(letter)) {
      case CYRILLIC, INHERITED -> length >= 5 && cutEnd(CYRILLIC, 3, 3);
      case HANGUL -> cutEnd(HANGUL, 2, 1);
      case ARABIC -> {
        boolean cut = cutStart();
        yield cutEnd(ARABIC, 3, 3) || cut;
      }
      default -> false;
    };
  }

  private boolean cutEnd(int[][] endings, int leastBeforeOne, int leastBeforeMore) {
    for (int[] ending : endings) {
      int left = length - ending.length;
      if (left >= (ending.length == 1 ? leastBeforeOne : leastBeforeMore)
          && Arrays.equals(letters, left, length, ending, 0, ending.length)) {
        length = left;
        return true;
      }
    }
    return false;
  }

  private boolean cutStart() {
    for (int[] article : ARTICLES) {
      int left = length - article.length;
      if (left >= 3 && Arrays.equals(letters, 0, article.length, article, 0, article.length)) {
        System.arraycopy(letters, article.length, letters, 0, left);
        length = left;
        return true;
      }
    }
    return false;
  }

  private boolean cutLatin() {
    int before = length;
    boolean changed = cutPlural();
    if (ends("ied", 3)) {
      length -= 3;
      letters[length++] = 'y';
    } else if (ends("ing", 3) && hasVowel(length - 3)) {
      length -= 3;
      undouble();
    } else if (ends("ed", 3) && !ends("eed", 1) && hasVowel(length - 2)) {
      length -= 2;
      undouble();
    } else if (ends("ly", 4) && !ends("ily", 1) && !ends("ply", 1) && !ends("bly", 1)) {
      length -= 2;
    } else if (ends("en", 5) || ends("er", 5) || ends("em", 5)) {
      length -= 2;
    }
    int last = letters[length - 1];
    if (last == 'e' && length == 4) {
      letters[3] = LOST_E;
    } else if (length >= 5 && (last == 'a' || last == 'e' || last == 'i' || last == 'o')) {
      length--;
    }
    return changed || length != before || letters[length - 1] == LOST_E;
  }

  private boolean cutPlural() {
    if (length < 4 || letters[length - 1] != 's') {
      return false;
    }
    if (ends("ss", 1) || ends("us", 1) || ends("is", 1)) {
      return false;
    }
    if (ends("ies", 2)) {
      length -= 3;
      letters[length++] = 'y';
    } else if (ends("sses", 1)
        || ends("xes", 1)
        || ends("ches", 1)
        || ends("shes", 1)
        || ends("zes", 1)
        || ends("oes", 2)) {
      length -= 2;
    } else {
      length--;
    }
    return true;
  }

  private void undouble() {
    int last = letters[length - 1];
    if (length > 3 && last == letters[length - 2] && "bdgmnprt".indexOf(last) >= 0) {
      length--;
    } else if (length == 3 && isVowel(letters[1]) && !isVowel(letters[0]) && !isVowel(last)) {
      letters[length++] = LOST_E;
    }
  }

  private static boolean isVowel(int letter) {
    return "aeiouy".indexOf(letter) >= 0;
  }

  private boolean hasVowel(int to) {
    for (int i = 0; i < to; i++) {
      if (isVowel(letters[i])) {
        return true;
      }
    }
    return false;
  }

  /** True if the word ends so, behind {@code least} letters at least. */
  private boolean ends(String ending, int least) {
    int from = length - ending.length();
    if (from < least) {
      return false;
    }
    for (int i = 0; i < ending.length(); i++) {
      if (letters[from + i] != ending.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
