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
  private static final int PARTS = 15;
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
    StringBuilder text = new StringBuilder(512);
    text.append(VERSION).append(';').append(stamp.by).append('+').append(stamp.keyId);
    text.append(';').append(stamp.audience);
    text.append(';').append(stamp.number);
    text.append(';').append(stamp.issuedMs);
    text.append(';').append(stamp.expiresMs);
    text.append(';').append(finding.decision);
    text.append(';').append(finding.route.code());
    text.append(';').append(String.join(",", finding.reasons));
    text.append(';').append(finding.signals.map(MessageVerdict::text).orElse(NOTHING));
    text.append(';').append(finding.profile);
    text.append(';').append(finding.core.orElse(NOTHING));
    text.append(';').append(binding.message.base64());
    text.append(';').append(binding.text.base64());
    return text.append(';').append(binding.evidence.base64()).toString();
  }

  private static String text(Signals signals) {
    return signals.certainty
        + ","
        + signals.grounding
        + ","
        + signals.stochasticity
        + ","
        + signals.drift;
  }

  /** Reads the text form; empty if it is none. */
  static Optional<MessageVerdict> parse(String text) {
    List<String> parts = split(text, ';');
    if (parts.size() != PARTS || !parts.getFirst().equals(VERSION)) {
      return Optional.empty();
    }
    List<String> by = split(parts.get(1), '+');
    Optional<Route> route = Coded.find(Route.values(), parts.get(7));
    Optional<Hash> message = Hash.parseBase64(parts.get(12));
    Optional<Hash> read = Hash.parseBase64(parts.get(13));
    Optional<Hash> evidence = Hash.parseBase64(parts.get(14));
    if (by.size() != 2
        || route.isEmpty()
        || message.isEmpty()
        || read.isEmpty()
        || evidence.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new MessageVerdict(
              new Stamp(
                  by.get(0),
                  by.get(1),
                  parts.get(2),
                  number(parts.get(3), MAX_DIGITS + 1),
                  number(parts.get(4), MAX_DIGITS),
                  number(parts.get(5), MAX_DIGITS)),
              new Finding(
                  parts.get(6),
                  route.get(),
                  split(parts.get(8), ','),
                  signals(parts.get(9)),
                  parts.get(10),
                  Optional.of(parts.get(11)).filter(core -> !core.equals(NOTHING))),
              new Binding(message.get(), read.get(), evidence.get())));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the records say what a verdict is
    }
  }

  private static Optional<Signals> signals(String text) {
    if (text.equals(NOTHING)) {
      return Optional.empty();
    }
    List<String> parts = split(text, ',');
    if (parts.size() != 4) {
      throw new IllegalArgumentException("no signals: " + text);
    }
    return Optional.of(
        new Signals(
            (int) number(parts.get(0), 5),
            (int) number(parts.get(1), 5),
            (int) number(parts.get(2), 5),
            (int) number(parts.get(3), 5)));
  }

  private static long number(String text, int maxDigits) {
    boolean isNumber = isOf(text, 1, maxDigits, MessageVerdict::isDigit);
    if (!isNumber || (text.length() > 1 && text.charAt(0) == '0')) {
      throw new IllegalArgumentException("no number: " + text);
    }
    return Long.parseLong(text);
  }

  /** The parts between separators, the empty ones too. */
  static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>(PARTS + 1);
    int begin = 0;
    for (int end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, begin)) {
      parts.add(text.substring(begin, end));
      begin = end + 1;
    }
    parts.add(text.substring(begin));
    return parts;
  }
}
