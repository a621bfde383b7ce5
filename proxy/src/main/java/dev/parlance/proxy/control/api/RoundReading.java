package dev.parlance.proxy.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.ledger.round.OutcomeCertificate;
import dev.parlance.ledger.round.RecomputedOutcome;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.ListedClaims;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.policy.commit.TextComparison;
import dev.parlance.policy.text.Coded;
import dev.parlance.proto.v1.Round;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.wire.api.RoundStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads what the control plane says of rounds. How a round ended is taken from the signed outcome
 * alone, so that nobody between the two can say otherwise.
 */
final class RoundReading {
  private static final int SHA256_BYTES = 32;

  private final List<VerifierKey> keys;
  private final Supplier<RoundTrust> trust;

  /**
   * Whom a sidecar believes an outcome.
   *
   * @param rule whether the signatures of members are asked for always, or where the outcome is
   *     said to be their word
   * @param pinned keys of members from the configuration, and how many of them may be faulty
   */
  record RoundTrust(SignatureRule rule, MemberKeys pinned) {
    /** The control plane's word counts. */
    static final RoundTrust OFFERED = new RoundTrust(SignatureRule.OFFERED, MemberKeys.OF_LEDGER);
  }

  /**
   * A reader.
   *
   * @param keys keys whose signature counts
   * @param trust asked at each reading
   */
  RoundReading(List<VerifierKey> keys, Supplier<RoundTrust> trust) {
    this.keys = List.copyOf(keys);
    this.trust = trust;
  }

  /** The signed outcome of a round as a document. */
  OutcomeReading document(Round round) {
    return OutcomeNote.read(round.getResult().getNote().toByteArray(), keys);
  }

  /**
   * The opening of a round as it is told.
   *
   * @throws IllegalArgumentException where it is none
   */
  static RoundEntry.Opened opened(RoundId id, Round round) {
    return new RoundEntry.Opened(
        id,
        new RoundSpec(
            id.bound(),
            round.getFaults(),
            round.getMembersList(),
            new Encoding(round.getEncoder(), round.getDim(), round.getCosMin()),
            round.getExtraMargin(),
            !round.getStrictSemantic(),
            Coded.find(Agreement.values(), round.getAgreement()).orElse(Agreement.VECTORS)),
        hex(round.getEncoderSha256()),
        hex(round.getSubjectSha256()),
        Coded.find(SignatureRule.values(), round.getSignatures()),
        round.getDeadlineAtMs(),
        round.getOpenedAtMs());
  }

  /**
   * The proposals of a round that has ended.
   *
   * @throws IllegalArgumentException where one is none
   */
  static List<RecomputedOutcome.Shown> shown(Round round) {
    return round.getProposalsList().stream()
        .map(one ->
            new RecomputedOutcome.Shown(
                new Proposal(
                    one.getAgent(),
                    one.getVerdict(),
                    hex(one.getTextSha256()).orElse(""),
                    meaning(one.getMeaning(), one.getVector())),
                Optional.of(one.getSignature())
                    .filter(bytes -> !bytes.isEmpty())
                    .map(bytes -> Base64.getEncoder().encodeToString(bytes.toByteArray()))))
        .toList();
  }

  /**
   * What the seal is told to say of the texts.
   *
   * @throws IllegalArgumentException where it says what no seal says
   */
  static TextComparison compared(Round round) {
    return new TextComparison(
        round.getDifferencesList().stream()
            .map(one -> new CriticalDifference(one.getFirst(), one.getSecond(), one.getKind()))
            .toList(),
        ListedClaims.parse(round.getListed()));
  }

  /** A meaning as it is told. */
  static Meaning meaning(String code, ByteString vector) {
    return switch (code) {
      case "vector" ->
          QuantVector.ofBytes(vector.toByteArray())
              .<Meaning>map(Meaning.Vector::new)
              .orElse(Meaning.MALFORMED);
      case "unencoded" -> Meaning.UNENCODED;
      default -> Meaning.MALFORMED;
    };
  }

  /** The keys of a member that the control plane names. */
  static List<VerifierKey> keysOf(String member, Round round) {
    return round.getMemberKeysList().stream()
        .filter(key -> key.getAgent().equals(member))
        .flatMap(key -> VerifierKey.parse(key.getVkey()).value().stream())
        .filter(key -> key.name().equals(member) && key.type() == KeyType.ED25519)
        .toList();
  }

  /** Bytes of hex digits. */
  static ByteString bytes(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
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
            : noted(
                note.toString(StandardCharsets.UTF_8),
                round.getState(),
                member -> keysOf(member, round));
    return known.isPresent() && known.get().status().id().equals(asked)
        ? known.get()
        : unbelievable("the outcome is not signed with a known key");
  }

  /** What a signed outcome says; empty if it cannot be believed without asking. */
  Optional<Rounds.Known> noted(String note) {
    return noted(note, RoundState.Status.DECIDED.code(), _ -> List.of())
        .filter(known -> known.word() != Rounds.Word.NOBODY);
  }

  private Optional<Rounds.Known> noted(
      String note, String state, Function<String, List<VerifierKey>> told) {
    byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > OutcomeNote.MAX_BYTES) {
      return Optional.empty();
    }
    return switch (OutcomeNote.read(bytes, keys)) {
      case OutcomeReading.Good(RoundOutcome outcome, String _) -> {
        Rounds.Word word = word(outcome, bytes, told);
        Optional<RoundStatus.Ended> ended =
            word == Rounds.Word.NOBODY
                ? Optional.empty()
                : Optional.of(
                    new RoundStatus.Ended(
                        outcome.kind(),
                        outcome.reason(),
                        outcome.verdict(),
                        outcome.digest(),
                        note));
        yield Optional.of(
            new Rounds.Known(
                new RoundStatus(outcome.id(), state, 0, ended), outcome.subjectSha256(), word));
      }
      case OutcomeReading.Refused _ -> Optional.empty();
    };
  }

  /**
   * Whose word an outcome is. An abort binds nobody, and needs nobody's but the control plane's.
   */
  private Rounds.Word word(
      RoundOutcome outcome, byte[] note, Function<String, List<VerifierKey>> told) {
    RoundTrust now = trust.get();
    boolean isAsked = now.rule() == SignatureRule.REQUIRED || outcome.isOfMembers();
    if (!outcome.isCommit() || !isAsked) {
      return Rounds.Word.CONTROL_PLANE;
    }
    MemberKeys known =
        now.rule() == SignatureRule.REQUIRED ? now.pinned() : merged(outcome, now, told);
    return OutcomeCertificate.read(note, known) instanceof OutcomeCertificate.Reading.Final
        ? Rounds.Word.MEMBERS
        : Rounds.Word.NOBODY;
  }

  /** Keys from the configuration stand in place of those that the control plane names. */
  private static MemberKeys merged(
      RoundOutcome outcome, RoundTrust trust, Function<String, List<VerifierKey>> told) {
    Map<String, List<VerifierKey>> keys = new HashMap<>();
    for (String member : outcome.members()) {
      List<VerifierKey> pinned = trust.pinned().of(member);
      keys.put(member, pinned.isEmpty() ? told.apply(member) : pinned);
    }
    return new MemberKeys(keys, 0);
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
