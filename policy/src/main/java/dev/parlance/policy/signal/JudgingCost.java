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
 * script costs and near the worst that was measured, which is thousands of different words in a
 * row, or characters that NFKC takes apart:
 *
 * <pre>
 *   answer                                       10
 *   answer and text beside it, read for terms    10 more
 *   question, evidence                            4
 *   byte beyond ASCII, each time it is read      20 more
 *   byte of a character that is mostly folded   100 more instead
 *   chunk, citation given beside the text       500 each
 * </pre>
 *
 * Folded are here combining marks and all that shares its first byte with characters of long
 * decompositions: U+0080 to U+00BF, U+0300 to U+037F, U+3200 to U+33FF and U+F000 to U+FFFF.
 * Without evidence nothing is measured, and the guard alone reads.
 */
public final class JudgingCost {
  static final int ANSWER_NS = 10;
  static final int TERMS_NS = 10;
  static final int EVIDENCE_NS = 4;
  static final int BEYOND_ASCII_NS = 20;
  static final int FOLDED_NS = 100;
  static final int ITEM_NS = 500;

  /** Whether a vocabulary is looked for in the text besides. */
  public enum Terms {
    GUARDED,
    NOT_GUARDED
  }

  /**
   * How many times dearer it is to judge single claims: brackets that cite, one after the other,
   * cost near 4,000 ns a byte of an answer, ordinary text some 200.
   */
  static final int CLAIMS_FACTOR = 400;

  private final AgentMessage message;
  private final Utf8Span beside;
  private final Terms terms;
  private final int factor;

  /**
   * The cost of one message.
   *
   * @param beside what is read for terms and not measured
   */
  public JudgingCost(AgentMessage message, Utf8Span beside, Terms terms) {
    this(message, beside, terms, 1);
  }

  private JudgingCost(AgentMessage message, Utf8Span beside, Terms terms, int factor) {
    this.message = message;
    this.beside = beside;
    this.terms = terms;
    this.factor = factor;
  }

  /** The cost of the same message if each of its claims is judged. */
  public JudgingCost ofClaims() {
    return new JudgingCost(message, beside, terms, CLAIMS_FACTOR);
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
      sum += reading(message.answer(), ANSWER_NS + scans * TERMS_NS, 1 + scans, look);
      sum += reading(message.question(), EVIDENCE_NS, 1, look);
      for (Chunk chunk : evidence.chunks()) {
        sum += ITEM_NS + reading(chunk.text(), EVIDENCE_NS, 1, look);
      }
      sum += (long) ITEM_NS * evidence.citations().size();
    } else {
      int reads = scans + (NormalizedText.beginsWithToken(message.answer()) ? 0 : 1);
      sum += reading(message.answer(), reads * ANSWER_NS, reads, look);
    }
    return factor * sum + reading(beside, scans * TERMS_NS, scans, look);
  }

  private static long reading(Utf8Span text, int byteNs, int reads, Look look) {
    if (reads == 0) {
      return 0;
    }
    long characters =
        switch (look) {
          case AT_LENGTHS -> (long) FOLDED_NS * text.length();
          case AT_BYTES -> characters(text);
        };
    return (long) byteNs * text.length() + reads * characters;
  }

  /** What the bytes beyond ASCII add. */
  private static long characters(Utf8Span text) {
    byte[] bytes = text.array();
    int to = text.arrayOffset() + text.length();
    long beyond = 0;
    long folded = 0;
    for (int i = text.arrayOffset(); i < to; i++) {
      byte b = bytes[i];
      if (b < 0) {
        beyond++;
        folded += foldedBytes(b & 0xff, i + 1 < to ? bytes[i + 1] & 0xff : 0);
      }
    }
    folded = Math.min(folded, beyond);
    return beyond * BEYOND_ASCII_NS + folded * (FOLDED_NS - BEYOND_ASCII_NS);
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
