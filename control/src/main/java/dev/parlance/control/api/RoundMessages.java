package dev.parlance.control.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.control.round.RoundCoordinator;
import dev.parlance.control.round.RoundSnapshot;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.onnx.ModelFault;
import dev.parlance.policy.commit.ListComparer;
import dev.parlance.policy.commit.ListedClaims;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.text.Coded;
import dev.parlance.proto.v1.ClaimCarrier;
import dev.parlance.proto.v1.CommonClaim;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.MemberKey;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundDifference;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundResult;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rounds and encoders as protobuf messages. */
final class RoundMessages {
  private static final String COUNTED = "counted";

  private RoundMessages() {}

  /** A round. While it is not over nobody learns here what others have proposed. */
  static Round of(RoundSnapshot view) {
    Round.Builder round = bare(view.record(), view.nowMs());
    Optional<Outcome> outcome = view.record().outcome();
    if (!view.isSummary()) {
      if (outcome.isPresent() || !view.texts().isEmpty()) {
        view.record()
            .proposals()
            .forEach(one -> round.addProposals(proposal(one, outcome, view.texts())));
      } else {
        proposers(view.record())
            .forEach(agent -> round.addProposals(RoundProposal.newBuilder().setAgent(agent)));
      }
    }
    outcome.ifPresent(one -> round.setResult(result(view, one)));
    return round.build();
  }

  /** What came of a proposal. */
  static ProposeResponse of(RoundCoordinator.Proposed proposed) {
    ProposeResponse.Builder response =
        ProposeResponse.newBuilder().setResult(proposed.result()).setRound(of(proposed.round()));
    proposed
        .prepared()
        .ifPresent(meaning -> {
          response.setMeaning(meaning.code());
          if (meaning instanceof Meaning.Vector(QuantVector vector)) {
            response.setVector(UnsafeByteOperations.unsafeWrap(vector.toBytes()));
          }
        });
    return response.build();
  }

  private static Round.Builder bare(RoundRecord record, long nowMs) {
    RoundEntry.Opened opened = record.opened();
    RoundSpec spec = opened.spec();
    Round.Builder round = Round.newBuilder();
    opened.subjectSha256().map(RoundMessages::bytes).ifPresent(round::setSubjectSha256);
    opened.encoderSha256().map(RoundMessages::bytes).ifPresent(round::setEncoderSha256);
    opened.readerSha256().map(RoundMessages::bytes).ifPresent(round::setReaderSha256);
    opened.signatures().map(Coded::code).ifPresent(round::setSignatures);
    for (String member : spec.members()) {
      record
          .signatures()
          .keysOf(member)
          .forEach(key ->
              round.addMemberKeys(MemberKey.newBuilder().setAgent(member).setVkey(key.format())));
    }
    return round
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
        .setAgreement(spec.agreement().code())
        .addAllDifferences(
            record.state().compared().differences().stream()
                .map(one ->
                    RoundDifference.newBuilder()
                        .setFirst(one.first())
                        .setSecond(one.second())
                        .setKind(one.kind())
                        .build())
                .toList())
        .setListed(record.state().compared().listed().text())
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
            .setMeaning(entry.meaning().code());
    Optional.ofNullable(texts.get(entry.textSha256())).ifPresent(proposal::setText);
    if (entry.meaning() instanceof Meaning.Vector(QuantVector vector)) {
      proposal.setVector(UnsafeByteOperations.unsafeWrap(vector.toBytes()));
    }
    entry.signature().map(RoundMessages::base64).ifPresent(proposal::setSignature);
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

  private static RoundResult.Builder result(RoundSnapshot view, Outcome outcome) {
    RoundResult.Builder result =
        RoundResult.newBuilder()
            .setOutcome(outcome.kind())
            .setDelivered(outcome.count().delivered())
            .setSupport(outcome.count().support())
            .setRunnerUp(outcome.count().runnerUp())
            .setLedgerIndex(view.endIndex());
    RoundRecord record = view.record();
    result.setFinal(record.isFinal());
    record.signing().map(Coded::code).ifPresent(result::setSignatures);
    record
        .signatures()
        .certificate()
        .ifPresent(certificate ->
            result.addAllSigners(certificate.signers()).addAllWithheld(certificate.withheld()));
    view.note().ifPresent(note -> result.setNote(UnsafeByteOperations.unsafeWrap(note)));
    OutcomeNote.outcome(view.record())
        .map(RoundOutcome::decidedAtMs)
        .ifPresent(result::setDecidedAtMs);
    switch (outcome) {
      case Outcome.SemanticCommit commit ->
          result
              .setVerdict(commit.verdict())
              .addAllCore(commit.core())
              .setMinCos(commit.minCos())
              .addAllClaims(claims(commit, view))
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

  private static List<CommonClaim> claims(Outcome.SemanticCommit commit, RoundSnapshot view) {
    return commit.claims().stream()
        .map(claim ->
            CommonClaim.newBuilder()
                .addAllCarriers(claim.carriers().stream().map(one -> carrier(one, view)).toList())
                .build())
        .toList();
  }

  private static ClaimCarrier carrier(ListedClaims.Claim claim, RoundSnapshot view) {
    ClaimCarrier.Builder carrier =
        ClaimCarrier.newBuilder()
            .setAgent(claim.agent())
            .setNumber(claim.number())
            .setSha256(bytes(claim.sha256()));
    view.record().proposals().stream()
        .filter(one -> one.agent().equals(claim.agent()))
        .flatMap(one -> Optional.ofNullable(view.texts().get(one.textSha256())).stream())
        .map(ListComparer::items)
        .filter(items -> items.size() >= claim.number())
        .findFirst()
        .ifPresent(items -> carrier.setText(items.get(claim.number() - 1)));
    return carrier.build();
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
      case EncoderStatus.Failed(ModelFault fault, String detail) ->
          Encoder.newBuilder().setState("failed").setFault(fault.code()).setDetail(detail).build();
    };
  }

  private static ByteString base64(String text) {
    return UnsafeByteOperations.unsafeWrap(Base64.getDecoder().decode(text));
  }

  private static ByteString bytes(String hex) {
    return UnsafeByteOperations.unsafeWrap(HexFormat.of().parseHex(hex));
  }
}
