package dev.parlance.proxy.exchange;

import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.audit.AuditEvent.RejectionEvent;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.config.DecisionLogSettings.BodyDigest;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.MetricLabel.OpenCheck;
import dev.parlance.proxy.metrics.MetricLabel.RoundMetric;
import dev.parlance.proxy.metrics.MetricLabel.Stage;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.stream.StreamBuffer;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.WireFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The record of one exchange: plain facts, filled along the way by its stages. {@link Exchange}
 * hands each of them once to {@link ExchangeReport}, before anybody outside hears of it.
 */
public final class ExchangeRecord {
  /**
   * Something that was refused before anybody judged it, or an exchange without its answer.
   *
   * @param detail what is known beside the code; may be empty
   * @param isCounted false if another metric counts it
   */
  record Rejected(String layer, String code, String detail, boolean isCounted) {}

  /** A message that was decided about, or as much of a stream as one verdict covers. */
  static final class Message {
    final String id;
    final Leg leg;
    final int status;
    final long bytesIn;
    final String sha256;
    final long originNs;

    /** What of a stream it covers; empty for a message that was read whole. */
    final Optional<DecisionEvent.Stream> stream;

    /** What the judge said; empty if nobody judged the message. */
    Optional<Judgment> judgment;

    /** True if a judge has seen it, also if a person has had the last word. */
    boolean judged;

    /** Where it goes in the end, and why; no reason until that is known. */
    Route route = Route.REGENERATE;

    List<Reason> reasons = List.of();

    /** What was done about it. */
    String action = "";

    Optional<String> reviewId = Optional.empty();
    long bytesOut;
    Optional<DecisionEvent.Round> round = Optional.empty();
    Optional<DecisionEvent.Pact> pact = Optional.empty();
    Optional<DecisionEvent.Coinage> coinage = Optional.empty();

    Message(
        String id,
        Leg leg,
        Optional<Judgment> judgment,
        int status,
        long bytesIn,
        String sha256,
        long originNs,
        Optional<DecisionEvent.Stream> stream) {
      this.id = id;
      this.leg = leg;
      this.judgment = judgment;
      this.judged = judgment.isPresent();
      this.status = status;
      this.bytesIn = bytesIn;
      this.sha256 = sha256;
      this.originNs = originNs;
      this.stream = stream;
    }

    void goes(Route to, List<Reason> why) {
      route = to;
      reasons = why;
    }
  }

  // ---- of the whole exchange ----

  private final BodyDigest bodyDigest;
  final long startNs = System.nanoTime();
  AgentProtocol protocol = AgentProtocol.NONE;

  /** Where its last message went; empty while nothing was decided. */
  Optional<Route> lastRoute = Optional.empty();

  /** True if its agent gave no answer, whatever status its caller was told so with. */
  boolean isFailed;

  /** Id of the decision that was written last; empty if none was. */
  String decisionId = "";

  /** How long its agent was waited for. */
  long originNs;

  /** How long its messages waited for the control plane to say something of a round. */
  long roundNs;

  private long askedNs;

  // ---- what has not been handed over ----

  /** True if there is any of it. */
  boolean isNew;

  /** Fields, and verdicts in bodies, that only sidecars may send. */
  int forgedInRequest;

  int forgedInResponse;

  /** What bodies said of rounds where nobody checks that. */
  int cutMarks;

  /** How long reading a body took; below 0 if none was read. */
  long readNs = -1;

  /** A judgment that was made. */
  Optional<Judgment> judged = Optional.empty();

  /** The message of which it is known what was done about it. */
  Optional<Message> done = Optional.empty();

  /** Facts that few exchanges have, as they are counted. */
  List<Consumer<SidecarMetrics>> facts = List.of();

  List<Rejected> rejections = List.of();

  /** Status that the caller got, once the answer is whole; 0 before. */
  int answered;

  /** True if it got it in pieces: then nobody can tell work from waiting. */
  boolean streamed;

  // ---- what is under way ----

  /** A judged message of which nobody knows yet what becomes of it. */
  private Optional<Message> open = Optional.empty();

  /** What the message that is decided next has to do with a round. */
  private Optional<DecisionEvent.Round> round = Optional.empty();

  /** What came of holding the message that is decided next to a pact. */
  private Optional<DecisionEvent.Pact> pact = Optional.empty();

  /** What came of what the message that is decided next would coin. */
  private Optional<DecisionEvent.Coinage> coinage = Optional.empty();

  /** Beside the judged text there is something that nobody read. */
  private boolean partlyUnread;

  /**
   * Of an exchange that begins.
   *
   * @param bodyDigest which digests its lines have
   */
  ExchangeRecord(BodyDigest bodyDigest) {
    this.bodyDigest = bodyDigest;
  }

  /** Everything was handed over; what is under way stays. */
  void clear() {
    isNew = false;
    forgedInRequest = 0;
    forgedInResponse = 0;
    cutMarks = 0;
    readNs = -1;
    judged = Optional.empty();
    done = Optional.empty();
    facts = List.of();
    rejections = List.of();
    answered = 0;
  }

  private void add(Consumer<SidecarMetrics> fact) {
    if (facts.isEmpty()) {
      facts = new ArrayList<>(2);
    }
    facts.add(fact);
    isNew = true;
  }

  private void failOpen(OpenCheck check, OnFailure policy) {
    add(metrics -> metrics.failOpen(check, policy));
  }

  private void rejected(String layer, String code) {
    add(new Rejected(layer, code, "", /* isCounted= */ true));
  }

  private void add(Rejected rejected) {
    if (rejections.isEmpty()) {
      rejections = new ArrayList<>(1);
    }
    rejections.add(rejected);
    isNew = true;
  }

  // ---- reading ----

  /** Fields that only sidecars may send: by the local agent they are forged, by a peer unproven. */
  void forgedFields(int count, Leg leg) {
    switch (leg) {
      case REQUEST -> forgedInRequest += count;
      case RESPONSE -> forgedInResponse += count;
    }
    isNew |= count > 0;
  }

  /**
   * Verdicts in the body, and what it says of rounds where nobody checks that; both are cut.
   *
   * @param read of which {@code round()} was asked before, if it is to be checked at all
   */
  void forged(Annotatable read, Leg leg) {
    int cut = read.cutRounds();
    cutMarks += cut;
    forgedFields(read.forgedVerdicts() + cut, leg);
  }

  /** How long reading a body took: decoding, scanning, finding the texts. */
  void readTook(long sinceNs) {
    readNs = System.nanoTime() - sinceNs;
    isNew = true;
  }

  /** Beside the judged text there is something that nobody read. */
  void partlyUnread(List<String> what, OnFailure policy) {
    what.forEach(part -> add(metrics -> metrics.unjudged(part, policy)));
    if (policy == OnFailure.WARN) {
      partlyUnread = true;
      if (lastRoute.equals(Optional.of(Route.EXECUTE))) {
        lastRoute = Optional.of(Route.WARN);
      }
    } else {
      failOpen(OpenCheck.UNJUDGED, policy);
    }
  }

  /** A message that no codec could read. */
  void unjudged(String what, OnFailure policy, Leg leg, String id, PlainBody body, int status) {
    add(metrics -> metrics.unjudged(what, policy));
    boolean byDesign = policy == OnFailure.WARN && what.equals(MessageView.BINARY_PART);
    if (policy != OnFailure.BLOCK && !byDesign) {
      failOpen(OpenCheck.UNJUDGED, policy);
    }
    boolean blocked = policy == OnFailure.BLOCK;
    undecided(
        id,
        leg,
        switch (policy) {
          case BLOCK -> Route.REGENERATE;
          case WARN -> Route.WARN;
          case ALLOW -> Route.EXECUTE;
        },
        Reason.UNJUDGED,
        (blocked ? "refuse_unjudged_" : "forward_unjudged_") + what,
        body,
        status,
        blocked ? 0 : body.length());
  }

  /** A request goes to the agent because of its name. */
  void plumbing(Plumbing name) {
    add(metrics -> metrics.plumbing(name));
  }

  void malformed(WireFault fault) {
    String layer =
        switch (fault) {
          case BAD_ENCODING, BAD_CHARSET, BAD_CODING -> "encoding";
          case BAD_JSON, DUPLICATE_KEY, JSON_LIMIT, BAD_MESSAGE -> "json";
          case BODY_TOO_LARGE, INFLATION_LIMIT -> "size";
          case BAD_PROTOBUF, PROTOBUF_LIMIT, BAD_FRAME -> "message";
          case INCOMPLETE -> "http1";
        };
    rejected(layer, fault.code());
  }

  // ---- the agent ----

  void asked() {
    askedNs = System.nanoTime();
  }

  void originDone() {
    originNs += System.nanoTime() - askedNs;
  }

  void originFailed(OriginResult.Failed failed) {
    // A caller that leaves is no fault of the agent it asked.
    if (!failed.code().equals("cancelled")) {
      add(metrics -> metrics.originError(failed.code()));
      add(new Rejected(RejectionEvent.ORIGIN, failed.code(), failed.detail(), false));
      isFailed = true;
    }
  }

  /** The time that the caller gave was over before the agent was asked. */
  void outOfTime() {
    add(new Rejected(RejectionEvent.CALLER, "response_timeout", "", false));
    isFailed = true;
  }

  /** The caller has not waited for its answer. */
  void callerGone() {
    if (askedNs > 0 && answered == 0) {
      originNs += originNs == 0 ? System.nanoTime() - askedNs : 0;
    }
    add(new Rejected(RejectionEvent.CALLER, "caller_gone", "", false));
  }

  // ---- decisions ----

  /** A draft has its judgment; what was done about it follows with {@link #acted}. */
  void decided(Judgment judgment, Leg leg, PlainBody body, int status) {
    decided(judgment, leg, body.length(), digest(body), status, Optional.empty());
  }

  /** What a stream has brought so far has its judgment. */
  void decided(Judgment judgment, StreamBuffer buffer, int status, long heldMs) {
    DecisionEvent.Stream stream = buffer.counted(heldMs);
    decided(judgment, Leg.RESPONSE, stream.bytes(), buffer.sha256(), status, Optional.of(stream));
  }

  private void decided(
      Judgment judgment,
      Leg leg,
      long bytesIn,
      String sha256,
      int status,
      Optional<DecisionEvent.Stream> stream) {
    judged = Optional.of(judgment);
    lastRoute = Optional.of(judgment.decision().route());
    open =
        Optional.of(
            new Message(judgment.id(), leg, judged, status, bytesIn, sha256, originNs, stream));
    isNew = true;
  }

  /** The judgment under way turned out different, because its flow can pay no more. */
  void amended(Judgment judgment) {
    open.ifPresent(found -> found.judgment = Optional.of(judgment));
    lastRoute = Optional.of(judgment.decision().route());
  }

  /** What its caller is told of the judged message; the line says the same. */
  void told(VerdictHeader verdict) {
    if (verdict.reasons().contains(Reason.REGENERATE_OFF.code())) {
      open.ifPresent(found -> {
        List<Reason> reasons = new ArrayList<>(found.judgment.orElseThrow().decision().reasons());
        reasons.add(Reason.REGENERATE_OFF);
        found.goes(Route.REGENERATE, List.copyOf(reasons));
      });
    }
  }

  /** True if a message was judged and it is not said yet what was done about it. */
  boolean isUnderWay() {
    return open.isPresent();
  }

  /** The judged message does not go on for its round; {@link #acted} follows. */
  void stopped(Route route, Reason reason) {
    open.ifPresent(found -> found.goes(route, List.of(reason)));
    lastRoute = Optional.of(route);
  }

  /** The same for a message without words, of which there is no judgment. */
  void stoppedUnread(Reason reason, Leg leg, String id, PlainBody body, int status) {
    undecided(id, leg, Route.REGENERATE, reason, "refuse", body, status, 0);
  }

  /** What was done about the judged message, if one is under way. */
  void acted(String action, Optional<String> reviewId) {
    acted(action, reviewId, 0);
  }

  /** The judged message goes on. */
  void forwarded(long bytesOut) {
    if (open.isPresent()) {
      Optional<CoreCheck> core = open.get().judgment.orElseThrow().verdict().core();
      if (core.isPresent()) {
        coreGap(core.get());
      }
    }
    acted("forward", Optional.empty(), bytesOut);
  }

  private void acted(String action, Optional<String> reviewId, long bytesOut) {
    if (open.isPresent()) {
      Message message = open.get();
      if (message.reasons.isEmpty()) {
        judgedRoute(message, message.judgment.orElseThrow());
      }
      message.reviewId = reviewId;
      message.bytesOut = bytesOut;
      end(message, action);
      open = Optional.empty();
    }
    partlyUnread = false;
  }

  private void judgedRoute(Message message, Judgment judgment) {
    Route route = judgment.decision().route();
    if (partlyUnread && route == Route.EXECUTE) {
      message.goes(Route.WARN, List.of(Reason.UNJUDGED));
    } else {
      message.goes(route, judgment.decision().reasons());
    }
  }

  private void end(Message message, String action) {
    message.action = action;
    message.round = round;
    round = Optional.empty();
    message.pact = pact;
    pact = Optional.empty();
    message.coinage = coinage;
    coinage = Optional.empty();
    done = Optional.of(message);
    isNew = true;
  }

  /** A person has released a message, which takes the place of the one under way. */
  void released(ReviewItem item, VerdictHeader verdict, Leg leg) {
    PlainBody body = PlainBody.of(item.message().content().body());
    Message released =
        undecided(
            verdict.decisionId(),
            leg,
            Route.EXECUTE,
            Reason.RELEASED,
            "deliver_released",
            body,
            item.message().content().status(),
            body.length());
    released.reviewId = Optional.of(item.id());
    released.judged = open.isPresent();
    open = Optional.empty();
  }

  /** What a request asks for waits in the review queue; nobody was asked. */
  void waits(ReviewItem item, String id, PlainBody body) {
    if (isUnderWay()) {
      stopped(Route.YIELD, Reason.REVIEW_PENDING);
      acted("refuse_waiting", Optional.of(item.id()));
      return;
    }
    Message waiting =
        undecided(
            id, Leg.REQUEST, Route.YIELD, Reason.REVIEW_PENDING, "refuse_waiting", body, 0, 0);
    waiting.reviewId = Optional.of(item.id());
  }

  /** A request names an item of the review queue, and is answered for it. */
  void named(ReviewItem item, String id, Reason reason, PlainBody body) {
    open = Optional.empty();
    undecided(id, Leg.REQUEST, Route.YIELD, reason, "answer_review", body, 0, 0).reviewId =
        Optional.of(item.id());
  }

  /** The gate has a fault; what was judged before is not what happened. */
  void gateFailed(OnFailure policy, String id, Leg leg) {
    boolean blocked = policy == OnFailure.BLOCK;
    if (!blocked) {
      failOpen(OpenCheck.INTERNAL_ERROR, policy);
    }
    open = Optional.empty();
    Message failed = new Message(id, leg, Optional.empty(), 0, 0, "", originNs, Optional.empty());
    undecided(
        failed,
        blocked ? Route.REGENERATE : Route.WARN,
        Reason.INTERNAL_ERROR,
        blocked ? "refuse" : "forward_unjudged");
  }

  /** A message that no judge has seen. */
  private Message undecided(
      String id,
      Leg leg,
      Route route,
      Reason reason,
      String action,
      PlainBody body,
      int status,
      long bytesOut) {
    Message unseen =
        new Message(
            id,
            leg,
            Optional.empty(),
            status,
            body.length(),
            digest(body),
            originNs,
            Optional.empty());
    unseen.bytesOut = bytesOut;
    undecided(unseen, route, reason, action);
    return unseen;
  }

  private void undecided(Message unseen, Route route, Reason reason, String action) {
    lastRoute = Optional.of(route);
    unseen.goes(route, List.of(reason));
    end(unseen, action);
  }

  private String digest(PlainBody body) {
    return switch (bodyDigest) {
      case SHA256 -> Digests.sha256(body.array(), body.length());
      case OFF -> "";
    };
  }

  /** What goes on although the guard could not look properly. */
  private void coreGap(CoreCheck check) {
    switch (check.findings().core().state()) {
      case FRESH -> {}
      case STALE -> {
        if (check.findings().checked() > 0) {
          coreGap(OpenCheck.CORE_STALE, check.policy().onStale());
        }
      }
      case ABSENT -> coreGap(OpenCheck.CORE_ABSENT, check.policy().onAbsent());
    }
  }

  /** In observe mode a message goes on that should be held; that is counted as allowed. */
  private void coreGap(OpenCheck check, OnCoreGap policy) {
    failOpen(
        check,
        switch (policy) {
          case WARN -> OnFailure.WARN;
          case YIELD, ALLOW -> OnFailure.ALLOW;
        });
  }

  /** How long the review queue took to have a message on disk. */
  void holdTook(long sinceNs) {
    long took = System.nanoTime() - sinceNs;
    add(metrics -> metrics.overhead(Stage.HOLD, took));
  }

  /** What came of the verdict of another sidecar; a code of ours. */
  public void peerVerdict(String result) {
    add(metrics -> metrics.peerVerdict(result));
  }

  // ---- pacts ----

  /** The message is held to this pact; the line that is written next says so. */
  public void under(String pactId) {
    pact = Optional.of(new DecisionEvent.Pact(pactId, DecisionEvent.Pact.KEPT, ""));
  }

  /** The message does not keep to its pact, or has none where it needs one. */
  public void outOfPact(Reason reason, String detail) {
    String id = pact.map(DecisionEvent.Pact::id).orElse("");
    pact = Optional.of(new DecisionEvent.Pact(id, reason.code(), detail));
  }

  /** The request goes out once more, judged as it was, under the pact that was named last. */
  void sentAgain(String id, Leg leg, Reason reason, PlainBody body) {
    undecided(
        id, leg, lastRoute.orElse(Route.EXECUTE), reason, "send_again", body, 0, body.length());
  }

  // ---- coined terms ----

  /** What the message would coin; the line that is written next says what came of it. */
  public void lexicon(DecisionEvent.Coinage what) {
    coinage = Optional.of(what);
  }

  // ---- rounds ----

  /**
   * The message has to do with a round; the line that is written next says so.
   *
   * @param id name and epoch; empty if they could not be read
   * @param result stable code of what came of it
   */
  public void round(RoundMetric matter, String id, String result, String detail) {
    add(metrics -> metrics.round(matter, result));
    round = Optional.of(new DecisionEvent.Round(id, matter.code(), result, detail));
  }

  /** How long a message waited for the control plane to say something of its round. */
  void roundTook(long sinceNs) {
    long took = System.nanoTime() - sinceNs;
    add(metrics -> metrics.overhead(Stage.ROUND, took));
    roundNs += took;
  }

  /** An answer was kept back for the outcome of a round; this came of it. */
  public void waited(long sinceNs, Rounds.Reply reply) {
    roundNs += System.nanoTime() - sinceNs;
    String result =
        switch (reply) {
          case Rounds.Known(RoundStatus status, Optional<String> _, var _) ->
              status.ended().isPresent() ? "ended" : "not_ended";
          case Rounds.Refused(String code, String _) -> code;
          case Rounds.Unavailable _ -> Reason.ROUND_UNAVAILABLE.code();
        };
    add(metrics -> metrics.round(RoundMetric.WAIT, result));
  }

  // ---- the answer ----

  /** The first bytes of a streamed answer go out. */
  void begun() {
    long took = System.nanoTime() - startNs;
    add(metrics -> metrics.streamFirstByte(took));
  }

  /** A stream ended otherwise than its agent would have ended it; a code of ours. */
  void streamCut(String code) {
    add(metrics -> metrics.streamCut(code));
  }

  /** Something of a stream was refused before anybody judged it. */
  void streamRejected(String code) {
    rejected("stream", code);
  }

  /** The review queue did not take a message, or would not take one. */
  void queueRefused(String code) {
    rejected("review", code);
  }

  /** The caller gets its answer. */
  void answered(int status) {
    answered = status;
    isNew = true;
  }

  /** A streamed answer has ended. */
  void streamed(int status) {
    streamed = true;
    answered(status);
  }
}
