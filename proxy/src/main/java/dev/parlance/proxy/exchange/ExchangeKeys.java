package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Draft;
import dev.parlance.proxy.gate.Flows;
import dev.parlance.relay.api.Destination;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import java.util.List;
import java.util.Optional;

/**
 * The identity of an exchange: its flow, whose error budget its drafts draw on, its parties, and
 * the keys under which the review queue finds its messages again.
 */
final class ExchangeKeys {
  /** Fields by which callers behind one address are told apart. */
  private static final List<String> CREDENTIALS =
      List.of("authorization", "cookie", "x-api-key", "api-key");

  private final Direction direction;
  private final String routeRule;
  private final RequestHead head;
  private final String to;
  private final String caller;
  private final String parties;
  private final Optional<String> trace;
  private Optional<String> flow = Optional.empty();

  ExchangeKeys(
      Direction direction,
      String routeRule,
      RequestHead head,
      Destination destination,
      String caller) {
    this.direction = direction;
    this.routeRule = routeRule;
    this.head = head;
    this.to = destination.toString();
    this.caller = caller;
    this.parties = direction.code() + " " + caller + " " + to;
    this.trace = Flows.traceId(head.fields());
  }

  /** Trace id that the caller gave, if it gave one. */
  Optional<String> trace() {
    return trace;
  }

  /** Who asks. */
  String caller() {
    return caller;
  }

  /** Flow of the exchange; one that no codec could read has a flow of its own. */
  String flow() {
    if (flow.isEmpty()) {
      flow = Optional.of(Flows.idOf(head.fields(), Correlation.NONE, caller + to, Utf8Span.EMPTY));
    }
    return flow.get();
  }

  /** Where the agent on the other side listens; empty where the local agent is the one asked. */
  Optional<String> peerAuthority() {
    return switch (direction) {
      case INBOUND -> Optional.empty();
      case OUTBOUND -> Optional.of(to);
    };
  }

  /** The two between whom an exchange passes. */
  String parties() {
    return parties;
  }

  /**
   * Flow of an exchange.
   *
   * @param view the request, of which an exchange has one
   */
  String flow(RequestView view) {
    if (flow.isEmpty()) {
      flow =
          Optional.of(Flows.idOf(head.fields(), view.correlation(), caller + to, view.question()));
    }
    return flow.get();
  }

  /**
   * Budget of what the caller says. The text is not part of it: a caller that mends its message
   * draws on the same budget.
   */
  Draft.FlowKey request(RequestView view) {
    return new Draft.FlowKey(
        Flows.idOf(head.fields(), view.correlation(), caller + to, Utf8Span.EMPTY),
        caller,
        Utf8Span.EMPTY);
  }

  /**
   * Budget of what the asked agent answers to one question of one caller: trace and conversation
   * are the caller's word, and who names another's must not spend his budget.
   */
  Draft.FlowKey answer(RequestView view) {
    return new Draft.FlowKey(flow(view), to + " for " + caller, view.question());
  }

  /**
   * Key of a request that is held: exactly this content of this caller for this place. Credentials
   * are part of it, so that nobody sends under another's release.
   */
  String releaseOfRequest(RequestView view, AgentMessage message) {
    return place("request", view).add(message.answer()).hex();
  }

  /** Key of an answer that is held: the same caller asks the same question in the same place. */
  String releaseOfAnswer(RequestView view) {
    return place("answer", view).add(view.question()).hex();
  }

  private Digests place(String purpose, RequestView view) {
    Digests place =
        Digests.of("release-" + purpose)
            .add(direction.code())
            .add(routeRule)
            .add(to)
            .add(head.method())
            .add(head.target())
            .add(caller)
            .add(view.protocol().name());
    CREDENTIALS.forEach(name -> place.add(head.fields().first(name).orElse("")));
    view.identity().forEach(place::add);
    return place;
  }
}
