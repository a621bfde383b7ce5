package dev.parlance.control.round;

import com.google.protobuf.ByteString;
import dev.parlance.control.api.RoundCalls;
import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.certify.LedgerWriter.LedgerStore;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.round.RoundCoordinator.RoundContext;
import dev.parlance.control.store.Store;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeEncoder;
import dev.parlance.ledger.log.LogStorage;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.SignOutcomeRequest;
import dev.parlance.service.Result;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;

/**
 * What a replica has of rounds, over a ledger that a test may let die; calls are about one round.
 */
final class RoundReplica implements AutoCloseable {
  final LedgerWriter port;
  final RoundCalls calls;
  final ControlMetrics metrics;
  final LedgerView view;
  private final RoundCoordinator rounds;
  private final String round;

  RoundReplica(
      String name,
      String round,
      Store store,
      LogStorage storage,
      SignerKey ledgerKey,
      SignerKey coreKey)
      throws IOException {
    this.round = round;
    metrics = new ControlMetrics("test", name);
    port = LedgerWriter.open(() -> new LedgerStore.Opened(storage, () -> {}), ledgerKey, metrics);
    view = new LedgerView(port);
    view.catchUp();
    rounds =
        new RoundCoordinator(
            new RoundContext(
                store,
                port,
                view,
                coreKey,
                new FakeEncoder(),
                Optional.empty(),
                metrics,
                RoundsSettings.DEFAULT,
                20));
    calls = new RoundCalls(rounds);
  }

  Result<ProposeResponse> propose(String agent) {
    return propose(agent, "approve", "1 " + agent);
  }

  Result<ProposeResponse> propose(String agent, String verdict, String text) {
    return calls.propose(Council.proposal(round, agent, verdict, text).build());
  }

  /** A member proposes what it has signed: first it hears what its text means. */
  Result<ProposeResponse> proposeSigned(String agent, String verdict, String text, SignerKey key) {
    ProposeRequest.Builder plain = Council.proposal(round, agent, verdict, text);
    return calls
        .propose(plain.clone().setPrepare(true).build())
        .then(prepared -> {
          if (prepared.getResult().equals("repeated")) {
            return Result.done(prepared); // it had been taken, and only the answer was lost
          }
          Meaning meaning =
              new Meaning.Vector(
                  QuantVector.ofBytes(prepared.getVector().toByteArray()).orElseThrow());
          RoundEntry.ProposalStatement statement =
              RoundEntry.ProposalStatement.of(
                  new RoundId(round, 1), agent, verdict, Digest.of(text), meaning);
          return calls.propose(plain.setSignature(bytes(statement.sign(key))).build());
        });
  }

  /** A member signs the outcome that it works out from what stands on the ledger. */
  Result<Round> sign(String agent, SignerKey key) {
    String text = OutcomeNote.text(OutcomeNote.outcome(last()).orElseThrow());
    return calls.sign(
        SignOutcomeRequest.newBuilder()
            .setRound(round)
            .setEpoch(1)
            .setAgent(agent)
            .setDocumentSha256(Council.sha256(text))
            .setSignature(bytes(Note.sign(text, key).signatures().getFirst().base64()))
            .build());
  }

  private static ByteString bytes(String base64) {
    return ByteString.copyFrom(Base64.getDecoder().decode(base64));
  }

  RoundRecord record() throws IOException {
    view.catchUp();
    return last();
  }

  /** The round, as read last. */
  RoundRecord last() {
    return view.read(state -> state.round(round)).orElseThrow();
  }

  /** The round; one that has not ended while the ledger is away. */
  Round round() {
    Result<Round> attempt = calls.get(GetRoundRequest.newBuilder().setRound(round).build());
    return RoundCrashTest.isDoneOrAway(attempt)
        ? RoundCrashTest.done(attempt)
        : Round.getDefaultInstance();
  }

  @Override
  public void close() {
    rounds.close();
    port.close();
  }
}
