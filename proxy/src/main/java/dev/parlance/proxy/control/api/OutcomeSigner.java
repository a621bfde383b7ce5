package dev.parlance.proxy.control.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundEntry.ProposalStatement;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.ledger.round.RecomputedOutcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.SignOutcomeRequest;
import dev.parlance.proxy.gate.Rounds;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local agent as a member that signs: what it proposes, and the outcome once it has recomputed
 * it from the proposals that it is shown. It signs one outcome of an epoch and no other one, and
 * only where its own proposal stands as it was signed here.
 *
 * <pre>
 * proposed, signed here      -> the round is watched until it is decided
 * decided, worked out the same -> signed, and sent until the control plane has it
 * decided otherwise          -> not signed; a warning says why
 * </pre>
 *
 * After a restart it signs nothing of rounds that it proposed in before: it does not know any more
 * what it has signed.
 */
final class OutcomeSigner {
  private static final Logger log = LoggerFactory.getLogger(OutcomeSigner.class);

  /** Most rounds that wait for their outcome. */
  private static final int MAX_WATCHED = 1_024;

  /** Most that are remembered. */
  private static final int MAX_REMEMBERED = 10_000;

  /** How long after its deadline a round is waited for. */
  private static final long GRACE_MS = 60_000;

  private static final int SEND_MS = 5_000;
  private static final int ATTEMPTS = 6;
  private static final long PAUSE_MS = 1_000;

  private final String agent;
  private final RoundCalls calls;
  private final RoundReading reading;
  private final MemberSigning own;
  private final Semaphore seats = new Semaphore(MAX_WATCHED);

  private final Cache<RoundId, ProposalStatement> proposed =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).executor(Runnable::run).build();

  private final Cache<RoundId, String> signed =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).executor(Runnable::run).build();

  OutcomeSigner(String agent, RoundCalls calls, RoundReading reading, MemberSigning own) {
    this.agent = agent;
    this.calls = calls;
    this.reading = reading;
    this.own = own;
  }

  /** The key of the local agent that a round knows; empty if it knows none. */
  Optional<SignerKey> keyFor(Round round) {
    List<String> known =
        round.getMemberKeysList().stream()
            .filter(key -> key.getAgent().equals(agent))
            .map(key -> key.getVkey())
            .toList();
    return own.keys().stream().filter(key -> known.contains(key.verifier().format())).findFirst();
  }

  /** The local agent's proposal was taken with this signature; its round is watched from now on. */
  void proposed(ProposalStatement statement, long leftMs) {
    RoundId id = statement.id();
    if (proposed.asMap().putIfAbsent(id, statement) != null || !seats.tryAcquire()) {
      return;
    }
    GetRoundRequest request =
        GetRoundRequest.newBuilder().setRound(id.round()).setEpoch(id.epoch()).build();
    CompletableFuture<?> _ =
        calls
            .watch(request, leftMs + GRACE_MS, round -> decided(id, round))
            .whenComplete((_, _) -> seats.release());
  }

  /** Looks whether there is something to sign; the watch ends once there was. */
  private Rounds.Reply decided(RoundId id, Round round) {
    Rounds.Reply reply = reading.read(id, round);
    if (round.hasResult() && signed.getIfPresent(id) == null) {
      switch (outcome(id, round)) {
        case Checked.Signable(String text, SignerKey key) -> {
          signed.put(id, Digest.of(text));
          send(request(id, text, key), 1);
        }
        case Checked.Nothing _ -> {}
        case Checked.Refused(String why) ->
            log.atWarn()
                .addKeyValue("round", id)
                .addKeyValue("problem", why)
                .log("the outcome of a round is not signed");
      }
    }
    return round.hasResult() ? new Rounds.Refused("watched", "the round has an outcome") : reply;
  }

  private sealed interface Checked {
    record Signable(String text, SignerKey key) implements Checked {}

    record Nothing() implements Checked {}

    record Refused(String why) implements Checked {}
  }

  private Checked outcome(RoundId id, Round round) {
    if (!(reading.document(round) instanceof OutcomeReading.Good(RoundOutcome outcome, String _))
        || !outcome.id().equals(id)) {
      return new Checked.Refused("it is not signed by a known control plane");
    }
    Optional<SignerKey> key = keyFor(round);
    if (!outcome.isOfMembers() || key.isEmpty()) {
      return new Checked.Nothing();
    }
    try {
      RoundEntry.Opened opened = RoundReading.opened(id, round);
      List<RecomputedOutcome.Shown> shown = RoundReading.shown(round);
      if (!isOwnAsSigned(opened, shown)) {
        return new Checked.Refused("the proposal of this agent is not the one that it has signed");
      }
      return switch (RecomputedOutcome.of(
          opened,
          shown,
          RoundReading.compared(round),
          member -> keysOf(member, round),
          member -> own.pinned().containsKey(member),
          outcome.decidedAtMs())) {
        case RecomputedOutcome.Result.Unsigned(String member, var reason) ->
            new Checked.Refused("the proposal of " + member + ": " + reason.code());
        case RecomputedOutcome.Result.Worked(RoundOutcome here) ->
            here.equals(outcome)
                ? new Checked.Signable(OutcomeNote.text(here), key.get())
                : new Checked.Refused("worked out here it is another one, " + here.kind());
      };
    } catch (IllegalArgumentException impossible) {
      return new Checked.Refused("it cannot be worked out: " + impossible.getMessage());
    }
  }

  private boolean isOwnAsSigned(RoundEntry.Opened opened, List<RecomputedOutcome.Shown> shown) {
    Optional<ProposalStatement> mine = Optional.ofNullable(proposed.getIfPresent(opened.id()));
    return mine.isPresent()
        && shown.stream()
            .filter(one -> one.proposal().agent().equals(agent))
            .map(one -> one.statement(opened))
            .anyMatch(mine.get()::equals);
  }

  /** Keys that were configured, else those that the control plane has named. */
  private List<VerifierKey> keysOf(String member, Round round) {
    List<VerifierKey> pinned = own.pinned().getOrDefault(member, List.of());
    return pinned.isEmpty() ? RoundReading.keysOf(member, round) : pinned;
  }

  private SignOutcomeRequest request(RoundId id, String text, SignerKey key) {
    String signature = Note.sign(text, key).signatures().getFirst().base64();
    return SignOutcomeRequest.newBuilder()
        .setRound(id.round())
        .setEpoch(id.epoch())
        .setAgent(agent)
        .setDocumentSha256(RoundReading.bytes(Digest.of(text)))
        .setSignature(ByteString.copyFrom(Base64.getDecoder().decode(signature)))
        .build();
  }

  /** Until the control plane has it: it may restart between proposal and signature. */
  private void send(SignOutcomeRequest request, int attempt) {
    CompletableFuture<?> _ =
        calls
            .<Round, Optional<Rounds.Fault>>ask(
                (stub, out) -> stub.signOutcome(request, out),
                SEND_MS,
                _ -> Optional.empty(),
                Optional::of)
            .thenAccept(fault -> fault.ifPresent(why -> failed(request, attempt, why)));
  }

  private void failed(SignOutcomeRequest request, int attempt, Rounds.Fault why) {
    if (why instanceof Rounds.Unavailable && attempt < ATTEMPTS) {
      CompletableFuture.delayedExecutor(attempt * PAUSE_MS, TimeUnit.MILLISECONDS)
          .execute(() -> send(request, attempt + 1));
      return;
    }
    log.atWarn()
        .addKeyValue("round", request.getRound() + ":" + request.getEpoch())
        .addKeyValue(
            "problem",
            switch (why) {
              case Rounds.Refused(String code, String detail) -> code + ": " + detail;
              case Rounds.Unavailable(String detail) -> detail;
            })
        .log("the control plane did not take the signature on an outcome");
  }
}
