package dev.parlance.ledger.verdict;

import dev.parlance.ledger.tree.Hash;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * A verdict on one message, for one receiver, as it travels in the field {@code Parlance-Verdict}:
 * parts between semicolons, in this order, and behind the last one its {@link VerdictSeal}.
 *
 * <pre>
 * version      1
 * by           name of the sidecar that has judged, plus sign, id of its key (8 hex digits)
 * audience     name of the receiver
 * number       of the verdict among those of the key, ever higher; taken once
 * issued       milliseconds since the epoch
 * expires      likewise, at most 60 s later
 * decision     id in the decision log of who has judged
 * route        execute or warn
 * reasons      codes between commas
 * signals      @C, @G, @S and drift in ten-thousandths between commas, or -
 * profile      what it was judged by, 32 hex digits
 * core         what terms were held against, or -
 * message      SHA-256 of the message on the wire \
 * text         of what was read and judged of it    }  base64
 * evidence     of what it was held against         /
 * </pre>
 */
public record MessageVerdict(Stamp stamp, Finding finding, Binding binding) {
  /** Longest that a verdict is believed, in milliseconds. */
  public static final long MAX_LIFE_MS = 60_000;

  /** Longest text of a verdict, in characters. */
  public static final int MAX_CHARS = 2_048;

  private static final String VERSION = "1";
  private static final String NOTHING = "-";
  private static final int USUAL_CHARS = 640;
  private static final int MAX_NAME = 256;
  private static final int MAX_WORD = 160;
  private static final int MAX_REASON = 40;
  private static final int PROFILE_DIGITS = 32;
  private static final int MAX_REASONS = 16;
  private static final int MAX_DIGITS = 18;

  /**
   * Whose word it is, for whom, and when.
   *
   * @param by name of the sidecar that has judged
   * @param keyId id of its key
   * @param audience name of the receiver
   */
  public record Stamp(
      String by, String keyId, String audience, long number, long issuedMs, long expiresMs) {
    /** Refuses names that have no place in a field, and a life that nobody would believe. */
    public Stamp {
      if (!isName(by) || !isName(audience) || !isHex(keyId, VerdictPeer.KEY_ID_CHARS)) {
        throw new IllegalArgumentException("no name: " + by + ", " + keyId + ", " + audience);
      }
      if (number < 1 || issuedMs < 0 || expiresMs < issuedMs) {
        throw new IllegalArgumentException("no time: " + number + ", " + issuedMs);
      }
    }
  }

  /**
   * What was found.
   *
   * @param decision id in the decision log of who has judged
   * @param reasons codes, at least one
   * @param profile digest of what it was judged by
   * @param core what terms were held against, empty if nothing
   */
  public record Finding(
      String decision,
      Route route,
      List<String> reasons,
      Optional<Signals> signals,
      String profile,
      Optional<String> core) {
    /** Refuses what has no place in a field. */
    public Finding {
      reasons = List.copyOf(reasons);
      boolean isFinding =
          isWord(decision)
              && !reasons.isEmpty()
              && reasons.size() <= MAX_REASONS
              && isHex(profile, PROFILE_DIGITS)
              && (core.isEmpty() || (isWord(core.get()) && !core.get().equals(NOTHING)));
      for (int i = 0; isFinding && i < reasons.size(); i++) {
        isFinding = isReason(reasons.get(i));
      }
      if (!isFinding) {
        throw new IllegalArgumentException("no finding: " + decision + ", " + reasons);
      }
    }
  }

  /** The signals, in ten-thousandths. */
  public record Signals(int certainty, int grounding, int stochasticity, int drift) {
    /** What 1 is. */
    public static final int ONE = 10_000;

    /** Refuses what is not in [0,1]. */
    public Signals {
      if (!isPart(certainty) || !isPart(grounding) || !isPart(stochasticity) || !isPart(drift)) {
        throw new IllegalArgumentException("signals are in [0," + ONE + "]");
      }
    }
  }

  private static boolean isPart(int tenThousandths) {
    return tenThousandths >= 0 && tenThousandths <= Signals.ONE;
  }

  /**
   * What it is about.
   *
   * @param message what was on the wire
   * @param text what was read of it, and judged
   * @param evidence what that was held against
   */
  public record Binding(Hash message, Hash text, Hash evidence) {}

  /** True for what can stand in a verdict as the name of a sidecar. */
  public static boolean isName(String text) {
    return isOf(text, 1, MAX_NAME, c -> c >= '!' && c <= '~' && c != ';' && c != '+');
  }

  private static boolean isWord(String text) {
    return isOf(
        text, 1, MAX_WORD, c -> isDigit(c) || isLower(c | 0x20) || "._:@/,-".indexOf(c) >= 0);
  }

  private static boolean isReason(String text) {
    return isOf(text, 1, MAX_REASON, c -> isLower(c) || c == '_');
  }

  private static boolean isHex(String text, int digits) {
    return isOf(text, digits, digits, c -> isDigit(c) || (c >= 'a' && c <= 'f'));
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLower(int c) {
    return c >= 'a' && c <= 'z';
  }

  /** Without a matcher for each of the parts of each verdict. */
  private static boolean isOf(String text, int min, int max, IntPredicate allowed) {
    boolean is = text.length() >= min && text.length() <= max;
    for (int i = 0; is && i < text.length(); i++) {
      is = allowed.test(text.charAt(i));
    }
    return is;
  }

  /** Whose verdict a field says that it is, unproven; empty if it says nothing. */
  public static Optional<String> claimedBy(String field) {
    int begin = field.indexOf(';') + 1;
    int end = field.indexOf('+', begin);
    return Optional.of(end < 0 ? "" : field.substring(begin, end)).filter(MessageVerdict::isName);
  }

  /** The text form, without codes. */
  public String text() {
    return write().toString();
  }

  /** The text form, with room for codes behind it. */
  StringBuilder write() {
    StringBuilder text = new StringBuilder(USUAL_CHARS);
    text.append(VERSION).append(';').append(stamp.by).append('+').append(stamp.keyId);
    text.append(';').append(stamp.audience);
    text.append(';').append(stamp.number);
    text.append(';').append(stamp.issuedMs);
    text.append(';').append(stamp.expiresMs);
    text.append(';').append(finding.decision);
    text.append(';').append(finding.route.code());
    text.append(';').append(String.join(",", finding.reasons));
    text.append(';');
    if (finding.signals.isPresent()) {
      write(text, finding.signals.get());
    } else {
      text.append(NOTHING);
    }
    text.append(';').append(finding.profile);
    text.append(';').append(finding.core.orElse(NOTHING));
    text.append(';').append(binding.message.base64());
    text.append(';').append(binding.text.base64());
    return text.append(';').append(binding.evidence.base64());
  }

  private static void write(StringBuilder text, Signals signals) {
    text.append(signals.certainty).append(',').append(signals.grounding).append(',');
    text.append(signals.stochasticity).append(',').append(signals.drift);
  }

  /** Reads the text form at the beginning of a field; empty if it is none. */
  static Optional<MessageVerdict> parse(String field, int end) {
    try {
      Parts parts = new Parts(field, end);
      if (!parts.next(';').equals(VERSION)) {
        return Optional.empty();
      }
      Stamp stamp =
          new Stamp(
              parts.next('+'),
              parts.next(';'),
              parts.next(';'),
              parts.number(';', MAX_DIGITS + 1),
              parts.number(';', MAX_DIGITS),
              parts.number(';', MAX_DIGITS));
      Finding finding =
          new Finding(
              parts.next(';'),
              Coded.find(Route.values(), parts.next(';')).orElseThrow(() -> parts.bad("route")),
              reasons(parts.next(';')),
              signals(parts.next(';')),
              parts.next(';'),
              Optional.of(parts.next(';')).filter(core -> !core.equals(NOTHING)));
      Binding binding = new Binding(parts.hash(), parts.hash(), parts.hash());
      return parts.isOver()
          ? Optional.of(new MessageVerdict(stamp, finding, binding))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the records say what a verdict is
    }
  }

  private static List<String> reasons(String text) {
    if (text.indexOf(',') < 0) {
      return List.of(text);
    }
    List<String> reasons = new ArrayList<>(2);
    Parts parts = new Parts(text, text.length());
    while (!parts.isOver()) {
      reasons.add(parts.next(','));
    }
    return reasons;
  }

  private static Optional<Signals> signals(String text) {
    if (text.equals(NOTHING)) {
      return Optional.empty();
    }
    Parts parts = new Parts(text, text.length());
    Signals signals =
        new Signals(
            (int) parts.number(',', 5),
            (int) parts.number(',', 5),
            (int) parts.number(',', 5),
            (int) parts.number(',', 5));
    if (!parts.isOver()) {
      throw parts.bad("four signals");
    }
    return Optional.of(signals);
  }

  /** The parts of a text between separators, one after the other, the empty ones too. */
  private static final class Parts {
    private final String text;
    private final int end;

    /** Where the next part begins; behind the end once there is none. */
    private int at;

    Parts(String text, int end) {
      this.text = text;
      this.end = end;
    }

    boolean isOver() {
      return at > end;
    }

    IllegalArgumentException bad(String what) {
      return new IllegalArgumentException("no " + what + ": " + text);
    }

    /** Where the part ends that begins here. */
    private int stop(char separator) {
      if (isOver()) {
        throw bad("part behind the last one");
      }
      int stop = text.indexOf(separator, at, end);
      return stop < 0 ? end : stop;
    }

    String next(char separator) {
      int stop = stop(separator);
      String part = text.substring(at, stop);
      at = stop + 1;
      return part;
    }

    long number(char separator, int maxDigits) {
      int begin = at;
      int stop = stop(separator);
      boolean isNumber =
          stop > begin
              && stop - begin <= maxDigits
              && (stop == begin + 1 || text.charAt(begin) != '0');
      for (int i = begin; isNumber && i < stop; i++) {
        isNumber = isDigit(text.charAt(i));
      }
      if (!isNumber) {
        throw bad("number");
      }
      at = stop + 1;
      return Long.parseLong(text, begin, stop, 10);
    }

    Hash hash() {
      return Hash.parseBase64(next(';')).orElseThrow(() -> bad("hash"));
    }
  }
}
