package dev.parlance.proxy.verdict;

import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.verdict.MessageVerdict;
import dev.parlance.ledger.verdict.MessageVerdict.Signals;
import dev.parlance.ledger.verdict.VerdictCheck;
import dev.parlance.ledger.verdict.VerdictFault;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Regime;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.text.Coded;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.VerdictSettings.OnForged;
import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.CheckedMessage;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Believed;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Draft;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SpiffePattern;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.VerdictHeader;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The check of the verdict that another sidecar has sent along, and the making of the own one.
 *
 * <pre>
 *   request   OUTBOUND sends one with it    INBOUND  believes it
 *   answer    INBOUND  sends one with it    OUTBOUND believes it
 *   stream    none: events go on before it could be known what all of them say
 * </pre>
 *
 * A verdict that is believed takes the place of measuring the message. What is this sidecar's own
 * (budget, certified core, review queue, rounds, pacts) has its say as ever, and a message under a
 * pact is measured here, because its clauses are about what this party has found.
 */
public final class VerdictGuard implements Check {
  private static final String FIELD = "Parlance-Verdict";
  private static final Reason[] REASONS = Reason.values();

  private final VerdictKeys keys;
  private final ExchangeContext exchange;
  private final List<Check> others;

  /** The verdict beside the message under way, once it has proven genuine. */
  private Optional<MessageVerdict> genuine = Optional.empty();

  private Optional<VerdictFault> fault = Optional.empty();

  /**
   * Who has sent the request, by its verdict: whoever says so gets codes that only they can use.
   */
  private Optional<String> asker = Optional.empty();

  /** The request between the two sidecars, to which the answer is bound. */
  private Optional<Hash> request = Optional.empty();

  /** What was judged of the message that leaves. */
  private Optional<CheckedMessage> judged = Optional.empty();

  /** The same of an answer that a person has released. */
  private Optional<AgentMessage> released = Optional.empty();

  private VerdictGuard(VerdictKeys keys, ExchangeContext exchange, List<Check> others) {
    this.keys = keys;
    this.exchange = exchange;
    this.others = List.copyOf(others);
  }

  /** The kind. */
  public static Kind kind(VerdictKeys keys) {
    return new Kind(
        (leg, direction, rule, config) -> line(keys, leg, direction, rule, config),
        (exchange, others) -> new VerdictGuard(keys, exchange, others));
  }

  private static Optional<String> line(
      VerdictKeys keys, Leg leg, Direction direction, RouteRule rule, SidecarConfig config) {
    if (!comes(leg, direction)) {
      return config.control().isPresent() || config.verdicts().keyFile().isPresent()
          ? Optional.of("verdict  sent along to whoever takes verdicts")
          : Optional.empty();
    }
    Grounding grounding = leg == Leg.REQUEST ? rule.requestGrounding() : rule.grounding();
    return config.verdicts().trustVerdicts().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "verdict  that is sent along is believed of some, profile "
                + keys.profile(rule, grounding)
                + "; forged: "
                + config.verdicts().onForged().code());
  }

  /** True if a message comes from the sidecar opposite, and not from the local agent. */
  private static boolean comes(Leg leg, Direction direction) {
    return (leg == Leg.REQUEST) == (direction == Direction.INBOUND);
  }

  // ---- what comes ----

  @Override
  public void fields(Leg leg, HttpHeaders fields) {
    judged = Optional.empty();
    genuine = Optional.empty();
    fault = Optional.empty();
    if (!comes(leg, exchange.direction())) {
      return;
    }
    List<String> sent = fields.getAll(FIELD);
    Optional<Hash> message = Optional.empty();
    if (leg == Leg.RESPONSE && !sent.isEmpty()) {
      message =
          request.map(
              asked -> answer(asked, exchange.arrivedStatus(), fields, exchange.wireBody()));
    } else if (leg == Leg.REQUEST && (keys.isSender() || !sent.isEmpty())) {
      Hash bare = request(fields, exchange.wireBody());
      message = Optional.of(bare);
      request = Optional.of(asked(bare, sent));
      asker = sent.isEmpty() ? Optional.empty() : MessageVerdict.claimedBy(sent.getFirst());
    }
    if (sent.isEmpty() || !keys.believes()) {
      return;
    }
    VerdictCheck.Result result =
        sent.size() > 1 || message.isEmpty()
            ? new VerdictCheck.Result.Refused(VerdictFault.MALFORMED)
            : VerdictCheck.check(
                sent.getFirst(),
                fields.get(VerdictFields.SIGNAL, ""),
                message.get(),
                keys,
                keys.nowMs());
    switch (result) {
      case VerdictCheck.Result.Genuine(MessageVerdict verdict) -> genuine = Optional.of(verdict);
      case VerdictCheck.Result.Refused(VerdictFault why) -> {
        fault = Optional.of(why);
        exchange.record().peerVerdict(why.code());
      }
    }
  }

  @Override
  public Optional<Believed> believed(Draft draft) {
    if (genuine.isEmpty()) {
      return Optional.empty();
    }
    MessageVerdict verdict = genuine.get();
    genuine = Optional.empty(); // what is judged again is judged here
    Optional<Believed> word = word(verdict);
    String result =
        word.isEmpty()
            ? VerdictFault.MALFORMED.code()
            : result(verdict, draft, word.get().isReleased());
    exchange.record().peerVerdict(result);
    return word.filter(_ -> result.equals("believed") || result.equals("released"));
  }

  private String result(MessageVerdict verdict, Draft draft, boolean isReleased) {
    if (!isOf(verdict.binding(), draft.message())) {
      return VerdictFault.OTHER_TEXT.code();
    }
    if (isReleased) {
      return "released";
    }
    if (others.stream().anyMatch(check -> check.concerns(draft.leg()))) {
      return "under_pact";
    }
    return keys.accepts(verdict.finding().profile(), exchange.rule(), draft.grounding())
        ? "believed"
        : VerdictFault.OTHER_PROFILE.code();
  }

  /** What another sidecar has observed cannot be seen here; what stands in the message can. */
  private static boolean isOf(MessageVerdict.Binding binding, AgentMessage message) {
    EvidenceSource source = message.evidence().source();
    boolean isSeen = source != EvidenceSource.NONE && source != EvidenceSource.OBSERVED;
    return binding.text().equals(text(message))
        && (!isSeen || binding.evidence().equals(evidence(message.evidence())));
  }

  private static Optional<Believed> word(MessageVerdict verdict) {
    MessageVerdict.Finding finding = verdict.finding();
    boolean warns = finding.route() == Route.WARN;
    List<Reason> reasons = new ArrayList<>(finding.reasons().size());
    for (String code : finding.reasons()) {
      Optional<Reason> reason = Coded.find(REASONS, code);
      if (reason.isEmpty() || (!warns && reason.get().group() != Reason.Group.PASSED)) {
        return Optional.empty();
      }
      reasons.add(reason.get());
    }
    return Optional.of(
        new Believed(
            verdict.stamp().by(),
            finding.decision(),
            reasons,
            warns,
            finding.signals().map(VerdictGuard::measured).orElse(VerdictHeader.Measured.NOTHING)));
  }

  private static VerdictHeader.Measured measured(Signals signals) {
    return new VerdictHeader.Measured(
        Optional.empty(),
        part(signals.certainty()),
        part(signals.grounding()),
        part(signals.stochasticity()),
        part(signals.drift()),
        Regime.NONE.code());
  }

  private static OptionalDouble part(int tenThousandths) {
    return OptionalDouble.of(tenThousandths / (double) Signals.ONE);
  }

  // ---- what becomes of a message ----

  @Override
  public Result request(CheckedMessage message) {
    return decide(message);
  }

  @Override
  public Result answer(CheckedMessage message) {
    return decide(message);
  }

  private Result decide(CheckedMessage message) {
    judged = Optional.of(message);
    boolean refused =
        fault.filter(VerdictFault::isForged).isPresent()
            && exchange.config().verdicts().onForged() == OnForged.REFUSE
            && !exchange.observing();
    return refused
        ? new Passage.Stopped(
            Reason.VERDICT_FORGED,
            Reason.VERDICT_FORGED.code(),
            "the verdict beside the message does not hold: " + fault.orElseThrow().code(),
            message.leg() == Leg.REQUEST ? Notice.Kind.MALFORMED : Notice.Kind.UPSTREAM)
        : Passage.ON;
  }

  @Override
  public Result released(MessageView view, CheckedMessage message) {
    released = view.message();
    return Passage.ON;
  }

  // ---- what leaves ----

  @Override
  public void leaves(HttpHeaders fields, ByteBuf body) {
    if (exchange.direction() == Direction.INBOUND || !(keys.isSender() || keys.believes())) {
      return;
    }
    Hash bare = request(fields, body);
    audienceOfRequest().ifPresent(audience -> seal(fields, audience, bare));
    request = Optional.of(asked(bare, fields.getAll(FIELD)));
  }

  @Override
  public void leaves(WholeResponse reply) {
    if (exchange.direction() == Direction.INBOUND && keys.isSender() && request.isPresent()) {
      audienceOfAnswer()
          .ifPresent(audience ->
              seal(
                  reply.headers(),
                  audience,
                  answer(request.get(), reply.status(), reply.headers(), reply.body())));
    }
  }

  private Optional<String> audienceOfRequest() {
    Destination to = exchange.destination();
    Optional<String> configured = keys.at(to.host(), to.port()).filter(keys::isKnown);
    return configured.isPresent()
        ? configured
        : exchange.config().identity().idsOf(to.host(), to.port()).stream()
            .map(SpiffePattern::toString)
            .filter(id -> id.indexOf('*') < 0 && keys.isKnown(id))
            .findFirst()
            .or(() -> exchange.opposite().filter(keys::isKnown));
  }

  private Optional<String> audienceOfAnswer() {
    return asker
        .filter(keys::isKnown)
        .or(() -> exchange.caller().id().map(SpiffeId::toString).filter(keys::isKnown))
        .or(() -> exchange.opposite().filter(keys::isKnown));
  }

  /** What was judged, and goes on as it was judged, gets a verdict. */
  private void seal(HttpHeaders fields, String audience, Hash message) {
    Optional<Judgment> judgment = judged.flatMap(CheckedMessage::judgment);
    Optional<AgentMessage> said = judgment.map(Judgment::message).or(() -> released);
    Optional<Route> route = Coded.find(Route.values(), fields.get(VerdictFields.ROUTE, ""));
    if (said.isEmpty()
        || route.filter(one -> one == Route.EXECUTE || one == Route.WARN).isEmpty()) {
      return;
    }
    MessageVerdict.Finding finding =
        new MessageVerdict.Finding(
            fields.get(VerdictFields.DECISION, ""),
            route.get(),
            reasons(fields.get(VerdictFields.REASON, "")),
            judgment.flatMap(one -> signals(one.annotation().measured())),
            keys.profile(
                exchange.rule(),
                judgment.map(one -> one.draft().grounding()).orElse(Grounding.OPTIONAL)),
            judgment.flatMap(one -> one.annotation().core()).map(VerdictGuard::core));
    keys.seal(
            audience,
            finding,
            new MessageVerdict.Binding(message, text(said.get()), evidence(said.get().evidence())),
            fields.get(VerdictFields.SIGNAL, ""))
        .ifPresent(field -> {
          fields.set(FIELD, field);
          exchange.record().peerVerdict("sent");
        });
  }

  private static List<String> reasons(String field) {
    return field.indexOf(',') < 0 ? List.of(field) : Arrays.asList(field.split(", ", -1));
  }

  private static Optional<Signals> signals(VerdictHeader.Measured measured) {
    return measured.certainty().isPresent()
            && measured.grounding().isPresent()
            && measured.stochasticity().isPresent()
            && measured.driftSqrtJsd().isPresent()
        ? Optional.of(
            new Signals(
                tenThousandths(measured.certainty()),
                tenThousandths(measured.grounding()),
                tenThousandths(measured.stochasticity()),
                tenThousandths(measured.driftSqrtJsd())))
        : Optional.empty();
  }

  private static int tenThousandths(OptionalDouble part) {
    return (int) Math.round(part.orElseThrow() * Signals.ONE);
  }

  private static String core(CoreFindings findings) {
    OptionalLong version = findings.core().version();
    return findings.core().domain()
        + "@"
        + (version.isPresent() ? version.getAsLong() : findings.core().state().code());
  }

  // ---- what is bound ----

  private Hash request(HttpHeaders fields, ByteBuf body) {
    WholeRequest asked = exchange.request();
    int query = asked.target().indexOf('?');
    return body(
        Digests.of("verdict-request")
            .add(asked.method().name())
            .add(query < 0 ? "" : asked.target().substring(query)),
        fields,
        body);
  }

  /** The request with its verdict, which no other request has: an answer is to this one. */
  private static Hash asked(Hash request, List<String> verdict) {
    Digests digest = Digests.of("verdict-asked").add(request.hex());
    verdict.forEach(digest::add);
    return Hash.of(digest.bytes());
  }

  private static Hash answer(Hash request, int status, HttpHeaders fields, ByteBuf body) {
    return body(
        Digests.of("verdict-answer").add(request.hex()).add(Integer.toString(status)),
        fields,
        body);
  }

  private static Hash body(Digests digest, HttpHeaders fields, ByteBuf body) {
    return Hash.of(
        digest
            .add(fields.get(HttpHeaderNames.CONTENT_TYPE, ""))
            .add(String.join(",", fields.getAll(HttpHeaderNames.CONTENT_ENCODING)))
            .add(body)
            .bytes());
  }

  private static Hash text(AgentMessage message) {
    return Hash.of(
        Digests.of("verdict-text").add(message.answer()).add(message.question()).bytes());
  }

  private static Hash evidence(Evidence evidence) {
    Digests digest = Digests.of("verdict-evidence").add(evidence.source().code());
    for (Chunk chunk : evidence.chunks()) {
      digest.add(chunk.id()).add(chunk.text());
    }
    evidence.citations().forEach(digest::add);
    return Hash.of(digest.add(evidence.confidence().toString()).bytes());
  }
}
