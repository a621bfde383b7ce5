package dev.parlance.policy.commit;

import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The signatures of members under one outcome, as a state machine without clock. An outcome is
 * final once 2f+1 members have signed it: at least f+1 honest ones have recomputed it, and any two
 * such sets have an honest member in common, so there are no two final outcomes of one epoch.
 *
 * <pre>
 * state       this outcome, first         this outcome, again  another outcome          fault
 * collecting  counted; 2f+1 have: to      repeated             contradicted: neither    refused
 *             final, finished                                  of the member's counts
 * final       counted                     repeated             contradicted; it stays   refused
 *                                                              final
 * </pre>
 *
 * A signature is checked in this order: of no member ({@code not_a_member}), of a key that is not
 * the member's ({@code key_unknown}), one that does not hold ({@code signature_wrong}), of a member
 * that has signed two outcomes ({@code contradicted}). Nothing is late: a signature that comes
 * behind the 2f+1st one is one more. A member that signs nothing withholds, and no more than f of
 * them keep an outcome from being final.
 *
 * @param spec constants of the round
 * @param documentSha256 hex SHA-256 of the outcome that is signed
 * @param said by member, the outcome that it has signed first, while it has signed no other one
 * @param contradicted members that have signed two outcomes, in order
 * @param status final stays final
 */
public record CertificateState(
    RoundSpec spec,
    String documentSha256,
    SortedMap<String, String> said,
    List<String> contradicted,
    Status status) {
  /** The states of a certificate. */
  public enum Status implements Coded {
    /** Fewer than 2f+1 members have signed. */
    COLLECTING,
    /** At least 2f+1 members have. */
    FINAL
  }

  /** What the signature of a member came to where it was checked. */
  public enum SignatureCheck {
    /** It is of a key of the member, and holds. */
    HOLDS,
    /** No key of the member is known that it could be of. */
    NO_KEY,
    /** It does not hold. */
    WRONG
  }

  /** Why a signature counts for nothing. The codes are stable. */
  public enum SignatureRefusal implements Coded {
    /** The signer is no member. */
    NOT_A_MEMBER,
    /** It is of no key that was the member's when the round was opened. */
    KEY_UNKNOWN,
    /** It does not hold. */
    SIGNATURE_WRONG,
    /** The member has signed two outcomes; a third one adds nothing. */
    CONTRADICTED
  }

  /** A member signs an outcome. */
  public record Signed(String member, String documentSha256, SignatureCheck check) {}

  /** What a signature did. */
  public sealed interface Effect {
    /** It is one more. */
    record Counted() implements Effect {}

    /** It is the one that makes the outcome final. */
    record Finished() implements Effect {}

    /** The member has signed this before. */
    record Repeated() implements Effect {}

    /** The member has signed another outcome: proof against it. */
    record Contradicted(String firstSha256, String secondSha256) implements Effect {}

    /** It counts for nothing. */
    record Refused(SignatureRefusal reason) implements Effect {}
  }

  /** Where a signature leads. */
  public record Step(CertificateState next, Effect effect) {}

  /** Copies the collections. */
  public CertificateState {
    said = Collections.unmodifiableSortedMap(new TreeMap<>(said));
    contradicted = List.copyOf(contradicted);
  }

  /** Nobody has signed yet. */
  public static CertificateState of(RoundSpec spec, String documentSha256) {
    return new CertificateState(
        spec, documentSha256, new TreeMap<>(), List.of(), Status.COLLECTING);
  }

  /** How many signatures make an outcome final: 2f+1. */
  public static long quorum(int faults) {
    return 2L * faults + 1;
  }

  /** What a signature leads to, see the table. */
  public Step step(Signed signed) {
    Optional<SignatureRefusal> refusal = refusal(signed);
    if (refusal.isPresent()) {
      return new Step(this, new Effect.Refused(refusal.get()));
    }
    Optional<String> before = Optional.ofNullable(said.get(signed.member()));
    if (before.isEmpty()) {
      return first(signed);
    }
    if (before.get().equals(signed.documentSha256())) {
      return new Step(this, new Effect.Repeated());
    }
    SortedMap<String, String> others = new TreeMap<>(said);
    others.remove(signed.member());
    List<String> more = new ArrayList<>(contradicted);
    more.add(signed.member());
    return new Step(
        new CertificateState(spec, documentSha256, others, more, status),
        new Effect.Contradicted(before.get(), signed.documentSha256()));
  }

  private Optional<SignatureRefusal> refusal(Signed signed) {
    if (!spec.members().contains(signed.member())) {
      return Optional.of(SignatureRefusal.NOT_A_MEMBER);
    }
    return switch (signed.check()) {
      case NO_KEY -> Optional.of(SignatureRefusal.KEY_UNKNOWN);
      case WRONG -> Optional.of(SignatureRefusal.SIGNATURE_WRONG);
      case HOLDS ->
          contradicted.contains(signed.member())
              ? Optional.of(SignatureRefusal.CONTRADICTED)
              : Optional.empty();
    };
  }

  private Step first(Signed signed) {
    SortedMap<String, String> more = new TreeMap<>(said);
    more.put(signed.member(), signed.documentSha256());
    CertificateState next = new CertificateState(spec, documentSha256, more, contradicted, status);
    if (status == Status.COLLECTING && next.signers().size() >= quorum(spec.faults())) {
      return new Step(
          new CertificateState(spec, documentSha256, more, contradicted, Status.FINAL),
          new Effect.Finished());
    }
    return new Step(next, new Effect.Counted());
  }

  /** Members that have signed this outcome and no other one, in byte order. */
  public List<String> signers() {
    return said.entrySet().stream()
        .filter(entry -> entry.getValue().equals(documentSha256))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Members that have not, in the order of the round. */
  public List<String> withheld() {
    List<String> signers = signers();
    return spec.members().stream().filter(member -> !signers.contains(member)).toList();
  }
}
