package dev.parlance.control.round;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.parlance.control.embed.EncoderFault;
import dev.parlance.control.embed.EncoderInfo;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundResult;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rounds as they are shown. */
final class RoundViews {
  private static final String COUNTED = "counted";

  private static final int NOTES = 1_000;

  private final SignerKey noteKey;
  private final RoundHistory history;

  /** Notes signed last, by round: everybody who waits for a round asks for the same one. */
  private final Map<RoundId, byte[]> notes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RoundId, byte[]> eldest) {
          return size() > NOTES;
        }
      };

  RoundViews(SignerKey noteKey, RoundHistory history) {
    this.noteKey = noteKey;
    this.history = history;
  }

  /** A round in a list: without its proposals and without the signed outcome. */
  Round summary(RoundRecord record, long nowMs) {
    Round.Builder round = bare(record, nowMs);
    record.outcome().ifPresent(outcome -> round.setResult(result(record, outcome)));
    return round.build();
  }

  /**
   * A round. While it is not over nobody learns here what others have proposed.
   *
   * @param texts words of proposals by digest, for those who may read them
   */
  Round whole(RoundRecord known, Map<String, String> texts, long nowMs) {
    RoundRecord record = history.whole(known);
    Round.Builder round = bare(record, nowMs);
    Optional<Outcome> outcome = record.outcome();
    if (outcome.isPresent() || !texts.isEmpty()) {
      record.proposals().forEach(one -> round.addProposals(proposal(one, outcome, texts)));
    } else {
      proposers(record)
          .forEach(agent -> round.addProposals(RoundProposal.newBuilder().setAgent(agent)));
    }
    outcome.ifPresent(one -> {
      RoundResult.Builder result = result(record, one);
      OutcomeNote.outcome(record)
          .ifPresent(document -> result.setNote(UnsafeByteOperations.unsafeWrap(note(document))));
      round.setResult(result);
    });
    return round.build();
  }

  private byte[] note(RoundOutcome document) {
    synchronized (notes) {
      byte[] known = notes.get(document.id());
      if (known != null) {
        return known;
      }
    }
    byte[] signed = OutcomeNote.sign(document, noteKey);
    synchronized (notes) {
      notes.put(document.id(), signed);
    }
    return signed;
  }

  private static Round.Builder bare(RoundRecord record, long nowMs) {
    RoundEntry.Opened opened = record.opened();
    RoundSpec spec = opened.spec();
    return Round.newBuilder()
        .setRound(record.id().round())
        .setEpoch(record.id().epoch())
        .setState(record.state().status().code())
        .addAllMembers(spec.members())
        .setFaults(spec.faults())
        .setEncoder(spec.encoding().encoder())
        .setDim(spec.encoding().dim())
        .setCosMin(spec.encoding().cosMin())
        .setExtraMargin(spec.extraMargin())
        .setStrictSemantic(!spec.verdictFallback())
        .setSubjectSha256(opened.subjectSha256().map(RoundViews::bytes).orElse(ByteString.EMPTY))
        .setOpenedAtMs(opened.atMs())
        .setDeadlineAtMs(opened.deadlineMs())
        .setProposed(proposed(record))
        .setLeftMs(record.sealed().isPresent() ? 0 : Math.max(0, opened.deadlineMs() - nowMs));
  }

  /** How many have proposed; where the proposals are no longer kept the outcome says it. */
  private static int proposed(RoundRecord record) {
    return record.isWhole()
        ? proposers(record).size()
        : record
            .outcome()
            .map(outcome -> outcome.count().delivered() + outcome.dropped().size())
            .orElse(0);
  }

  private static List<String> proposers(RoundRecord record) {
    return record.proposals().stream().map(RoundEntry.Proposed::agent).distinct().toList();
  }

  private static RoundProposal.Builder proposal(
      RoundEntry.Proposed entry, Optional<Outcome> outcome, Map<String, String> texts) {
    RoundProposal.Builder proposal =
        RoundProposal.newBuilder()
            .setAgent(entry.agent())
            .setVerdict(entry.verdict())
            .setTextSha256(bytes(entry.textSha256()))
            .setText(Optional.ofNullable(texts.get(entry.textSha256())).orElse(""))
            .setMeaning(RoundTexts.code(entry.meaning()));
    if (entry.meaning() instanceof Meaning.Vector(QuantVector vector)) {
      proposal.setVector(UnsafeByteOperations.unsafeWrap(vector.toBytes()));
    }
    outcome.ifPresent(one -> proposal.setStanding(standing(entry.agent(), one)));
    return proposal;
  }

  private static String standing(String agent, Outcome outcome) {
    return outcome.dropped().stream()
        .filter(drop -> drop.agent().equals(agent))
        .map(drop -> drop.reason().code())
        .findFirst()
        .orElse(COUNTED);
  }

  private RoundResult.Builder result(RoundRecord record, Outcome outcome) {
    RoundResult.Builder result =
        RoundResult.newBuilder()
            .setOutcome(outcome.kind())
            .setDelivered(outcome.count().delivered())
            .setSupport(outcome.count().support())
            .setRunnerUp(outcome.count().runnerUp())
            .setLedgerIndex(history.endOf(record));
    OutcomeNote.outcome(record).map(RoundOutcome::decidedAtMs).ifPresent(result::setDecidedAtMs);
    switch (outcome) {
      case Outcome.SemanticCommit commit ->
          result
              .setVerdict(commit.verdict())
              .addAllCore(commit.core())
              .setMinCos(commit.minCos())
              .setDigest(bytes(commit.digest()));
      case Outcome.VerdictCommit commit ->
          result
              .setVerdict(commit.verdict())
              .addAllCore(commit.core())
              .setDigest(bytes(commit.digest()));
      case Outcome.Abort abort -> result.setReason(abort.reason().code());
    }
    return result;
  }

  /** An encoder as it is shown. */
  static Encoder encoder(EncoderStatus status) {
    return switch (status) {
      case EncoderStatus.Ready(EncoderInfo info) -> {
        Encoder.Builder encoder =
            Encoder.newBuilder()
                .setState("ready")
                .setId(info.id())
                .setDim(info.dim())
                .setManifestSha256(bytes(info.manifestSha256()));
        info.cosMin().ifPresent(encoder::setCosMin);
        yield encoder.build();
      }
      case EncoderStatus.Off() -> Encoder.newBuilder().setState("off").build();
      case EncoderStatus.Failed(EncoderFault fault, String detail) ->
          Encoder.newBuilder().setState("failed").setFault(fault.code()).setDetail(detail).build();
    };
  }

  private static ByteString bytes(String hex) {
    return UnsafeByteOperations.unsafeWrap(HexFormat.of().parseHex(hex));
  }
}
