package dev.parlance.policy.claim.value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The number words of those languages that write several of them in one: fünfundzwanzig. */
final class JoinedNumbers {
  private static final int[] LANGUAGES =
      Stream.of("de", "nl", "it", "sv", "da", "fi")
          .mapToInt(ValueLexicon.LANGUAGES::indexOf)
          .toArray();

  /** A number word of one of the languages; value -1 is the word and. */
  record Piece(String text, long value, int language) {
    boolean isAt(char[] word, int from) {
      for (int i = 0; i < text.length(); i++) {
        if (word[from + i] != text.charAt(i)) {
          return false;
        }
      }
      return true;
    }
  }

  /** The pieces by their first letter, the longest ones first. */
  private final Piece[] @Nullable [] pieces = new Piece[128][];

  /** A bit for the three letters that a piece begins with. */
  private final long[] beginnings = new long[1 << 9];

  JoinedNumbers(List<Piece> numbers) {
    for (Piece piece : numbers) {
      if (piece.text.length() < 3) {
        continue;
      }
      int slot = beginning(piece.text.charAt(0), piece.text.charAt(1), piece.text.charAt(2));
      beginnings[slot >> 6] |= 1L << slot;
    }
    List<Piece> all = new ArrayList<>(numbers);
    all.add(new Piece("und", -1, ValueLexicon.LANGUAGES.indexOf("de")));
    all.add(new Piece("en", -1, ValueLexicon.LANGUAGES.indexOf("nl")));
    all.add(new Piece("og", -1, ValueLexicon.LANGUAGES.indexOf("da")));
    all.sort(Comparator.comparingInt((Piece piece) -> piece.text.length()).reversed());
    for (char letter = 'a'; letter <= 'z'; letter++) {
      String first = String.valueOf(letter);
      Piece[] list = all.stream().filter(p -> p.text.startsWith(first)).toArray(Piece[]::new);
      pieces[letter] = list.length == 0 ? null : list;
    }
  }

  /** False if no number word that is written together with others begins with these bytes. */
  boolean mayBeginWith(int first, int second, int third) {
    if ((first | 0x20) < 'a' || (first | 0x20) > 'z') {
      return false;
    }
    if ((second | 0x20) < 'a' || (third | 0x20) < 'a') {
      return pieces[first | 0x20] != null;
    }
    int slot = beginning(first, second, third);
    return (beginnings[slot >> 6] >>> slot & 1) != 0;
  }

  private static int beginning(int first, int second, int third) {
    return (first & 31) << 10 | (second & 31) << 5 | (third & 31);
  }

  /** The longest number word (or the word for and, -1) of a language that stands in a text here. */
  @Nullable Piece piece(char[] text, int from, int to, int language) {
    Piece[] all = text[from] < pieces.length ? pieces[text[from]] : null;
    if (all != null) {
      for (Piece piece : all) {
        int length = piece.text.length();
        if (length <= to - from && piece.language == language && piece.isAt(text, from)) {
          return piece;
        }
      }
    }
    return null;
  }

  /** The languages, by their index in the lexicon. */
  static int[] languages() {
    return LANGUAGES;
  }

  /** True of one of them. */
  static boolean isJoining(int language) {
    for (int joining : LANGUAGES) {
      if (joining == language) {
        return true;
      }
    }
    return false;
  }
}
