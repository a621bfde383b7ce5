package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Draft;
import dev.parlance.proxy.gate.Flows;
import dev.parlance.proxy.identity.CallerIdentity;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.relay.api.Destination;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.TaskCall;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The identity of an exchange: its flow, whose error budget its drafts draw on, its parties, and
 * the keys under which the review queue finds its messages again.
 */
final class ExchangeKeys {
  private final Direction direction;
  private final RequestHead head;
  private final String to;
  private final String caller;
  private final String parties;
  private final Optional<String> trace;
  private Optional<String> flow = Optional.empty();

  ExchangeKeys(Direction direction, RequestHead head, Destination destination, String caller) {
    this.direction = direction;
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

  /**
   * Flow of an exchange whose request nobody reads: without a trace it is of no other, since what
   * was asked does not tell it from those of the same caller.
   */
  String flowOfItsOwn() {
    flow = Optional.of(trace.map(id -> "t-" + id).orElseGet(() -> "u-" + UUID.randomUUID()));
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

  // ---- what the review queue recognises messages by ----

  /** Who asks, for the review queue. */
  String asker() {
    return askedBy("caller").hex();
  }

  /**
   * What an answer to this request is held under.
   *
   * @param rejected the ids of the answer, under which the conversation may go on
   */
  HeldMessage.Keys ofAnswer(
      RequestView view, Correlation rejected, Utf8Span text, Optional<Agents> agents) {
    Set<Optional<String>> conversations = conversations(view, rejected);
    return new HeldMessage.Keys(
        asker(),
        conversations.stream()
            .map(id -> conversation(askedBy("question"), view, id).add(view.question()).hex())
            .toList(),
        Stream.concat(
                conversations.stream().map(id -> text(view, id, text)),
                rejected.taskId().stream().map(task -> textOfTask(task, text)))
            .toList(),
        view.taskCall().map(TaskCall::taskId).or(rejected::taskId).map(this::task).stream()
            .toList(),
        agents.map(
            two -> new HeldMessage.Shared(two.opposite(), shared(two, view, rejected, text))));
  }

  private static Set<Optional<String>> conversations(RequestView view, Correlation rejected) {
    Set<Optional<String>> conversations = new LinkedHashSet<>();
    conversations.add(view.correlation().contextId());
    conversations.add(rejected.contextId().or(view.correlation()::contextId));
    return conversations;
  }

  /** What a request is held under: exactly this content, in whatever it is wrapped. */
  HeldMessage.Keys ofRequest(RequestView view, AgentMessage message, Optional<Agents> agents) {
    String key = request(view, message);
    return new HeldMessage.Keys(
        asker(),
        List.of(key),
        List.of(key),
        List.of(),
        agents.map(
            two -> new HeldMessage.Shared(two.opposite(), List.of(shared(two, view, message)))));
  }

  /** Key of this text as what a task of the agent says. */
  String textOfTask(String taskId, Utf8Span text) {
    return askedBy("text of task").add(taskId).add(text).hex();
  }

  /** Key of a task of the agent, whose answer is held. */
  String task(String taskId) {
    return askedBy("task").add(taskId).hex();
  }

  /** Key of the question that this request asks. */
  String question(RequestView view) {
    return conversation(askedBy("question"), view, view.correlation().contextId())
        .add(view.question())
        .hex();
  }

  /** Key of this text as an answer to this request. */
  String text(RequestView view, Utf8Span text) {
    return text(view, view.correlation().contextId(), text);
  }

  /** What has no conversation is one with its question. */
  private String text(RequestView view, Optional<String> contextId, Utf8Span text) {
    return text(askedBy("text"), view, contextId, text);
  }

  private String text(Digests begun, RequestView view, Optional<String> contextId, Utf8Span text) {
    return conversation(begun, view, contextId)
        .add(Correlation.known(contextId).isPresent() ? Utf8Span.EMPTY : view.question())
        .add(text)
        .hex();
  }

  /** Key of the request itself. */
  String request(RequestView view, AgentMessage message) {
    return request(askedBy("request"), view, message);
  }

  private String request(Digests request, RequestView view, AgentMessage message) {
    request.add(head.method()).add(head.target());
    view.identity().forEach(request::add);
    return request.add(message.answer()).hex();
  }

  private Digests conversation(Digests begun, RequestView view, Optional<String> contextId) {
    Digests conversation = begun.add(view.protocol().name());
    view.conversation(head, contextId).forEach(conversation::add);
    return conversation;
  }

  // ---- what both sidecars of a message recognise it by ----

  /**
   * The two agents of an exchange, of which both sidecars know.
   *
   * @param opposite the one that is not the local agent
   */
  record Agents(String asker, String asked, String opposite) {}

  /** This text as an answer to this request, or as what its task says. */
  List<String> shared(Agents agents, RequestView view, Correlation rejected, Utf8Span text) {
    return Stream.concat(
            conversations(view, rejected).stream()
                .map(id -> text(between(agents, "text"), view, id, text)),
            view.taskCall().map(TaskCall::taskId).or(rejected::taskId).stream()
                .map(task -> between(agents, "task").add(task).add(text).hex()))
        .toList();
  }

  /** The request itself. */
  String shared(Agents agents, RequestView view, AgentMessage message) {
    return request(between(agents, "request"), view, message);
  }

  private Digests between(Agents agents, String purpose) {
    Digests between =
        Digests.of("shared-review-" + purpose).add(agents.asker()).add(agents.asked());
    CallerIdentity.of(head.fields()).forEach(between::add);
    return between;
  }

  private Digests askedBy(String purpose) {
    Digests asked = Digests.of("review-" + purpose).add(direction.code()).add(to).add(caller);
    CallerIdentity.of(head.fields()).forEach(asked::add);
    return asked;
  }
}
