package dev.parlance.ledger.record;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.RoundOutcome.Signing;
import dev.parlance.policy.commit.CertificateState;
import dev.parlance.policy.commit.CertificateState.SignatureCheck;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the ledger says of one epoch of a round. Immutable.
 *
 * @param opened its opening
 * @param openedAt index of that entry
 * @param state where it stands
 * @param proposals the entries that were taken (counted, or kept as evidence of an equivocation);
 *     those of rounds that ended long ago are not kept, nor are the state's ({@link #isWhole})
 * @param sealed the first seal
 * @param decided the first decision, which an expired round has none of
 * @param decidedAt its index
 * @param signatures what members have signed
 */
public record RoundRecord(
    RoundEntry.Opened opened,
    long openedAt,
    RoundState state,
    List<RoundEntry.Proposed> proposals,
    Optional<RoundEntry.Sealed> sealed,
    Optional<RoundEntry.Decided> decided,
    Optional<Long> decidedAt,
    RoundSignatures signatures) {
  /** Copies the list. */
  public RoundRecord {
    proposals = List.copyOf(proposals);
  }

  /** Which round and epoch. */
  public RoundId id() {
    return opened.id();
  }

  /** The outcome, once it is on the ledger (an expired round's: once it is sealed). */
  public Optional<Outcome> outcome() {
    return state.outcome();
  }

  /** Whose word the outcome is, once it is sealed; empty where nobody signs. */
  public Optional<RoundOutcome.Signing> signing() {
    return signatures.signing();
  }

  /**
   * Where a signature under its outcome leads; empty if it has no outcome, or none that its members
   * answer for.
   */
  public Optional<CertificateState.Step> step(RoundEntry.Signed signed) {
    return OutcomeNote.outcome(this)
        .map(OutcomeNote::text)
        .flatMap(text -> signatures.step(text, signed));
  }

  /**
   * True once it has ended, and a commit that is its members' word once 2f+1 of them have signed
   * it.
   */
  public boolean isFinal() {
    return outcome().isPresent()
        && (outcome().get() instanceof Outcome.Abort || signatures.isFinal());
  }

  /** When it ended, milliseconds since the epoch: when it was decided, or sealed if it expired. */
  public Optional<Long> endedAtMs() {
    return state.status() == RoundState.Status.EXPIRED
        ? sealed.map(RoundEntry.Sealed::atMs)
        : decided.map(RoundEntry.Decided::atMs);
  }

  /** False if the proposals are no longer kept; they stand on the ledger behind the opening. */
  public boolean isWhole() {
    return switch (state.status()) {
      case OPEN, COLLECTING, SEALED, EXPIRED -> true;
      case DECIDED -> !proposals.isEmpty();
    };
  }

  RoundRecord taken(RoundState next, RoundEntry.Proposed proposed) {
    List<RoundEntry.Proposed> more = new ArrayList<>(proposals);
    more.add(proposed);
    return new RoundRecord(opened, openedAt, next, more, sealed, decided, decidedAt, signatures);
  }

  RoundRecord sealed(RoundState next, RoundEntry.Sealed seal) {
    return new RoundRecord(
        opened,
        openedAt,
        next,
        proposals,
        Optional.of(seal),
        decided,
        decidedAt,
        signatures.sealed(opened, proposals));
  }

  RoundRecord decided(RoundState next, long index, RoundEntry.Decided decision) {
    RoundRecord ended =
        new RoundRecord(
            opened,
            openedAt,
            next,
            proposals,
            sealed,
            Optional.of(decision),
            Optional.of(index),
            signatures);
    String documentSha256 =
        OutcomeNote.outcome(ended).map(OutcomeNote::documentSha256).orElseThrow();
    return ended.with(signatures.decided(opened, documentSha256));
  }

  RoundRecord with(RoundSignatures more) {
    return new RoundRecord(opened, openedAt, state, proposals, sealed, decided, decidedAt, more);
  }

  /** The same with its proposals, where they were not kept. */
  public RoundRecord whole(RoundState state, List<RoundEntry.Proposed> proposals) {
    return new RoundRecord(
        opened, openedAt, state, proposals, sealed, decided, decidedAt, signatures);
  }

  RoundRecord withoutProposals() {
    return whole(
        new RoundState(
            state.id(), state.spec(), state.status(), List.of(), state.compared(), state.outcome()),
        List.of());
  }

  /**
   * What members have signed in one epoch of a round. Immutable.
   *
   * @param keys by member, its keys when the round was opened: one that came later counts for
   *     nothing here
   * @param signing whose word the outcome is, once it is sealed
   * @param certificate the signatures under the outcome, once it is decided and is the members'
   *     word
   * @param lines the entries that were counted, in order
   */
  public record RoundSignatures(
      Map<String, List<VerifierKey>> keys,
      Optional<Signing> signing,
      Optional<CertificateState> certificate,
      List<RoundEntry.Signed> lines) {
    /** Copies the collections. */
    public RoundSignatures {
      keys = Map.copyOf(keys);
      lines = List.copyOf(lines);
    }

    static RoundSignatures opened(Map<String, List<VerifierKey>> keys) {
      return new RoundSignatures(keys, Optional.empty(), Optional.empty(), List.of());
    }

    /** The keys of a member; none for one without, and for strangers. */
    public List<VerifierKey> keysOf(String member) {
      return keys.getOrDefault(member, List.of());
    }

    RoundSignatures sealed(RoundEntry.Opened opened, List<RoundEntry.Proposed> proposals) {
      return new RoundSignatures(
          keys,
          signing(
              opened,
              member ->
                  proposals.stream()
                      .filter(one -> one.agent().equals(member))
                      .map(RoundEntry.Proposed::signature)
                      .toList()),
          certificate,
          lines);
    }

    /**
     * Whose word an outcome is. Members count as signers if all that was taken of them is signed.
     *
     * @param taken of each proposal that was taken of a member, its signature
     */
    static Optional<Signing> signing(
        RoundEntry.Opened opened, Function<String, List<Optional<String>>> taken) {
      return opened
          .signatures()
          .map(_ -> {
            long signers =
                opened.spec().members().stream()
                    .filter(member -> isSigner(taken.apply(member)))
                    .count();
            return signers >= CertificateState.quorum(opened.spec().faults())
                ? Signing.MEMBERS
                : Signing.UNSIGNED;
          });
    }

    private static boolean isSigner(List<Optional<String>> taken) {
      return !taken.isEmpty() && taken.stream().allMatch(Optional::isPresent);
    }

    RoundSignatures decided(RoundEntry.Opened opened, String documentSha256) {
      return new RoundSignatures(
          keys,
          signing,
          signing
              .filter(Signing.MEMBERS::equals)
              .map(_ -> CertificateState.of(opened.spec(), documentSha256)),
          lines);
    }

    /** Where a signature under the outcome leads; empty if none is asked for. */
    Optional<CertificateState.Step> step(String outcomeText, RoundEntry.Signed signed) {
      return certificate.map(state ->
          state.step(
              new CertificateState.Signed(
                  signed.agent(),
                  signed.documentSha256(),
                  check(outcomeText, signed.agent(), signed.signature()))));
    }

    RoundSignatures with(CertificateState next, RoundEntry.Signed signed) {
      List<RoundEntry.Signed> more = new ArrayList<>(lines);
      more.add(signed);
      return new RoundSignatures(keys, signing, Optional.of(next), more);
    }

    /** What a member's signature on a text comes to. */
    public SignatureCheck check(String text, String member, String signature) {
      Optional<NoteSignature> line = NoteSignature.of(member, signature);
      List<VerifierKey> claimed =
          keysOf(member).stream().filter(key -> line.filter(key::claims).isPresent()).toList();
      if (claimed.isEmpty()) {
        return SignatureCheck.NO_KEY;
      }
      return claimed.stream().anyMatch(key -> key.verifies(text, line.orElseThrow()))
          ? SignatureCheck.HOLDS
          : SignatureCheck.WRONG;
    }

    /**
     * A note with lines of members behind those that it has, by member in byte order: the first
     * 2f+1 that were counted, so that a final outcome has one certificate, wherever it is asked
     * for.
     */
    public Note on(Note note) {
      Note all = note;
      long quorum =
          certificate.map(state -> CertificateState.quorum(state.spec().faults())).orElse(0L);
      for (RoundEntry.Signed signed :
          lines.stream()
              .limit(quorum)
              .sorted(Comparator.comparing(RoundEntry.Signed::agent))
              .toList()) {
        all = all.with(NoteSignature.of(signed.agent(), signed.signature()).orElseThrow());
      }
      return all;
    }

    /** True unless the outcome is the members' word and fewer than 2f+1 of them have signed it. */
    public boolean isFinal() {
      return signing.filter(Signing.MEMBERS::equals).isEmpty()
          || certificate
              .filter(state -> state.status() == CertificateState.Status.FINAL)
              .isPresent();
    }
  }
}
