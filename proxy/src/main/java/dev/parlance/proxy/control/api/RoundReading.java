package dev.parlance.proxy.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.proto.v1.Round;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.wire.api.RoundStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Reads what the control plane says of rounds. How a round ended is taken from the signed outcome
 * alone, so that nobody between the two can say otherwise.
 */
final class RoundReading {
  private static final int SHA256_BYTES = 32;

  private final List<VerifierKey> keys;

  /**
   * A reader.
   *
   * @param keys keys whose signature counts
   */
  RoundReading(List<VerifierKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /** The round that was asked for, or why what came is not to be believed. */
  Rounds.Reply read(RoundId asked, Round round) {
    if (!round.getRound().equals(asked.round()) || round.getEpoch() != asked.epoch()) {
      return unbelievable("the control plane answered about another round");
    }
    Optional<RoundState.Status> state =
        Arrays.stream(RoundState.Status.values())
            .filter(one -> one.code().equals(round.getState()))
            .findFirst();
    if (state.isEmpty()) {
      return unbelievable("the control plane named a state that there is not");
    }
    return switch (state.get()) {
      case OPEN, COLLECTING, SEALED ->
          new Rounds.Known(
              new RoundStatus(
                  asked, round.getState(), Math.max(0, round.getLeftMs()), Optional.empty()),
              hex(round.getSubjectSha256()));
      case DECIDED, EXPIRED -> ended(asked, round);
    };
  }

  private Rounds.Reply ended(RoundId asked, Round round) {
    ByteString note = round.getResult().getNote();
    Optional<Rounds.Known> known =
        note.size() > OutcomeNote.MAX_BYTES
            ? Optional.empty()
            : noted(note.toString(StandardCharsets.UTF_8), round.getState());
    return known.isPresent() && known.get().status().id().equals(asked)
        ? known.get()
        : unbelievable("the outcome is not signed with a known key");
  }

  /** What a signed outcome says; empty if it cannot be believed. */
  Optional<Rounds.Known> noted(String note) {
    return noted(note, RoundState.Status.DECIDED.code());
  }

  private Optional<Rounds.Known> noted(String note, String state) {
    byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > OutcomeNote.MAX_BYTES) {
      return Optional.empty();
    }
    return switch (OutcomeNote.read(bytes, keys)) {
      case OutcomeReading.Good(RoundOutcome outcome, String _) ->
          Optional.of(
              new Rounds.Known(
                  new RoundStatus(
                      outcome.id(),
                      state,
                      0,
                      Optional.of(
                          new RoundStatus.Ended(
                              outcome.kind(),
                              outcome.reason(),
                              outcome.verdict(),
                              outcome.digest(),
                              note))),
                  outcome.subjectSha256()));
      case OutcomeReading.Refused _ -> Optional.empty();
    };
  }

  private static Optional<String> hex(ByteString digest) {
    return digest.size() == SHA256_BYTES
        ? Optional.of(HexFormat.of().formatHex(digest.toByteArray()))
        : Optional.empty();
  }

  private static Rounds.Unavailable unbelievable(String detail) {
    return new Rounds.Unavailable(detail);
  }
}
