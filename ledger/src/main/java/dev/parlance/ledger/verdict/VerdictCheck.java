package dev.parlance.ledger.verdict;

import dev.parlance.ledger.tree.Hash;
import dev.parlance.policy.route.Route;
import java.util.Optional;

/**
 * Checks verdicts that come beside messages, in this order: form, key, trust, audience, code, time,
 * message, route, number. So a number is taken of what is genuine only.
 */
public final class VerdictCheck {
  /** How far clocks may differ, in milliseconds. */
  static final long CLOCK_SKEW_MS = 5_000;

  private VerdictCheck() {}

  /** What the receiver knows. */
  public interface Receiver {
    /** True if the receiver goes by that name. */
    boolean isOwn(String name);

    /** The sender with this key; empty if there is none. */
    Optional<VerdictPeer> sender(String name, String keyId);

    /** True if its verdicts are believed. */
    boolean isTrusted(VerdictPeer sender);
  }

  /** What came of it. */
  public sealed interface Result {
    /** The message was judged so. */
    record Genuine(MessageVerdict verdict) implements Result {}

    /** Nothing is known of the message. */
    record Refused(VerdictFault fault) implements Result {}
  }

  /**
   * Checks one.
   *
   * @param field as it stands beside the message
   * @param header the ASP header that stands there, empty if none
   * @param message the digest of the message
   */
  public static Result check(
      String field, String header, Hash message, Receiver receiver, long nowMs) {
    Optional<VerdictSeal.Sealed> read = VerdictSeal.Sealed.parse(field);
    if (read.isEmpty()) {
      return refused(VerdictFault.MALFORMED);
    }
    MessageVerdict verdict = read.get().verdict();
    MessageVerdict.Stamp stamp = verdict.stamp();
    Optional<VerdictPeer> found = receiver.sender(stamp.by(), stamp.keyId());
    if (found.isEmpty()) {
      return refused(VerdictFault.UNKNOWN_KEY);
    }
    VerdictPeer sender = found.get();
    if (!receiver.isTrusted(sender)) {
      return refused(VerdictFault.UNTRUSTED);
    }
    if (!receiver.isOwn(stamp.audience())) {
      return refused(VerdictFault.WRONG_AUDIENCE);
    }
    if (!read.get().isProven(sender, header)) {
      return refused(VerdictFault.WRONG_CODE);
    }
    if (stamp.expiresMs() - stamp.issuedMs() > MessageVerdict.MAX_LIFE_MS
        || stamp.issuedMs() > nowMs + CLOCK_SKEW_MS
        || stamp.expiresMs() + CLOCK_SKEW_MS < nowMs) {
      return refused(VerdictFault.NOT_NOW);
    }
    if (stamp.issuedMs() < sender.sinceMs()) {
      return refused(VerdictFault.TOO_EARLY);
    }
    if (!verdict.binding().message().equals(message)) {
      return refused(VerdictFault.WRONG_MESSAGE);
    }
    Route route = verdict.finding().route();
    if (route != Route.EXECUTE && route != Route.WARN) {
      return refused(VerdictFault.NOT_PASSED);
    }
    return sender.take(stamp.number())
        ? new Result.Genuine(verdict)
        : refused(VerdictFault.REPLAYED);
  }

  private static Result refused(VerdictFault fault) {
    return new Result.Refused(fault);
  }
}
