package dev.parlance.policy.claim.support;

import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;

/**
 * The time that amounts of a text are for, as a heading or line before them says: "prices per
 * month", "monthly fees".
 *
 * <p>Times are bits of a set. All work is bounded by a constant for each amount.
 */
final class PerTimes {
  /** So many bytes before an amount, and behind it, may say what it is for. */
  private static final int BEFORE = 400;

  private static final int BEHIND = 120;

  /** So many bytes behind an amount its own time is said. */
  private static final int MAX_OWN = 32;

  /**
   * Beginnings of words for hour, day or night, week, month, year, minute and second, in that
   * order.
   */
  private static final byte[][][] TIMES =
      words(
          "hour stund heure hora uur timm",
          "day tag jour día dia giorn dag dni dzie night nacht nuit noche notte noite natt",
          "week woche semain semana settiman veck tydz uge",
          "month monat mois mes mês maand månad mies måned",
          "year annum jahr an année año anno ano jaar år rok",
          "minute minut",
          "second sekund segund");

  /** Words that say by themselves that something is for each of them. */
  private static final byte[][][] EACH =
      words(
          "hourly stündlich",
          "daily täglich dagelijks nightly",
          "weekly wöchentlich hebdomadaire semanal settimanal wekelijks",
          "monthly monatlich mensuel mensual mensil mensal maandelijks miesięczn",
          "yearly annual jährlich annuel anual jaarlijks roczn");

  private static final byte[][] PER =
      words("per pro par por je al every each a an alla za om im")[0];

  /** So few letters are the whole word. */
  private static final int WHOLE = 3;

  private PerTimes() {}

  private static byte[][][] words(String... lists) {
    return Arrays.stream(lists)
        .map(list ->
            Arrays.stream(list.split(" "))
                .map(word -> Utf8Span.of(word).toByteArray())
                .toArray(byte[][]::new))
        .toArray(byte[][][]::new);
  }

  /**
   * True if a claim says that an amount is for one time, and the text around the same amount in the
   * evidence names others alone.
   *
   * @param from where the claim begins
   * @param to where it ends
   * @param end behind the amount, its unit included
   * @param hasUnit it has one: of what has none only the words right behind it are read
   */
  static boolean differ(
      Utf8Span text,
      int from,
      int to,
      int start,
      int end,
      Utf8Span other,
      int otherStart,
      int otherEnd,
      boolean hasUnit) {
    int own = within(text, start, tail(text, end), end + 2);
    int there = within(other, otherStart, tail(other, otherEnd), otherEnd + 2);
    if (there != 0 || !hasUnit) {
      return own != 0 && there != 0 && (own & there) == 0;
    }
    if (own == 0) {
      int last = Math.min(to, end + BEHIND);
      own = within(text, Math.max(from, start - BEFORE), last, last);
    }
    if (Integer.bitCount(own) != 1) {
      return false;
    }
    int last = Math.min(other.length(), otherEnd + BEHIND);
    int around = within(other, Math.max(0, otherStart - BEFORE), last, last);
    return around != 0 && (around & own) == 0;
  }

  /** Where the words end that say what an amount is for: at a mark or at the next number. */
  private static int tail(Utf8Span text, int end) {
    int at = end;
    int last = Math.min(text.length(), end + MAX_OWN);
    while (at < last
        && (isLetter(text.byteAt(at)) || text.byteAt(at) == ' ' || text.byteAt(at) == '/')) {
      at++;
    }
    return at;
  }

  /** The times that bytes name: words that say so by themselves count before {@code each} only. */
  private static int within(Utf8Span text, int from, int to, int each) {
    int times = 0;
    boolean per = false;
    for (int at = from; at < to; at++) {
      boolean begins = isLetter(text.byteAt(at)) && (at == 0 || !isLetter(text.byteAt(at - 1)));
      if (!begins) {
        boolean digit = text.byteAt(at) >= '0' && text.byteAt(at) <= '9';
        per = !digit && (per || text.byteAt(at) == '/');
        continue;
      }
      times |= at < each ? times(text, at, EACH) : 0;
      times |= per ? times(text, at, TIMES) : 0;
      per = isOneOf(text, at, PER);
    }
    return times;
  }

  private static int times(Utf8Span text, int at, byte[][][] words) {
    int times = 0;
    for (int time = 0; time < words.length; time++) {
      times |= isOneOf(text, at, words[time]) ? 1 << time : 0;
    }
    return times;
  }

  private static boolean isOneOf(Utf8Span text, int at, byte[][] words) {
    for (byte[] word : words) {
      int same = 0;
      while (same < word.length
          && at + same < text.length()
          && (text.byteAt(at + same) == word[same]
              || (word[same] > 0 && (text.byteAt(at + same) | 0x20) == word[same]))) {
        same++;
      }
      boolean ends = at + same >= text.length() || !isLetter(text.byteAt(at + same));
      if (same == word.length && (word.length > WHOLE || ends)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLetter(int b) {
    return b < 0 || ((b | 0x20) >= 'a' && (b | 0x20) <= 'z');
  }
}
