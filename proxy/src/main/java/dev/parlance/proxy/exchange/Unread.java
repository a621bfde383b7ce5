package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The policy for parts of a message that no codec could read. Pictures, sounds, files and links
 * follow the route's {@code binary}, all others its {@code onUnjudged}, and where messages have
 * consequences none passes. The words of an agent's error are no part of an answer: within {@code
 * limits.errorBytes} they pass with a warning, because without them no client could tell why it got
 * nothing.
 */
final class Unread {
  /** The words of an agent's error. */
  static final String ERROR_TEXT = ResponseView.Failed.UNREAD;

  /** The whole message: to judge it would cost more than {@code limits.judgingMs}. */
  static final String JUDGING_LIMIT = "judging_limit";

  private Unread() {}

  /** What the message must not go on for, if anything. */
  static Optional<String> blocking(ExchangeContext exchange, List<String> unread) {
    if (exchange.observing() || unread.isEmpty()) {
      return Optional.empty();
    }
    boolean blocks = exchange.rule.consequential() || exchange.rule.onUnjudged() == OnFailure.BLOCK;
    return hard(unread)
        .filter(code ->
            code.equals(MessageView.BINARY_PART)
                ? exchange.rule.binary() == RouteRule.Binary.BLOCK
                : blocks)
        .findFirst();
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

  /**
   * Why the words of an error do not go on, if anything stands against them; that it is an error,
   * and of which kind, goes on all the same.
   *
   * @param bytes its size, with what came before in the same stream and stands in fields beside it
   */
  static Optional<Reason> withheld(ExchangeContext exchange, AgentError error, long bytes) {
    if (exchange.observing()) {
      return Optional.empty();
    }
    RouteRule rule = exchange.rule;
    boolean isUnguarded = rule.consequential() && error.words().isEmpty();
    boolean isLarge = bytes > exchange.config.limits().errorBytes();
    if (isUnguarded || (isLarge && rule.onUnjudged() == OnFailure.BLOCK)) {
      return Optional.of(Reason.UNJUDGED);
    }
    return error
        .words()
        .flatMap(words ->
            exchange
                .services
                .gate()
                .guard(
                    words,
                    exchange.checks.untested(words, Utf8Span.EMPTY),
                    rule,
                    exchange.keys.peerAuthority()))
        .filter(found -> found.route() == Route.REGENERATE || found.route() == Route.YIELD)
        .map(GuardOutcome::reason);
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
