package dev.parlance.proxy.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.BoardAck;
import dev.parlance.proto.v1.BoardNack;
import dev.parlance.proto.v1.BoardPush;
import dev.parlance.proto.v1.BoardWanted;
import dev.parlance.proto.v1.CoinRequest;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceStub;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.RefusedLine;
import dev.parlance.proto.v1.ReportTurnsRequest;
import dev.parlance.proto.v1.ReportTurnsResponse;
import dev.parlance.proto.v1.RetractRequest;
import dev.parlance.proto.v1.RetractResponse;
import dev.parlance.proto.v1.ReviewTermRequest;
import dev.parlance.proto.v1.ReviewTermResponse;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.TermCoinage;
import dev.parlance.proto.v1.TermDirective;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.proto.v1.TermUse;
import dev.parlance.proto.v1.Welcome;
import dev.parlance.proxy.control.BoardNotes;
import dev.parlance.proxy.gate.Lexicons.Group;
import dev.parlance.proxy.gate.Lexicons.HeldBoard;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import dev.parlance.proxy.lexicon.LexiconControl;
import dev.parlance.service.Result;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Calls to the control plane's boards of coined terms, and the boards that it pushes. */
final class LexiconCalls implements LexiconControl, AutoCloseable {
  /** Longest wait for a report to be taken, in milliseconds: nobody waits for it. */
  static final int REPORT_MS = 10_000;

  private static final int MAX_CODE_CHARS = 40;

  private final ControlCalls<LexiconServiceStub> calls;
  private final BoardNotes reading;
  private final int timeoutMs;

  /** Boards that are to be pushed, with the newest revision that was in force. */
  private final Map<String, Long> wanted = new ConcurrentHashMap<>();

  private volatile Function<HeldBoard, Taken> taker = _ -> Taken.UNWANTED;
  private volatile Consumer<List<Group>> named = _ -> {};
  private volatile Consumer<AttachRequest> stream = _ -> {};

  /**
   * A client.
   *
   * @param reading reads signed boards
   * @param timeoutMs longest wait for an answer on which a message waits
   */
  LexiconCalls(
      ControlCalls.Settings settings, BoardNotes reading, int timeoutMs, RandomGenerator random) {
    this.calls = new ControlCalls<>("boards", settings, LexiconServiceGrpc::newStub, random);
    this.reading = reading;
    this.timeoutMs = timeoutMs;
  }

  // ---- calls ----

  @Override
  public CompletableFuture<Result<Receipt>> coin(TurnReport turn, boolean whole) {
    CoinRequest request = CoinRequest.newBuilder().setTurn(message(turn)).setWhole(whole).build();
    return calls.askBounded(
        (LexiconServiceStub stub, StreamObserver<CoinResponse> out) -> stub.coin(request, out),
        timeoutMs,
        answer -> Result.done(receipt(turn.board(), answer)));
  }

  private Receipt receipt(String board, CoinResponse answer) {
    TreeMap<Integer, String> refused = new TreeMap<>();
    for (RefusedLine line : answer.getRefusedList()) {
      refused.put(line.getLine(), code(line.getReason()));
    }
    Optional<HeldBoard> behind = Optional.empty();
    if (answer.hasBoard()
        && read(board, answer.getBoard()) instanceof Result.Done<HeldBoard>(HeldBoard held)) {
      behind = Optional.of(held);
    }
    return new Receipt(new HashSet<>(answer.getAcceptedList()), refused, behind);
  }

  private static String code(String text) {
    boolean isCode =
        !text.isEmpty()
            && text.length() <= MAX_CODE_CHARS
            && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || c == '_');
    return isCode ? text : "other";
  }

  @Override
  public CompletableFuture<Result<Tally>> report(List<TurnReport> turns) {
    ReportTurnsRequest.Builder request = ReportTurnsRequest.newBuilder();
    turns.forEach(turn -> request.addTurns(message(turn)));
    ReportTurnsRequest built = request.build();
    return calls.askBounded(
        (LexiconServiceStub stub, StreamObserver<ReportTurnsResponse> out) ->
            stub.report(built, out),
        REPORT_MS,
        answer ->
            Result.done(
                new Tally(answer.getCounted(), answer.getRepeatedTurns(), answer.getIgnored())));
  }

  @Override
  public CompletableFuture<Result<Boolean>> retract(TurnReport turn) {
    RetractRequest request = RetractRequest.newBuilder().setTurn(message(turn)).build();
    return calls.askBounded(
        (LexiconServiceStub stub, StreamObserver<RetractResponse> out) ->
            stub.retract(request, out),
        timeoutMs,
        answer -> Result.done(answer.getGone()));
  }

  @Override
  public CompletableFuture<Result<Boolean>> review(String board, TermRef term, boolean share) {
    ReviewTermRequest request =
        ReviewTermRequest.newBuilder()
            .setTerm(
                TermRequest.newBuilder()
                    .setBoard(board)
                    .setVisibility(term.visibility().toString())
                    .setKey(term.key()))
            .setShare(share)
            .build();
    return calls.askBounded(
        (LexiconServiceStub stub, StreamObserver<ReviewTermResponse> out) ->
            stub.review(request, out),
        REPORT_MS,
        answer -> Result.done(answer.getShared()));
  }

  @Override
  public CompletableFuture<Result<HeldBoard>> board(String board) {
    GetBoardRequest request = GetBoardRequest.newBuilder().setBoard(board).build();
    return calls.askBounded(
        (LexiconServiceStub stub, StreamObserver<SignedBoard> out) -> stub.getBoard(request, out),
        timeoutMs,
        answer -> read(board, answer));
  }

  private Result<HeldBoard> read(String board, SignedBoard signed) {
    return reading.read(board, signed.getRevision(), signed.getNote().toByteArray());
  }

  private static LexiconTurn message(TurnReport turn) {
    TurnFacts facts = turn.facts();
    LexiconTurn.Builder message =
        LexiconTurn.newBuilder()
            .setBoard(turn.board())
            .setDigest(ByteString.copyFrom(turn.digest().bytes()))
            .setSpeaker(facts.speaker())
            .setChannel(facts.channel().toString())
            .setNumber(turn.number())
            .setAfter(turn.after())
            .setTokens(facts.tokens())
            .setCheckpoint(facts.checkpoint());
    for (TurnFacts.Use use : facts.uses()) {
      message.addUses(
          TermUse.newBuilder()
              .setVisibility(use.term().visibility().toString())
              .setKey(use.term().key())
              .setTimes(use.times()));
    }
    for (TurnFacts.Directed line : facts.directives()) {
      line.term()
          .ifPresent(term ->
              message.addDirectives(
                  TermDirective.newBuilder()
                      .setLine(line.line())
                      .setRequest(request(line.request()))
                      .setVisibility(term.visibility().toString())
                      .setKey(term.key())
                      .setBody(line.body().orElse(""))));
    }
    for (TurnFacts.Coined line : facts.coinages()) {
      message.addCoinages(
          TermCoinage.newBuilder()
              .setLine(line.line())
              .setTerm(line.term())
              .setDefinition(line.definition()));
    }
    return message.build();
  }

  private static String request(TurnText.Request request) {
    return request.name().toLowerCase(Locale.ROOT);
  }

  // ---- pushes ----

  @Override
  public void want(String board, long revision) {
    wanted.put(board, revision);
    stream.accept(wish(board, revision));
  }

  @Override
  public void drop(String board) {
    if (wanted.remove(board) != null) {
      stream.accept(
          AttachRequest.newBuilder()
              .setBoardWanted(BoardWanted.newBuilder().setBoard(board).setDropped(true))
              .build());
    }
  }

  private static AttachRequest wish(String board, long revision) {
    return AttachRequest.newBuilder()
        .setBoardWanted(BoardWanted.newBuilder().setBoard(board).setRevision(revision))
        .build();
  }

  @Override
  public void onPush(Function<HeldBoard, Taken> take) {
    taker = take;
  }

  @Override
  public void onGroups(Consumer<List<Group>> take) {
    named = take;
  }

  /** The control plane has named the factions. On the control thread. */
  void welcomed(Welcome welcome) {
    named.accept(
        welcome.getGroupsList().stream()
            .map(group -> new Group(group.getName(), Set.copyOf(group.getMembersList())))
            .filter(group -> !group.name().isEmpty())
            .toList());
  }

  /** Says where wishes go; any thread may send. */
  void speaksOn(Consumer<AttachRequest> with) {
    stream = with;
  }

  /** A new stream: every board that is wanted is asked for again. On the control thread. */
  void attached(Consumer<AttachRequest> out) {
    wanted.forEach((board, revision) -> out.accept(wish(board, revision)));
  }

  /** A board was pushed; what is returned is sent back. On the control thread. */
  AttachRequest pushed(BoardPush push) {
    SignedBoard signed = push.getBoard();
    return switch (read(signed.getBoard(), signed)) {
      case Result.Done<HeldBoard>(HeldBoard held) ->
          switch (taker.apply(held)) {
            case IN_FORCE -> {
              wanted.computeIfPresent(held.id(), (_, before) -> Math.max(before, held.revision()));
              yield AttachRequest.newBuilder()
                  .setBoardAck(
                      BoardAck.newBuilder().setBoard(held.id()).setRevision(held.revision()))
                  .build();
            }
            case OLDER ->
                AttachRequest.newBuilder()
                    .setBoardAck(
                        BoardAck.newBuilder().setBoard(held.id()).setRevision(held.revision()))
                    .build();
            case UNWANTED -> {
              wanted.remove(held.id());
              yield AttachRequest.newBuilder()
                  .setBoardWanted(BoardWanted.newBuilder().setBoard(held.id()).setDropped(true))
                  .build();
            }
          };
      case Result.Refused<HeldBoard>(Result.Kind _, String reason, String detail) ->
          AttachRequest.newBuilder()
              .setBoardNack(
                  BoardNack.newBuilder()
                      .setBoard(signed.getBoard())
                      .setRevision(signed.getRevision())
                      .setReason(reason)
                      .setDetail(detail))
              .build();
    };
  }

  /** Gives up what is under way, within about a second. */
  @Override
  public void close() {
    calls.close();
  }
}
