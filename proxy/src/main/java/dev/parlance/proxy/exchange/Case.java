package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Grounding;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.gate.Draft;
import dev.parlance.proxy.gate.FlowKey;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What stays the same through one exchange, and the rules that its route makes for both halves. */
final class Case {
  private static final long NS_PER_MS = 1_000_000;

  final Services services;
  final SidecarConfig config;
  final RouteRule rule;
  final Direction direction;
  final ServerCall exchange;
  final WholeRequest request;
  final Destination destination;
  final RequestHead head;
  final Codecs codecs;
  final Keys keys;
  final Trail trail;
  final Answer answer;
  final Reviewing reviewing;
  final long startNs = System.nanoTime();

  Case(
      Services services,
      SidecarConfig config,
      Codecs codecs,
      RouteRule rule,
      Direction direction,
      ServerCall exchange,
      WholeRequest request,
      Destination destination) {
    this.services = services;
    this.config = config;
    this.rule = rule;
    this.direction = direction;
    this.exchange = exchange;
    this.request = request;
    this.destination = destination;
    this.codecs = codecs;
    HttpHeaders headers = request.headers();
    this.head =
        new RequestHead(
            request.method().name(),
            request.target(),
            name -> Optional.ofNullable(headers.get(name)));
    this.keys = new Keys(direction, rule.name(), head, destination, exchange.peer());
    this.trail =
        new Trail(
            services.metrics(),
            rule,
            direction,
            keys,
            new LogLines(services, config, rule, direction, head, exchange.peer(), keys));
    this.answer = new Answer(exchange, codecs, rule, head, trail);
    this.reviewing =
        new Reviewing(services, rule, direction, head, destination, exchange, keys, trail);
  }

  /**
   * Judges a message that answers nothing.
   *
   * @return empty if that would cost more than {@code limits.judgingMs}
   */
  Optional<Ruling> judge(
      Leg leg, AgentMessage message, Grounding grounding, FlowKey key, int attempt) {
    return ruled(new Draft(leg, message, grounding, key, attempt, keys.peerAuthority()));
  }

  /**
   * Judges an answer, or as much of it as was said. What was retrieved is evidence for what comes
   * after it, and not held against what was retrieved before.
   *
   * @return empty if that would cost more than {@code limits.judgingMs}
   */
  Optional<Ruling> judgeAnswer(ResponseView read, AgentMessage said, FlowKey key, int attempt) {
    boolean answers = read.answersQuestion();
    AgentMessage judged = answers && read.observable().isEmpty() ? withObserved(said) : said;
    Grounding grounding = answers ? rule.grounding() : Grounding.OPTIONAL;
    return ruled(
        new Draft(
            Leg.RESPONSE, judged, read.beside(), grounding, key, attempt, keys.peerAuthority()));
  }

  private Optional<Ruling> ruled(Draft draft) {
    return Gate.cost(draft, rule).exceeds(config.judgingMs() * NS_PER_MS)
        ? Optional.empty()
        : Optional.of(services.gate().rule(draft, rule));
  }

  /** An answer without evidence is held against what its agent was given in the same trace. */
  private AgentMessage withObserved(AgentMessage message) {
    Evidence own = message.evidence();
    if (own.isPresent() || services.observed().isEmpty()) {
      return message;
    }
    List<Chunk> given = keys.trace().map(services.observed().get()::of).orElse(List.of());
    return given.isEmpty()
        ? message
        : new AgentMessage(
            message.answer(),
            message.question(),
            new Evidence(
                EvidenceSource.OBSERVED,
                given,
                own.citations(),
                own.confidence(),
                own.assumptions()));
  }

  /** The local agent is given an answer: what it brings may be evidence for what it says next. */
  void observe(ResponseView given) {
    if (direction == Direction.OUTBOUND && !given.observable().isEmpty()) {
      services
          .observed()
          .ifPresent(evidence ->
              keys.trace().ifPresent(trace -> evidence.record(trace, given.observable())));
    }
  }

  /** True if nothing is held back, whatever the verdict. */
  boolean observing() {
    return rule.mode() == Mode.OBSERVE;
  }

  /** When the bytes of a streamed answer go on. */
  StreamMode streamMode() {
    return observing() ? StreamMode.OBSERVE : rule.stream();
  }

  boolean goesOn(Ruling ruling) {
    return observing() || passes(ruling);
  }

  /** True if nothing stands against the message. */
  static boolean passes(Ruling ruling) {
    return switch (ruling.decision()) {
      case Decision.Execute _, Decision.Warn _ -> true;
      case Decision.Regenerate _, Decision.Yield _ -> false;
    };
  }

  /** What happens to what no codec can read. */
  OnFailure onUnjudged() {
    return observing() ? OnFailure.ALLOW : rule.onUnjudged();
  }

  /** The verdict where it has a place in a body; forgeries go in any case. */
  List<Edit> edits(Annotatable read, VerdictHeader verdict) {
    return rule.metadata() ? read.annotate(verdict) : read.strip();
  }

  /** The verdict of a message that goes on although nobody judged it. */
  VerdictHeader unjudged(String id, int attempt) {
    return bare(id, Route.WARN, Reason.UNJUDGED, attempt);
  }

  /** The verdict that goes with a message that was not judged, and with a person's release. */
  VerdictHeader bare(String id, Route route, Reason reason, int attempt) {
    return new VerdictHeader(
        Optional.empty(),
        route.code(),
        List.of(reason.code()),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        "none",
        attempt,
        0,
        rule.profile().errorMax(),
        trail.flow(),
        "none",
        rule.profile().name(),
        rule.mode().code(),
        services.gate().node(),
        id,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * A message was judged and goes on: from now on it is no news between these two. An answer that
   * nothing was held against (a prompt, a resource, an answer without evidence) is not remembered:
   * who repeats it as part of another answer would have it pass unmeasured.
   */
  void remember(Ruling ruling) {
    boolean measured =
        ruling.draft().leg() == Leg.REQUEST || ruling.message().evidence().isPresent();
    if (measured && passes(ruling)) {
      services.relayed().remember(keys.parties(), ruling.message().answer());
    }
  }
}
