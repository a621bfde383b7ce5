package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;

/**
 * An upper bound of what it costs to judge a message, told from the lengths of its texts and the
 * kind of their characters before any of it is read: so a message that would keep a thread busy for
 * too long can be turned away. A pure function of the message, so the same one always fares alike.
 *
 * <p>Prices are nanoseconds of one core for each byte. They lie above what ordinary text of any
 * script costs and near the worst that was measured: for words thousands of different ones in a
 * row, or characters that NFKC takes apart; for claims the same sentence in answer and evidence
 * many times, and numbers without anything else.
 *
 * <pre>
 *                                          words  claims
 *   answer                                    10     400
 *   answer and text beside it, for terms      10 more
 *   question, evidence                         4     150
 *   digit or sign of an answer                 0     600 more
 *   of question and evidence                   0     450 more
 *   byte beyond ASCII, each time              20     300 more
 *   byte of a character mostly folded        100     300 more instead
 *   chunk, citation beside the text          500   2,000 each
 * </pre>
 *
 * Folded are here combining marks and all that shares its first byte with characters of long
 * decompositions: U+0080 to U+00BF, U+0300 to U+037F, U+3200 to U+33FF and U+F000 to U+FFFF.
 * Without evidence nothing is measured, and the guard alone reads.
 */
public final class JudgingCost {
  private static final int TERMS_NS = 10;

  /**
   * What a byte costs, in nanoseconds.
   *
   * @param answerSign of a digit or sign of an answer, besides
   * @param evidenceSign of one of question or evidence, besides
   * @param beyondAscii besides, and of one mostly folded
   * @param item of a chunk or a citation
   */
  private record Prices(
      int answer,
      int evidence,
      int answerSign,
      int evidenceSign,
      int beyondAscii,
      int folded,
      int item) {}

  private static final Prices OF_WORDS = new Prices(10, 4, 0, 0, 20, 100, 500);
  private static final Prices OF_CLAIMS = new Prices(400, 150, 600, 450, 300, 300, 2000);

  /** Whether a vocabulary is looked for in the text besides. */
  public enum Terms {
    GUARDED,
    NOT_GUARDED
  }

  private final AgentMessage message;
  private final Utf8Span beside;
  private final Terms terms;
  private final Prices prices;

  /**
   * The cost of one message.
   *
   * @param beside what is read for terms and not measured
   */
  public JudgingCost(AgentMessage message, Utf8Span beside, Terms terms) {
    this(message, beside, terms, OF_WORDS);
  }

  private JudgingCost(AgentMessage message, Utf8Span beside, Terms terms, Prices prices) {
    this.message = message;
    this.beside = beside;
    this.terms = terms;
    this.prices = prices;
  }

  /** The cost of the same message if each of its claims is judged. */
  public JudgingCost ofClaims() {
    return new JudgingCost(message, beside, terms, OF_CLAIMS);
  }

  /**
   * True if it costs more than {@code limitNs}. A message so short that its characters cannot
   * matter, as nearly every one is, is not looked at.
   */
  public boolean exceeds(long limitNs) {
    return total(Look.AT_LENGTHS) > limitNs && total(Look.AT_BYTES) > limitNs;
  }

  /** The cost in nanoseconds. */
  public long ns() {
    return total(Look.AT_BYTES);
  }

  private enum Look {
    /** As if every byte were the dearest. */
    AT_LENGTHS,
    AT_BYTES
  }

  private long total(Look look) {
    Evidence evidence = message.evidence();
    int scans = terms == Terms.GUARDED ? 1 : 0;
    long sum = 0;
    if (evidence.isPresent()) {
      sum += reading(message.answer(), prices.answer, prices.answerSign, 1, prices, look);
      sum += reading(message.answer(), TERMS_NS, 0, scans, OF_WORDS, look);
      sum += reading(message.question(), prices.evidence, prices.evidenceSign, 1, prices, look);
      for (Chunk chunk : evidence.chunks()) {
        sum += prices.item;
        sum += reading(chunk.text(), prices.evidence, prices.evidenceSign, 1, prices, look);
      }
      sum += (long) prices.item * evidence.citations().size();
    } else {
      int hidden = NormalizedText.beginsWithToken(message.answer()) ? 0 : 1;
      sum += reading(message.answer(), prices.answer, prices.answerSign, hidden, prices, look);
      sum += reading(message.answer(), TERMS_NS, 0, scans, OF_WORDS, look);
    }
    return sum + reading(beside, TERMS_NS, 0, scans, OF_WORDS, look);
  }

  private static long reading(
      Utf8Span text, int byteNs, int signNs, int reads, Prices prices, Look look) {
    if (reads == 0) {
      return 0;
    }
    long characters =
        switch (look) {
          case AT_LENGTHS -> (long) Math.max(signNs, prices.folded) * text.length();
          case AT_BYTES -> characters(text, signNs, prices);
        };
    return reads * ((long) byteNs * text.length() + characters);
  }

  /** What digits, signs and the bytes beyond ASCII add. */
  private static long characters(Utf8Span text, int signNs, Prices prices) {
    byte[] bytes = text.array();
    int to = text.arrayOffset() + text.length();
    long signs = 0;
    long beyond = 0;
    long folded = 0;
    for (int i = text.arrayOffset(); i < to; i++) {
      byte b = bytes[i];
      if (b < 0) {
        beyond++;
        folded += foldedBytes(b & 0xff, i + 1 < to ? bytes[i + 1] & 0xff : 0);
      } else if (b != ' ' && ((b | 0x20) < 'a' || (b | 0x20) > 'z')) {
        signs++;
      }
    }
    folded = Math.min(folded, beyond);
    return signs * signNs
        + beyond * prices.beyondAscii
        + folded * (prices.folded - prices.beyondAscii);
  }

  /** Length of the character that begins with these two bytes, if it counts as folded. */
  private static int foldedBytes(int first, int second) {
    return switch (first) {
      case 0xC2, 0xCC, 0xCD -> 2;
      case 0xE3 -> second >= 0x88 && second <= 0x8F ? 3 : 0;
      case 0xEF -> 3;
      default -> 0;
    };
  }
}
