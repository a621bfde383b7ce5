package dev.parlance.proxy.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.Answer;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.BoardPush;
import dev.parlance.proto.v1.ConfigStatus;
import dev.parlance.proto.v1.CoreAck;
import dev.parlance.proto.v1.CoreInForce;
import dev.parlance.proto.v1.CoreNack;
import dev.parlance.proto.v1.CorePush;
import dev.parlance.proto.v1.HeldCore;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.MeshTrust;
import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.Report;
import dev.parlance.proto.v1.ReviewCall;
import dev.parlance.proto.v1.ReviewPush;
import dev.parlance.proto.v1.ReviewRecorded;
import dev.parlance.proto.v1.ReviewTaken;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.VerdictDirectory;
import dev.parlance.proto.v1.VerdictKey;
import dev.parlance.proto.v1.Welcome;
import dev.parlance.proto.v1.WitnessQuestion;
import dev.parlance.proxy.control.AgentAnswer;
import dev.parlance.proxy.control.AgentQuestion;
import dev.parlance.proxy.control.AgentQuestion.Event;
import dev.parlance.proxy.control.AgentQuestion.Example;
import dev.parlance.proxy.control.AgentQuestion.Kind;
import dev.parlance.proxy.control.CoreKeeper;
import dev.parlance.proxy.control.FailedQuestions;
import dev.parlance.proxy.control.OpenQuestions;
import dev.parlance.proxy.control.PushOutcome;
import dev.parlance.proxy.control.PushedTrust;
import dev.parlance.proxy.control.api.AttachStream.End;
import dev.parlance.proxy.metrics.ControlLinkMetrics;
import dev.parlance.proxy.verdict.VerdictKeys;
import dev.parlance.service.identity.SpiffeId;
import java.security.cert.CertificateException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is said on the stream: cores go to the keeper, questions to the desk, and what comes of them
 * back. Used on the control thread; {@link #state} from any.
 */
final class ControlLink implements AttachClient.Sessions {
  private static final Logger log = LoggerFactory.getLogger(ControlLink.class);
  private static final int MAX_AGENTS = 1_024;

  /**
   * How the stream stands.
   *
   * @param connected true while attached
   * @param replica the replica that last welcomed the sidecar; empty before the first
   * @param lastEnd reason of the last end; empty before the first
   * @param reconnects attempts after the first
   * @param welcomedNs when it was last welcomed, monotonic; meaningful with a replica only
   */
  record State(
      boolean connected,
      Optional<String> replica,
      Optional<String> lastEnd,
      long reconnects,
      long welcomedNs) {
    static final State START = new State(false, Optional.empty(), Optional.empty(), 0, 0);
  }

  /**
   * Who speaks.
   *
   * @param hello all of Hello but the cores held
   * @param guardedMessages messages that the core guard held back or sent back since start
   * @param enforcing whether routes carry decisions out
   * @param config how the configuration stands
   */
  record Speaker(
      Hello hello,
      LongSupplier guardedMessages,
      BooleanSupplier enforcing,
      Supplier<ConfigStatus> config) {}

  private final Speaker speaker;
  private final CoreKeeper keeper;
  private final LexiconCalls boards;
  private final ReviewLink reviews;
  private final ReviewConsole console;
  private final OpenQuestions desk;
  private final FailedQuestions unanswered = new FailedQuestions();
  private final Refusals refusals;
  private final ControlLinkMetrics metrics;
  private final AtomicReference<State> state = new AtomicReference<>(State.START);
  private Optional<Answers> answers = Optional.empty();
  private volatile PushedTrust.Listener trust = _ -> {};
  private volatile Optional<VerdictKeys> verdicts = Optional.empty();

  /** Where answers go when they come. */
  interface Answers {
    /** The thread of the stream. */
    Executor thread();

    /** Sends on the stream in use, if there is one. */
    void send(AttachRequest answer);
  }

  /** Refused cores since start, by reason. */
  static final class Refusals {
    private final Map<PushOutcome.PushFault, Long> counts =
        new EnumMap<>(PushOutcome.PushFault.class);

    synchronized void count(PushOutcome.PushFault fault) {
      counts.merge(fault, 1L, Long::sum);
    }

    synchronized Map<PushOutcome.PushFault, Long> all() {
      return new EnumMap<>(counts);
    }
  }

  ControlLink(
      Speaker speaker,
      CoreKeeper keeper,
      LexiconCalls boards,
      ReviewLink reviews,
      ReviewConsole console,
      OpenQuestions desk,
      Refusals refusals,
      ControlLinkMetrics metrics) {
    this.speaker = speaker;
    this.keeper = keeper;
    this.boards = boards;
    this.reviews = reviews;
    this.console = console;
    this.desk = desk;
    this.refusals = refusals;
    this.metrics = metrics;
  }

  /** Tells where answers go; before the first stream. */
  void answersTo(Answers where) {
    answers = Optional.of(where);
  }

  /** Tells who hears whom the mesh believes; before the first stream. */
  void trustTo(PushedTrust.Listener listener) {
    trust = listener;
  }

  /** Whose verdicts are made with which keys is told to this one; before the first stream. */
  void verdicts(VerdictKeys keys) {
    verdicts = Optional.of(keys);
  }

  /** How the stream stands. */
  State state() {
    return state.get();
  }

  /**
   * Says which cores are held. One that is disputed is left out, so that the control plane sends it
   * again and the dispute can end.
   */
  Hello hello() {
    Hello.Builder hello =
        speaker.hello().toBuilder()
            .setConfig(speaker.config().get())
            .setTakesReviews(reviews.takes())
            .setAnswersReviews(console.answers());
    for (CoreKeeper.Status one : keeper.status()) {
      if (!one.held().isDisputed()) {
        hello.addHeld(
            HeldCore.newBuilder()
                .setId(wire(one.held().core().id()))
                .setVersion(one.held().core().version()));
      }
    }
    verdicts.ifPresent(keys -> {
      boolean believes = keys.believes();
      keys.announced(speaker.hello().getAgent())
          .forEach(key ->
              hello.addVerdictKeys(
                  VerdictKey.newBuilder().setKey(key.format()).setBelieves(believes)));
    });
    return hello.build();
  }

  @Override
  public AttachStream.Session next(long stream) {
    if (stream > 1) {
      metrics.reconnect();
      state.updateAndGet(
          last -> new State(false, last.replica(), last.lastEnd(), stream - 1, last.welcomedNs()));
    }
    return new Session(stream);
  }

  @Override
  public void ended(End end) {
    if (end.reason().equals("oversized")) {
      refusals.count(PushOutcome.PushFault.TOO_LARGE);
      metrics.push("refused");
      metrics.coreRejected(PushOutcome.PushFault.TOO_LARGE.code());
    }
    state.updateAndGet(last ->
        new State(
            false,
            last.replica(),
            Optional.of(end.reason()),
            last.reconnects(),
            last.welcomedNs()));
  }

  /** One stream. */
  private final class Session implements AttachStream.Session {
    private final long stream;

    Session(long stream) {
      this.stream = stream;
    }

    @Override
    public void welcomed(Welcome welcome) {
      boards.welcomed(welcome);
      console.welcomed(welcome);
      State before = state.get();
      if (!before.connected()) {
        log.atInfo()
            .addKeyValue("replica", welcome.getReplica())
            .addKeyValue("stream", stream)
            .log("attached to the control plane");
        state.set(
            new State(
                true,
                Optional.of(welcome.getReplica()),
                before.lastEnd(),
                before.reconnects(),
                System.nanoTime()));
      }
    }

    @Override
    public AttachRequest core(CorePush push) {
      SignedCore core = push.getCore();
      PushOutcome outcome =
          id(core.getId())
              .map(id -> keeper.push(id, core.getVersion(), core.getNote().toByteArray()))
              .orElseGet(() -> {
                metrics.coreRejected(PushOutcome.PushFault.MALFORMED.code());
                refusals.count(PushOutcome.PushFault.MALFORMED);
                return new PushOutcome.Refused(
                    PushOutcome.PushFault.MALFORMED, "ids that are no names");
              });
      return switch (outcome) {
        case PushOutcome.InForce(CoreId id, long version) -> {
          metrics.push("in_force");
          log.atInfo()
              .addKeyValue("core", id)
              .addKeyValue("version", version)
              .log("a core is in force");
          yield ack(id, version);
        }
        case PushOutcome.Unchanged(CoreId id, long version) -> {
          metrics.push("unchanged");
          yield ack(id, version);
        }
        case PushOutcome.Refused(PushOutcome.PushFault fault, String detail) -> {
          metrics.push("refused");
          yield AttachRequest.newBuilder()
              .setNack(
                  CoreNack.newBuilder()
                      .setId(core.getId())
                      .setVersion(core.getVersion())
                      .setReason(fault.code())
                      .setDetail(detail))
              .build();
        }
      };
    }

    @Override
    public void attached(Consumer<AttachRequest> out) {
      boards.attached(out);
      reviews.attached(out);
      console.attached(out);
    }

    @Override
    public AttachRequest board(BoardPush push) {
      return boards.pushed(push);
    }

    @Override
    public AttachRequest review(ReviewPush push) {
      return reviews.pushed(push);
    }

    @Override
    public void trusted(MeshTrust said) {
      try {
        trust.trusted(IssuedIdentity.read(said));
      } catch (CertificateException e) {
        log.atWarn().addKeyValue("why", e.getMessage()).log("pushed authorities are none");
      }
    }

    @Override
    public void verdictKeys(VerdictDirectory directory) {
      verdicts.ifPresent(keys ->
          keys.heard(
              directory.getKeysList().stream()
                  .flatMap(said ->
                      VerifierKey.parse(said.getKey()) instanceof Parsed.Ok<VerifierKey>(var key)
                          ? Stream.of(
                              new VerdictKeys.Announced(
                                  key, said.getBelieves(), SpiffeId.parse(said.getId())))
                          : Stream.empty())
                  .toList()));
    }

    @Override
    public void taken(ReviewTaken taken) {
      reviews.taken(taken);
    }

    @Override
    public void called(ReviewCall call) {
      console.called(call);
    }

    @Override
    public void recorded(ReviewRecorded recorded) {
      console.recorded(recorded);
    }

    @Override
    public void question(Question question) {
      String id = question.getId();
      Optional<AgentQuestion> read = QuestionReader.read(question);
      if (!QuestionReader.isId(id) || read.isEmpty()) {
        metrics.question("bad_question");
        log.atWarn().addKeyValue("stream", stream).log("a question that is none is not put");
        return;
      }
      long timeoutMs = Integer.toUnsignedLong(question.getTimeoutMs());
      Optional<CompletableFuture<AgentAnswer>> asked = desk.put(stream, id, read.get(), timeoutMs);
      if (asked.isEmpty()) {
        metrics.question("repeated");
        return;
      }
      Answers where = answers.orElseThrow();
      CompletableFuture<Void> _ =
          asked
              .get()
              .thenAcceptAsync(
                  answer -> answered(where, id, read.get().kind(), answer), where.thread());
    }

    private void answered(Answers where, String id, AgentQuestion.Kind kind, AgentAnswer answer) {
      if (!desk.isOwed(stream, id)) {
        return;
      }
      metrics.question(
          switch (answer) {
            case AgentAnswer.Said said -> said.form().code();
            case AgentAnswer.Failed failed -> {
              unanswered
                  .add(failed.failure(), System.nanoTime() / 1_000_000)
                  .ifPresent(leftOut -> warn(id, failed, leftOut));
              yield failed.failure().code();
            }
          });
      where.send(
          AttachRequest.newBuilder().setAnswer(QuestionReader.answer(id, kind, answer)).build());
    }

    private static void warn(String id, AgentAnswer.Failed failed, long leftOut) {
      log.atWarn()
          .addKeyValue("question", id)
          .addKeyValue("reason", failed.failure().code())
          .addKeyValue("detail", failed.detail())
          .addKeyValue("leftOut", leftOut)
          .log("the local agent gave no answer that counts; said once a minute");
    }

    @Override
    public void heard() {
      keeper.heard();
    }

    @Override
    public AttachRequest report() {
      return ControlLink.this.report();
    }
  }

  /** How the sidecar is doing. */
  AttachRequest report() {
    Report.Builder report =
        Report.newBuilder()
            .setGuardedMessages(speaker.guardedMessages().getAsLong())
            .setEnforcing(speaker.enforcing().getAsBoolean())
            .setConfig(speaker.config().get());
    for (CoreKeeper.Status one : keeper.status()) {
      report.addCores(
          CoreInForce.newBuilder()
              .setId(wire(one.held().core().id()))
              .setVersion(one.held().core().version())
              .setAgeMs(one.ageMs())
              .setState(one.state().code()));
    }
    refusals.all().forEach((fault, count) -> report.putRefusedPushes(fault.code(), count));
    return AttachRequest.newBuilder().setReport(report).build();
  }

  private static AttachRequest ack(CoreId id, long version) {
    return AttachRequest.newBuilder()
        .setAck(CoreAck.newBuilder().setId(wire(id)).setVersion(version))
        .build();
  }

  private static dev.parlance.proto.v1.CoreId wire(CoreId id) {
    return dev.parlance.proto.v1.CoreId.newBuilder()
        .addAllAgents(id.agents())
        .setDomain(id.domain())
        .build();
  }

  /** The id; empty if it is made of anything but names. */
  private static Optional<CoreId> id(dev.parlance.proto.v1.CoreId id) {
    List<String> agents = List.copyOf(id.getAgentsList());
    return agents.size() <= MAX_AGENTS
            && agents.stream().allMatch(Names::isName)
            && Names.isName(id.getDomain())
        ? Optional.of(new CoreId(agents, id.getDomain()))
        : Optional.empty();
  }

  /** Questions and answers between the wire's form and ours. */
  static final class QuestionReader {
    private static final int MAX_ID = 256;

    private QuestionReader() {}

    /** True if an answer could carry the id back. */
    static boolean isId(String id) {
      return !id.isEmpty()
          && id.length() <= MAX_ID
          && id.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /** The question; empty if it is none that may be put to an agent. */
    static Optional<AgentQuestion> read(Question question) {
      try {
        return switch (question.getBodyCase()) {
          case WITNESS -> Optional.of(witness(question.getWitness()));
          case OFFER -> Optional.of(offer(question.getOffer()));
          case BODY_NOT_SET -> Optional.empty();
        };
      } catch (IllegalArgumentException e) {
        return Optional.empty(); // the records say what a question is
      }
    }

    private static AgentQuestion witness(WitnessQuestion witness) {
      return new AgentQuestion.Witness(
          witness.getDomain(),
          witness.getTerm(),
          gloss(witness.getGloss()),
          event(witness.getEvent()));
    }

    private static AgentQuestion offer(PolicyOffer offer) {
      return new AgentQuestion.Offer(
          offer.getDomain(),
          offer.getTerm(),
          gloss(offer.getGloss()),
          offer.getFromAgent(),
          offer.getExamplesList().stream()
              .map(example -> new Example(event(example.getEvent()), example.getVerdict()))
              .toList());
    }

    private static Event event(AuditEvent event) {
      return new Event(event.getPei(), event.getText());
    }

    private static Optional<String> gloss(String text) {
      return Optional.of(text).filter(given -> !given.isEmpty());
    }

    /** The answer to carry back. */
    static Answer answer(String id, Kind kind, AgentAnswer answer) {
      Answer.Builder out =
          Answer.newBuilder()
              .setQuestionId(id)
              .setTookMs((int) Math.min(answer.tookMs(), Integer.MAX_VALUE));
      switch (answer) {
        case AgentAnswer.Failed failed -> out.setFailure(failed.failure().code());
        case AgentAnswer.Said said -> {
          switch (kind) {
            case WITNESS -> out.setVerdict(said.word());
            case OFFER -> out.setReply(said.word());
          }
          out.setForm(said.form().code()).setAnswerSha256(ByteString.fromHex(said.sha256()));
        }
      }
      return out.build();
    }
  }
}
