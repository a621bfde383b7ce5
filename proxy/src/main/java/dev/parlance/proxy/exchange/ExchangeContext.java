package dev.parlance.proxy.exchange;

import dev.parlance.policy.claim.Deeds;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.Annotate;
import dev.parlance.proxy.config.CoreRule;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.exchange.body.BodyHolder;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Believed;
import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Draft;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.ObservedEvidence;
import dev.parlance.proxy.identity.Caller;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.proxy.trace.TraceContext;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.plumbing.PlumbingCall;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The context of one exchange: what stays the same, how far it is, and its route's rules. Checks of
 * other packages see what is public.
 */
public final class ExchangeContext {
  private static final long NS_PER_MS = 1_000_000;

  /** Methods that change nothing at their receiver (RFC 9110, 9.2.1). */
  private static final Set<HttpMethod> SAFE =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

  final Services services;
  final SidecarConfig config;
  final RoutePlan plan;
  final RouteRule rule;
  final Direction direction;
  final ServerCall call;
  final Caller caller;
  final WholeRequest request;
  final Destination destination;
  final RequestHead head;
  final Codecs codecs;
  final ExchangeKeys keys;
  final ExchangeRecord record;
  final ExchangeReport report;
  final Responder responder;
  final ExchangeChecks checks;
  final Enforcement enforcement = new Enforcement(this);

  /** The body of the message under way. */
  final BodyHolder body;

  /** For the copies of the bodies that are read whole, and what is made of them. */
  final Arena memory = Arena.ofThread();

  final long startNs = System.nanoTime();

  /** The request; empty if nobody could read it. */
  Optional<RequestView> asked = Optional.empty();

  /** What became of a request that nobody read, and becomes of its answer. */
  OnFailure unreadPolicy = OnFailure.BLOCK;

  /** The name under which the request went on that no codec reads; usually empty. */
  Optional<PlumbingCall> plumbing = Optional.empty();

  /** What the caller wants to collect from the review queue. */
  Optional<String> review = Optional.empty();

  /** Which answer this is, from 1. */
  int attempt = 1;

  /** True once what comes is for a person who has sent an answer back, and for nobody else. */
  boolean isForPerson;

  /** What a trusted sidecar says of reviews, beside the message under way. */
  PeerVerdict.Word peerWord = PeerVerdict.Word.NOTHING;

  /** Of the answer that has come last; 0 before there is one. */
  int arrivedStatus;

  /** What the sidecar opposite has said of the message under way; shown once it is confirmed. */
  Optional<String> peerTold = Optional.empty();

  /** True if that is that a person released it. */
  boolean peerSaysReleased;

  /** The item of the review queue, here or there, that a person has released it as. */
  Optional<String> passesAs = Optional.empty();

  /** True once it is. */
  private boolean showsPeer;

  /** The agent that asks, as its sidecar says; empty where the local agent asks. */
  Optional<String> askingAgent = Optional.empty();

  /** The answers before it, which did not go on; for a person, if one is held at last. */
  final List<HeldMessage.EarlierDraft> drafts = new ArrayList<>(0);

  ExchangeContext(
      Services services,
      SidecarConfig config,
      Codecs codecs,
      RoutePlan plan,
      Direction direction,
      ServerCall call,
      Caller caller,
      WholeRequest request,
      Destination destination) {
    this.services = services;
    this.config = config;
    this.record = new ExchangeRecord(config.storage().decisionLog().bodyDigest());
    this.plan = plan;
    this.rule = plan.rule();
    this.direction = direction;
    this.call = call;
    this.caller = caller;
    this.request = request;
    this.destination = destination;
    this.codecs = codecs;
    this.body = new BodyHolder(request.body());
    HttpHeaders headers = request.headers();
    this.head =
        new RequestHead(
            request.method().name(),
            request.target(),
            name -> Optional.ofNullable(headers.get(name)));
    this.keys = new ExchangeKeys(direction, head, destination, caller.key());
    this.report = new ExchangeReport(this);
    this.responder = new Responder(this);
    this.checks = new ExchangeChecks(this, plan.checks());
  }

  // ---- as checks see it ----

  /** Which of the two listeners. */
  public Direction direction() {
    return direction;
  }

  /** Its route. */
  public RouteRule rule() {
    return rule;
  }

  /** The configuration, the same for the whole exchange. */
  public SidecarConfig config() {
    return config;
  }

  /** What all exchanges share. */
  public Services services() {
    return services;
  }

  /** The record for metrics and decision log. */
  public ExchangeRecord record() {
    return record;
  }

  /** Who calls. */
  public Caller caller() {
    return caller;
  }

  /** The agent on the other side, if it is known; who asks is its own sidecar's word. */
  public Optional<String> opposite() {
    return agents().map(ExchangeKeys.Agents::opposite);
  }

  /** Where checks may be called. */
  public EventLoop loop() {
    return call.loop();
  }

  /** The request's head; its body is not for checks. */
  public WholeRequest request() {
    return request;
  }

  /** The bytes of the message that has come, as they were on the wire; they stay here. */
  public ByteBuf wireBody() {
    return body.look();
  }

  /** HTTP status of the answer that has come. */
  public int arrivedStatus() {
    return arrivedStatus;
  }

  /** Where the request goes. */
  public Destination destination() {
    return destination;
  }

  /** True for the keys of terms that have their meaning from the core of the route. */
  public Predicate<String> governed() {
    return services.gate().governed(rule, keys.peerAuthority());
  }

  /** The core that words are held against now; empty where the route has none. */
  public Optional<CompiledCore> core() {
    return services.gate().core(rule, keys.peerAuthority());
  }

  /**
   * The two agents, if both are known. Which agent asks is the word of its sidecar, and it is
   * believed in no more than this: a decision that was made elsewhere holds for a text that the two
   * agents exchange in the same conversation, and who claims to be another one gets the decisions
   * about that one's texts.
   */
  Optional<ExchangeKeys.Agents> agents() {
    return services
        .shared()
        .flatMap(shared ->
            direction == Direction.INBOUND
                ? askingAgent.map(asking -> new ExchangeKeys.Agents(asking, shared.agent(), asking))
                : askedAgent(shared)
                    .map(asked -> new ExchangeKeys.Agents(shared.agent(), asked, asked)));
  }

  private Optional<String> askedAgent(SharedDecisions shared) {
    return rule.core()
        .flatMap(CoreRule::peer)
        .or(() -> rule.pact().peer())
        .or(() -> shared.agentAt(destination.toString()));
  }

  /** Tells the sidecar of an agent that is known which one asks it. */
  void introduce(HttpHeaders headers) {
    if (direction == Direction.OUTBOUND) {
      agents().ifPresent(two -> headers.set(VerdictFields.AGENT, two.asker()));
    }
  }

  /** True if the sidecar opposite says that a person released the message under way. */
  boolean mayFollowPeer() {
    return !observing() && peerSaysReleased && agents().isPresent();
  }

  /** The decision on an answer, if the sidecar opposite names one that is not here. */
  Optional<CompletableFuture<Boolean>> decisionOnItsWay(HttpHeaders headers) {
    Optional<String> item = PeerVerdict.decided(headers);
    Optional<String> peer = agents().map(ExchangeKeys.Agents::opposite);
    if (item.isEmpty() || peer.isEmpty() || direction == Direction.INBOUND || observing()) {
      return Optional.empty();
    }
    SharedDecisions shared = services.shared().orElseThrow();
    return shared.decidedItem(peer.get(), item.get()).isPresent()
        ? Optional.empty()
        : Optional.of(shared.await(peer.get(), item.get()));
  }

  /** A decision that was made elsewhere holds for the message under way. */
  void followsPeer() {
    showsPeer = true;
    services.metrics().sharedDecision("followed");
  }

  /** The message under way is no word of the agent, but of the sidecar opposite. */
  void isOfPeer() {
    showsPeer = agents().isPresent();
  }

  /** Puts beside the message what else than its verdict is known of it. */
  void showReview(HttpHeaders headers) {
    passesAs.ifPresent(id -> headers.set(VerdictFields.REVIEW, id));
    showPeer(headers);
  }

  /** Puts what the sidecar opposite has said of it beside the message, if it is confirmed. */
  void showPeer(HttpHeaders headers) {
    if (showsPeer) {
      peerTold.ifPresent(told -> headers.set(PeerVerdict.FIELD, told));
    }
  }

  /** The flow that the exchange belongs to. */
  public String flow() {
    return keys.flow();
  }

  /** Trace id that the caller gave, if it gave one. */
  public Optional<String> trace() {
    return keys.trace();
  }

  /** The protocol that was read. */
  public AgentProtocol protocol() {
    return record.protocol;
  }

  /** Milliseconds since the request. */
  public double tookMs() {
    return (System.nanoTime() - startNs) / (double) NS_PER_MS;
  }

  /** True once the caller has its answer, or has seen the beginning of it, or has gone. */
  public boolean isAnswered() {
    return responder.isGiven();
  }

  /** True if the agent can be asked the same again. */
  public boolean canAskAgain() {
    return asked.isPresent() && asked.get().canBeAskedAgain();
  }

  /** True if nothing is held back, whatever the verdict. */
  public boolean observing() {
    return rule.mode() == Mode.OBSERVE;
  }

  /** The media type that fields name, in lower case and without parameters; empty if none. */
  public static String mediaType(HttpHeaders headers) {
    String value = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
    int parameters = value.indexOf(';');
    return (parameters < 0 ? value : value.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  // ---- judging ----

  /**
   * Judges a message that answers nothing.
   *
   * @param beside words of it that are read for terms and not measured; usually empty
   * @return empty if that would cost more than {@code limits.judgingMs}
   */
  Optional<Judgment> judge(
      Leg leg, AgentMessage message, Aside beside, Grounding grounding, Draft.FlowKey key) {
    return judged(
        new Draft(
            leg,
            message,
            beside.text(),
            grounding,
            key,
            attempt,
            keys.peerAuthority(),
            beside.lines(),
            checks.untested(message.answer(), beside.text()),
            false,
            checks.scanned()),
        Optional.empty());
  }

  /**
   * Words of a message that are read for terms and not measured.
   *
   * @param lines how many lines they are
   */
  record Aside(Utf8Span text, int lines) {
    /** All of it is measured. */
    static final Aside NOTHING = new Aside(Utf8Span.EMPTY, 0);
  }

  /**
   * Judges an answer, or as much of it as was said. What was retrieved is evidence for what comes
   * after it, and not held against what was retrieved before.
   *
   * @param beside words of it that are read for terms and not measured; usually empty
   * @return empty if that would cost more than {@code limits.judgingMs}
   */
  Optional<Judgment> judgeAnswer(
      ResponseView read, AgentMessage said, Aside beside, Draft.FlowKey key) {
    boolean answers = read.answersQuestion();
    boolean isMaterial = !read.observable().isEmpty();
    boolean lacks = answers && !isMaterial && !said.evidence().isPresent();
    AgentMessage judged =
        lacks
            ? new AgentMessage(said.answer(), said.question(), given(read, said.evidence()))
            : said;
    Grounding grounding = answers ? rule.grounding() : Grounding.OPTIONAL;
    if (answers && isMaterial && grounding == Grounding.OPTIONAL) {
      grounding = Grounding.NONE; // what a tool returns is evidence for others
    }
    Utf8Span aside = both(read.beside(), beside.text());
    return judged(
        new Draft(
            Leg.RESPONSE,
            judged,
            aside,
            grounding,
            key,
            attempt,
            keys.peerAuthority(),
            beside.lines(),
            checks.untested(judged.answer(), aside),
            lacks && !judged.evidence().isPresent() && missesResults(),
            checks.scanned()),
        Optional.of(read));
  }

  /** True if the local agent was given results while it answered that nothing joins with it. */
  private boolean missesResults() {
    return direction == Direction.INBOUND
        && services.observed().filter(seen -> seen.hasStraysSince(startNs)).isPresent();
  }

  /**
   * Asks the second stage about a message that was judged.
   *
   * @param answer what was read, if it is an answer
   * @param then what becomes of the message, called with the judgment as it is then
   * @return empty if the judgment is the last word
   */
  Optional<Step> reconsidered(
      Judgment first, Optional<ResponseView> answer, Function<Judgment, Step> then) {
    return services
        .gate()
        .reconsider(first, rule)
        .map(second ->
            new Step.Await<>(
                Check.Source.ENTAILMENT,
                second.reply(),
                reply -> then.apply(settled(second.then().apply(reply), answer))));
  }

  /** True if asking again for an answer could repeat what its author has done for it. */
  private boolean isActBehind(ResponseView read) {
    boolean own = direction == Direction.INBOUND;
    return !rule.idempotent()
        && (read.acts()
            || (own && services.gate().acts().since(keys.trace(), startNs))
            || read.message()
                .filter(said -> Deeds.isLikelyBehind(said.question(), said.answer()))
                .isPresent());
  }

  /** The request has come. */
  void cameIn() {
    if (direction == Direction.INBOUND && (rule.mayRepair() || services.observed().isPresent())) {
      keys.trace().ifPresent(services.gate().acts()::asked);
    }
  }

  /** The request leaves: one of the local agent may be an act of its. */
  void goesOut() {
    if (direction == Direction.OUTBOUND
        && !isSafe(request.method())
        && !asked.map(view -> view.isSafe() || view.plumbing().isPresent()).orElse(false)) {
      services.gate().acts().acted(keys.trace());
    }
  }

  /** True of methods that change nothing at their receiver. */
  static boolean isSafe(HttpMethod method) {
    return SAFE.contains(method);
  }

  private static Utf8Span both(Utf8Span one, Utf8Span other) {
    return other.isEmpty() ? one : one.isEmpty() ? other : Utf8Span.of(one + "\n" + other);
  }

  private Optional<Judgment> judged(Draft draft, Optional<ResponseView> answer) {
    Optional<Believed> word = checks.believed(draft);
    if (word.isPresent() && !word.get().isReleased()) {
      return Optional.of(settled(services.gate().believe(draft, rule, word.get()), answer));
    }
    if (word.isPresent()) {
      peerWord = PeerVerdict.Word.RELEASED;
    }
    if (Gate.cost(draft, rule).exceeds(config.limits().judgingMs() * NS_PER_MS)) {
      return Optional.empty();
    }
    Judgment judged = services.gate().judge(draft, rule);
    return Optional.of(settled(answer.map(read -> joined(judged, read)).orElse(judged), answer));
  }

  /** A judgment, with what persons have decided, and what its author has done for it. */
  private Judgment settled(Judgment judged, Optional<ResponseView> answer) {
    Judgment decided = observing() ? judged : ReviewStage.asDecided(this, judged);
    return decided.decision() instanceof Decision.Regenerate
            && answer.filter(this::isActBehind).isPresent()
        ? services.gate().acted(decided, rule)
        : decided;
  }

  /** The evidence of an answer that brings none: what its agent was given in the same trace. */
  private Evidence given(ResponseView read, Evidence own) {
    if (services.observed().isEmpty()) {
      return own;
    }
    ObservedEvidence seen = services.observed().get();
    Optional<String> trace = evidenceTrace();
    List<Chunk> given = trace.map(seen::of).orElse(List.of());
    if (given.isEmpty()) {
      return own;
    }
    seen.carryOver(evidenceKeys(read.correlation()), given);
    return observed(own, given, trace.map(seen::cut).orElse(0));
  }

  private static Evidence observed(Evidence own, List<Chunk> given, int cut) {
    return new Evidence(
        EvidenceSource.OBSERVED, given, own.citations(), own.confidence(), own.assumptions(), cut);
  }

  /**
   * The judgment of an answer that brings no evidence, with what its agent was given in the same
   * conversation or on the same connection, if the answer passes by it: then it has used it.
   */
  private Judgment joined(Judgment judged, ResponseView read) {
    boolean isWithout =
        judged.believed().isEmpty()
            && !judged.message().evidence().isPresent()
            && judged.draft().grounding() != Grounding.NONE;
    List<Chunk> near =
        isWithout
            ? services
                .observed()
                .map(seen -> seen.near(evidenceKeys(read.correlation())))
                .orElse(List.of())
            : List.of();
    if (near.isEmpty()) {
      return judged;
    }
    Evidence evidence = observed(judged.message().evidence(), near, 0);
    return Gate.cost(judged.draft().with(evidence), rule)
            .exceeds(config.limits().judgingMs() * NS_PER_MS)
        ? judged
        : services.gate().joined(judged, evidence, rule).orElse(judged);
  }

  private Optional<String> evidenceTrace() {
    return keys.trace()
        .or(() -> asked.flatMap(RequestView::traceparent).flatMap(TraceContext::traceIdOf));
  }

  private ObservedEvidence.Keys evidenceKeys(Correlation answered) {
    Optional<String> session =
        Correlation.known(answered.contextId())
            .or(() -> asked.flatMap(view -> Correlation.known(view.correlation().contextId())));
    return new ObservedEvidence.Keys(
        evidenceTrace(), session.map(id -> keys.parties() + " " + id), call.connection());
  }

  /** The local agent is given an answer: what it brings may be evidence for what it says next. */
  void observe(ResponseView given) {
    if (direction == Direction.OUTBOUND && !given.observable().isEmpty()) {
      services
          .observed()
          .ifPresent(evidence -> {
            ObservedEvidence.Keys found = evidenceKeys(given.correlation());
            boolean isAsked = found.trace().filter(services.gate().acts()::isAsked).isPresent();
            evidence.record(found, given.observable(), isAsked);
          });
    }
  }

  /** When the bytes of a streamed answer go on. */
  StreamMode streamMode() {
    return observing() ? StreamMode.OBSERVE : rule.stream();
  }

  boolean goesOn(Judgment judgment) {
    return observing() || passes(judgment);
  }

  /** True if nothing stands against the message. */
  static boolean passes(Judgment judgment) {
    return switch (judgment.decision()) {
      case Decision.Execute _, Decision.Warn _ -> true;
      case Decision.Regenerate _, Decision.Yield _ -> false;
    };
  }

  /** True if an answer goes on as it comes, and is judged by a copy. */
  boolean mayTee() {
    return rule.isTap() && !checks.any(check -> check.needsWhole() || check.binds(Leg.RESPONSE));
  }

  /** What happens to what no codec can read. */
  OnFailure onUnjudged() {
    return observing() ? OnFailure.ALLOW : rule.onUnjudged();
  }

  /** The verdict where it has a place in a body; forgeries go in any case. */
  List<Edit> edits(Annotatable read, VerdictHeader verdict) {
    return rule.annotate() == Annotate.FULL ? read.annotate(verdict) : strip(read);
  }

  /** Takes out what its sender may not assert, unless nothing is changed on this route. */
  List<Edit> strip(Annotatable read) {
    return rule.isTap() ? List.of() : read.strip();
  }

  /**
   * Takes off fields in which only sidecars speak. Where nothing is changed those of the other side
   * stay; the local agent's go all the same, as the sidecar opposite may believe them to be ours.
   */
  void stripFields(HttpHeaders headers, Leg leg) {
    if (!rule.isTap() || !comesIn(leg)) {
      record.forgedFields(VerdictFields.strip(headers), leg);
    }
  }

  /** True if such a message comes from the other side. */
  boolean comesIn(Leg leg) {
    return (leg == Leg.REQUEST) == (direction == Direction.INBOUND);
  }

  /** Puts the verdict beside the message, if it travels with it. */
  void annotate(HttpHeaders headers, VerdictHeader verdict) {
    if (rule.annotate() != Annotate.OFF) {
      VerdictFields.write(headers, verdict);
    }
  }

  /**
   * The body with which the local agent is asked again for a better answer; empty if it was another
   * agent's, if something was done for it, or if that cannot be done.
   */
  Optional<byte[]> repair(String instruction, ResponseView rejected) {
    if (!mayRepair(rejected)) {
      return Optional.empty();
    }
    Optional<byte[]> again =
        asked.orElseThrow().repair(rejected, instruction, UUID.randomUUID().toString());
    if (again.isPresent()) {
      services.metrics().draftTokens(rejected.usage());
    }
    return again;
  }

  /** True if the author of an answer may be asked for a better one here. */
  boolean mayRepair(ResponseView rejected) {
    return direction == Direction.INBOUND && rule.mayRepair() && !isActBehind(rejected);
  }

  /** The verdict of an answer that goes back to its author, who is not asked here. */
  VerdictHeader notAskedAgain(VerdictHeader spent) {
    boolean told = spent.reasons().contains(Reason.ACTED.code());
    return direction == Direction.INBOUND && !told
        ? Notices.withReason(spent, Reason.REGENERATE_OFF)
        : spent;
  }

  /** The verdict of a message that goes on although nobody judged it. */
  VerdictHeader unjudged(String id) {
    return bare(id, Route.WARN, Reason.UNJUDGED, attempt);
  }

  /** The verdict that goes with a message that was not judged, and with a person's release. */
  VerdictHeader bare(String id, Route route, Reason reason, int attempt) {
    return new VerdictHeader(
        id,
        route.code(),
        List.of(reason.code()),
        VerdictHeader.Measured.NOTHING,
        new VerdictHeader.Attempt(keys.flow(), attempt, 0, rule.profile().errorMax()),
        new VerdictHeader.Basis(
            "none", rule.profile().name(), rule.mode().code(), services.gate().node()),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * A message was judged and goes on: from now on it is no news between these two. An answer that
   * nothing was held against (a prompt, a resource, an answer without evidence) is not remembered:
   * who repeats it as part of another answer would have it pass unmeasured.
   */
  void remember(Judgment judgment) {
    boolean measured =
        judgment.draft().leg() == Leg.REQUEST || judgment.message().evidence().isPresent();
    if (measured && passes(judgment)) {
      services.relayed().remember(keys.parties(), judgment.message().answer());
    }
  }
}
