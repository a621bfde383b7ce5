package dev.parlance.proxy.control.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.RoundEntry.ProposalStatement;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Rounds, asked of the control plane. Outcomes are remembered, because an ended round never
 * changes; all else is asked each time. What comes back is believed as far as {@link RoundReading}
 * says.
 */
final class RoundClient implements Rounds, AutoCloseable {
  /** Most calls under way that wait for one answer. */
  static final int MAX_CALLS = 256;

  /** Most answers kept back for an outcome at a time. */
  static final int MAX_WAITS = 1024;

  private static final int REMEMBERED_BYTES = 8 << 20;
  private static final int ENTRY_BYTES = 512;
  private static final int HEX_SHA256 = 64;
  private static final Set<String> RESULTS = Set.of("accepted", "repeated", "equivocated");

  private final String agent;
  private final IntSupplier timeoutMs;
  private final RoundCalls calls;
  private final RoundReading reading;
  private volatile Optional<OutcomeSigner> signer = Optional.empty();
  private final Semaphore free = new Semaphore(MAX_CALLS);
  private final Semaphore seats = new Semaphore(MAX_WAITS);
  private final Cache<RoundId, Known> ended =
      Caffeine.newBuilder()
          .maximumWeight(REMEMBERED_BYTES)
          .weigher((RoundId _, Known known) -> weight(known))
          .executor(Runnable::run)
          .build();

  /**
   * A client.
   *
   * @param agent id of the local agent
   * @param timeoutMs longest wait for an answer, asked at each call
   * @param calls closed with this
   */
  RoundClient(String agent, IntSupplier timeoutMs, RoundCalls calls, RoundReading reading) {
    this.agent = agent;
    this.timeoutMs = timeoutMs;
    this.calls = calls;
    this.reading = reading;
  }

  private static int weight(Known known) {
    return ENTRY_BYTES + known.status().ended().map(end -> end.note().length()).orElse(0);
  }

  @Override
  public CompletableFuture<Receipt> propose(Proposing proposing) {
    RoundMark.Proposal mark = proposing.mark();
    if (mark.subjectSha256().filter(hex -> !isSha256(hex)).isPresent()) {
      return CompletableFuture.completedFuture(
          new Refused("bad_proposal", "expected subjectSha256 as 64 lower-case hex digits"));
    }
    ProposeRequest.Builder request =
        ProposeRequest.newBuilder()
            .setRound(mark.id().round())
            .setEpoch(mark.id().epoch())
            .setAgent(agent)
            .setVerdict(mark.verdict())
            .setRationale(proposing.rationale())
            .setMessageSha256(ByteString.copyFrom(proposing.messageSha256()))
            .setRoute(proposing.route())
            .setDecision(proposing.decisionId());
    mark.subjectSha256()
        .ifPresent(
            hex -> request.setSubjectSha256(ByteString.copyFrom(HexFormat.of().parseHex(hex))));
    ProposeRequest built = request.build();
    Optional<OutcomeSigner> member = signer;
    return bounded(
        free,
        () ->
            member.isPresent()
                ? signed(built, mark.id(), proposing, member.get())
                : send(built, mark.id(), timeoutMs.getAsInt()));
  }

  private CompletableFuture<Receipt> send(ProposeRequest request, RoundId id, int waitMs) {
    return calls.<ProposeResponse, Receipt>ask(
        (stub, out) -> stub.propose(request, out),
        waitMs,
        response -> taken(id, response),
        fault -> fault);
  }

  /** What came of the first of two calls: what is to be signed, or an end. */
  private sealed interface Prepared {
    record Ready(ProposeResponse response) implements Prepared {}

    record Over(Fault fault) implements Prepared {}
  }

  /** Has the text encoded, signs the proposal, and sends it; both within the time of one call. */
  private CompletableFuture<Receipt> signed(
      ProposeRequest request, RoundId id, Proposing proposing, OutcomeSigner member) {
    long beganNs = System.nanoTime();
    int waitMs = timeoutMs.getAsInt();
    ProposeRequest preparing = request.toBuilder().setPrepare(true).build();
    return calls
        .<ProposeResponse, Prepared>ask(
            (stub, out) -> stub.propose(preparing, out),
            waitMs,
            Prepared.Ready::new,
            Prepared.Over::new)
        .thenCompose(prepared ->
            switch (prepared) {
              case Prepared.Over(Fault fault) -> CompletableFuture.completedFuture(fault);
              case Prepared.Ready(ProposeResponse response)
                  when !response.getResult().equals("prepared") ->
                  CompletableFuture.completedFuture(taken(id, response));
              case Prepared.Ready(ProposeResponse response) -> {
                long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
                int leftMs = (int) Math.max(1, waitMs - tookMs);
                Optional<SignerKey> key = member.keyFor(response.getRound());
                if (key.isEmpty()) {
                  yield send(request, id, leftMs);
                }
                ProposalStatement statement =
                    ProposalStatement.of(
                        id,
                        agent,
                        request.getVerdict(),
                        Digest.of(proposing.rationale()),
                        RoundReading.meaning(response.getMeaning(), response.getVector()));
                ProposeRequest signed =
                    request.toBuilder()
                        .setSignature(
                            ByteString.copyFrom(
                                Base64.getDecoder().decode(statement.sign(key.get()))))
                        .build();
                yield send(signed, id, leftMs)
                    .thenApply(receipt -> {
                      if (receipt instanceof Taken(String how, RoundStatus status)
                          && how.equals("accepted")) {
                        member.proposed(statement, status.leftMs());
                      }
                      return receipt;
                    });
              }
            });
  }

  /** The local agent signs from now on. */
  void signs(MemberSigning keys) {
    signer = Optional.of(new OutcomeSigner(agent, calls, reading, keys));
  }

  private static boolean isSha256(String hex) {
    return hex.length() == HEX_SHA256
        && hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  private Receipt taken(RoundId id, ProposeResponse response) {
    String how = response.getResult();
    if (!RESULTS.contains(how)) {
      return new Unavailable("the control plane did not say what came of the proposal");
    }
    return switch (believed(id, response.getRound())) {
      case Known(RoundStatus status, Optional<String> _, var _) -> new Taken(how, status);
      case Refused refused -> refused;
      case Unavailable away -> away;
    };
  }

  /** What the control plane says of a round; kept if it is final. */
  private Reply believed(RoundId id, Round round) {
    Reply reply = reading.read(id, round);
    if (reply instanceof Known known && known.status().ended().isPresent()) {
      ended.put(id, known);
    }
    return reply;
  }

  @Override
  public CompletableFuture<Reply> status(RoundId id) {
    return remembered(id)
        .orElseGet(() ->
            bounded(
                free,
                () ->
                    calls.<Round, Reply>ask(
                        (stub, out) -> stub.getRound(request(id), out),
                        timeoutMs.getAsInt(),
                        round -> believed(id, round),
                        fault -> fault)));
  }

  @Override
  public CompletableFuture<Reply> ended(RoundId id, long atMostMs) {
    if (atMostMs <= 0) {
      return status(id);
    }
    return remembered(id)
        .orElseGet(() ->
            bounded(seats, () -> calls.watch(request(id), atMostMs, round -> believed(id, round))));
  }

  private Optional<CompletableFuture<Reply>> remembered(RoundId id) {
    return Optional.ofNullable(ended.getIfPresent(id)).map(CompletableFuture::completedFuture);
  }

  private static GetRoundRequest request(RoundId id) {
    return GetRoundRequest.newBuilder().setRound(id.round()).setEpoch(id.epoch()).build();
  }

  /** Something that takes time. */
  private interface Work<T> {
    CompletableFuture<T> begin();
  }

  @SuppressWarnings("unchecked") // a fault is a receipt and a reply
  private static <T> CompletableFuture<T> bounded(Semaphore room, Work<T> work) {
    if (!room.tryAcquire()) {
      return (CompletableFuture<T>)
          CompletableFuture.completedFuture(
              new Unavailable("too many questions about rounds are under way"));
    }
    CompletableFuture<T> begun = work.begin();
    CompletableFuture<?> _ = begun.whenComplete((_, _) -> room.release());
    return begun;
  }

  @Override
  public Optional<Known> noted(RoundMark.Claim claim) {
    if (claim.note().isEmpty()) {
      return Optional.empty();
    }
    String note = claim.note().get();
    return Optional.ofNullable(ended.getIfPresent(claim.id()))
        .filter(known -> known.status().ended().filter(end -> end.note().equals(note)).isPresent())
        .or(() -> reading.noted(note));
  }

  /** Ends every wait for a round now and from now on, with what is known of it. */
  void hurry() {
    calls.hurry();
  }

  @Override
  public void close() {
    calls.close();
  }
}
