package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.Folding;
import dev.parlance.policy.claim.WordKey;

/**
 * The key of a word or symbol, made code point by code point: of words whose case and accents do
 * not count, of symbols whose case does.
 */
final class Spelling {
  private Spelling() {}

  /** The word as it is folded. */
  static String foldedText(String word) {
    StringBuilder text = new StringBuilder();
    word.codePoints()
        .forEach(c -> {
          long entry = Folding.of(c);
          text.appendCodePoint(Folding.first(entry));
          if (Folding.kind(entry) == Folding.SEVERAL) {
            text.appendCodePoint(Folding.second(entry));
          }
        });
    return text.toString();
  }

  /** Adds a code point as spelling folds it. */
  static void addFolded(WordKey key, int codePoint) {
    long entry = Folding.of(codePoint);
    switch (Folding.kind(entry)) {
      case Folding.IGNORED -> {}
      case Folding.ACCENT -> {
        int added = Folding.afterAccent(key.lastCodePoint(), Folding.first(entry));
        if (added != 0) {
          key.add(added);
        }
      }
      case Folding.SEVERAL -> {
        key.add(Folding.first(entry));
        key.add(Folding.second(entry));
        if (Folding.third(entry) != 0) {
          key.add(Folding.third(entry));
        }
      }
      default -> key.add(Folding.first(entry));
    }
  }

  /** Adds a code point of a symbol whose case counts, as what it stands for. */
  static void addSymbol(WordKey key, int codePoint) {
    if (codePoint < 0x80) {
      key.add(codePoint);
      return;
    }
    int[] plain = PlainSymbols.of(codePoint);
    for (int c : plain) {
      key.add(c);
    }
    if (plain.length == 0 && Folding.kind(Folding.of(codePoint)) != Folding.IGNORED) {
      key.add(sameSymbol(codePoint));
    }
  }

  /** One code point for those that look and mean the same: micro, ohm. */
  static int sameSymbol(int codePoint) {
    return switch (codePoint) {
      case 0xB5 -> 0x3BC;
      case 0x2126 -> 0x3A9;
      case 0x66A -> '%';
      default -> codePoint;
    };
  }
}
