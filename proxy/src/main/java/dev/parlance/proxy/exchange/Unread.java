package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.wire.api.VerdictHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The policy for parts of a message that no codec could read. They follow the route's {@code
 * onUnjudged}, except the short text of a protocol's error, which passes with a warning: without it
 * no client could tell why it got nothing. Where messages have consequences nothing unread passes.
 */
final class Unread {
  /** The short text of a protocol error. */
  static final String ERROR_TEXT = "error_text";

  /** The whole message: to judge it would cost more than {@code limits.judgingMs}. */
  static final String JUDGING_LIMIT = "judging_limit";

  private Unread() {}

  /** What the message must not go on for, if anything. */
  static Optional<String> blocking(ExchangeContext exchange, List<String> unread) {
    if (exchange.observing() || unread.isEmpty()) {
      return Optional.empty();
    }
    if (exchange.rule.consequential()) {
      return Optional.of(unread.getFirst());
    }
    return exchange.rule.onUnjudged() == OnFailure.BLOCK
        ? hard(unread).findFirst()
        : Optional.empty();
  }

  /**
   * The policy for a message that goes on although this was not read.
   *
   * @param unread not empty, and nothing {@link #blocking}
   */
  static OnFailure policy(ExchangeContext exchange, List<String> unread) {
    return !exchange.observing()
            && exchange.rule.onUnjudged() == OnFailure.ALLOW
            && hard(unread).findAny().isPresent()
        ? OnFailure.ALLOW
        : OnFailure.WARN;
  }

  /** The verdict of a message that goes on, with the warning if one is due. */
  static VerdictHeader verdict(ExchangeContext exchange, Judgment judgment, List<String> unread) {
    if (unread.isEmpty()) {
      return judgment.annotation();
    }
    OnFailure policy = policy(exchange, unread);
    exchange.record.partlyUnread(unread, policy);
    return policy == OnFailure.WARN
        ? Notices.partlyUnread(judgment.annotation())
        : judgment.annotation();
  }

  /** The codes of two lists, each once. */
  static List<String> both(List<String> one, List<String> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    List<String> all = new ArrayList<>(one);
    other.stream().filter(code -> !one.contains(code)).forEach(all::add);
    return all;
  }

  private static Stream<String> hard(List<String> unread) {
    return unread.stream().filter(code -> !code.equals(ERROR_TEXT));
  }
}
