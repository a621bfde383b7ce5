package dev.parlance.ledger.record;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.ledger.record.RoundRecord.RoundSignatures;
import dev.parlance.policy.commit.CertificateState;
import dev.parlance.policy.commit.CertificateState.SignatureRefusal;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.policy.commit.RoundState.RoundEvent;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Rounds as the order of their entries has them. The outcome is always the one that follows from
 * the proposals before the seal, never what a decision claims; the first decision ends the round.
 *
 * <p>Ended rounds keep their outcome for ever and their proposals while there is room: the newest
 * ones, with vectors of {@link #KEPT_BYTES} bytes.
 */
final class RoundLedger {
  /** Most bytes of vectors of ended rounds that are kept. */
  static final long KEPT_BYTES = 32 << 20;

  /** What a proposal takes beside its vector, about. */
  private static final long PROPOSAL_BYTES = 512;

  private final long keptBytes;
  private final Map<RoundId, RoundRecord> rounds = new HashMap<>();
  private final Map<String, RoundId> newest = new HashMap<>();
  private final List<RoundId> order = new ArrayList<>();
  private final Set<RoundId> unfinished = new LinkedHashSet<>();
  private final ArrayDeque<RoundId> whole = new ArrayDeque<>();
  private long wholeBytes;

  RoundLedger() {
    this(KEPT_BYTES);
  }

  RoundLedger(long keptBytes) {
    this.keptBytes = keptBytes;
  }

  // ---- questions ----

  Optional<RoundRecord> of(RoundId id) {
    return Optional.ofNullable(rounds.get(id));
  }

  Optional<RoundRecord> newest(String name) {
    return Optional.ofNullable(newest.get(name)).flatMap(this::of);
  }

  List<RoundRecord> unfinished() {
    return unfinished.stream().map(id -> of(id).orElseThrow()).toList();
  }

  List<RoundRecord> last(int limit) {
    List<RoundRecord> last = new ArrayList<>();
    for (int i = order.size() - 1; i >= 0 && last.size() < limit; i--) {
      last.add(of(order.get(i)).orElseThrow());
    }
    return last;
  }

  // ---- entries ----

  /**
   * Takes an entry in.
   *
   * @param keys the keys that a party has at this place
   */
  Applied apply(long index, RoundEntry entry, Function<String, List<VerifierKey>> keys) {
    if (entry instanceof RoundEntry.Opened opened) {
      return opened(index, opened, keys);
    }
    RoundRecord round = rounds.get(entry.id());
    if (round == null) {
      return Applied.ignored(Cause.ROUND_UNKNOWN);
    }
    return switch (entry) {
      case RoundEntry.Proposed proposed -> proposed(round, proposed);
      case RoundEntry.Sealed sealed -> sealed(round, sealed);
      case RoundEntry.Decided decided -> decided(index, round, decided);
      case RoundEntry.Signed signed -> signed(round, signed);
      case RoundEntry.Opened _ -> throw new IllegalStateException("taken in above");
    };
  }

  private Applied opened(
      long index, RoundEntry.Opened opened, Function<String, List<VerifierKey>> keys) {
    RoundId id = opened.id();
    RoundRecord known = rounds.get(id);
    if (known != null) {
      return Applied.ignored(isSame(known.opened(), opened) ? Cause.DUPLICATE : Cause.ROUND_EXISTS);
    }
    if (!isDue(id)) {
      return Applied.ignored(Cause.EPOCH_NOT_DUE);
    }
    RoundState state = RoundState.open(id, opened.spec());
    rounds.put(
        id,
        new RoundRecord(
            opened,
            index,
            state,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RoundSignatures.opened(keys(opened, keys))));
    newest.put(id.round(), id);
    order.add(id);
    unfinished.add(id);
    return Applied.COUNTED;
  }

  private static Map<String, List<VerifierKey>> keys(
      RoundEntry.Opened opened, Function<String, List<VerifierKey>> keys) {
    return opened.signatures().isEmpty()
        ? Map.of()
        : opened.spec().members().stream().collect(Collectors.toMap(Function.identity(), keys));
  }

  private boolean isDue(RoundId id) {
    return id.epoch() == 1
        || of(new RoundId(id.round(), id.epoch() - 1))
            .flatMap(RoundRecord::outcome)
            .filter(outcome -> outcome instanceof Outcome.Abort)
            .isPresent();
  }

  /** The same round asked for twice: only its clock times differ. */
  private static boolean isSame(RoundEntry.Opened first, RoundEntry.Opened second) {
    return first.spec().equals(second.spec())
        && first.encoderSha256().equals(second.encoderSha256())
        && first.readerSha256().equals(second.readerSha256())
        && first.signatures().equals(second.signatures())
        && first.subjectSha256().equals(second.subjectSha256());
  }

  private Applied proposed(RoundRecord round, RoundEntry.Proposed proposed) {
    if (round.sealed().isPresent()) {
      // Also where it repeats what counts: whoever reads on need not remember the proposals.
      return Applied.ignored(Cause.LATE);
    }
    if (!isOf(round.opened().encoding(), proposed.meaning())) {
      return Applied.ignored(Cause.OTHER_ENCODING);
    }
    if (!isSignedAsAsked(round, proposed)) {
      return Applied.ignored(Cause.NOT_SIGNED);
    }
    Proposal proposal =
        new Proposal(
            proposed.agent(), proposed.verdict(), proposed.textSha256(), proposed.meaning());
    RoundState.Step step = round.state().step(new RoundEvent.Proposed(round.id(), proposal));
    return switch (step.effect()) {
      case RoundState.Effect.Accepted _, RoundState.Effect.Equivocated _ -> {
        rounds.put(round.id(), round.taken(step.next(), proposed));
        yield Applied.COUNTED;
      }
      case RoundState.Effect.Repeated _ -> Applied.ignored(Cause.DUPLICATE);
      case RoundState.Effect.Refused(RoundRefusal reason) -> Applied.ignored(ofRefusal(reason));
      case RoundState.Effect.Closed _, RoundState.Effect.Ended _, RoundState.Effect.Nothing _ ->
          throw new IllegalStateException("a proposal led to " + step.effect());
    };
  }

  /** A signature that is there must hold; where the round asks for one it must be there. */
  private static boolean isSignedAsAsked(RoundRecord round, RoundEntry.Proposed proposed) {
    return proposed
        .signature()
        .map(signature ->
            proposed.statement().isSignedBy(signature, round.signatures().keysOf(proposed.agent())))
        .orElse(!round.opened().signatures().equals(Optional.of(SignatureRule.REQUIRED)));
  }

  private Applied signed(RoundRecord round, RoundEntry.Signed signed) {
    Optional<CertificateState.Step> step = round.step(signed);
    if (step.isEmpty()) {
      return Applied.ignored(Cause.NOT_DECIDED);
    }
    return switch (step.get().effect()) {
      case CertificateState.Effect.Counted _, CertificateState.Effect.Finished _ -> {
        if (!step.get().next().documentSha256().equals(signed.documentSha256())) {
          yield Applied.ignored(Cause.NOT_SIGNED);
        }
        rounds.put(round.id(), round.with(round.signatures().with(step.get().next(), signed)));
        yield Applied.COUNTED;
      }
      case CertificateState.Effect.Repeated _ -> Applied.ignored(Cause.DUPLICATE);
      case CertificateState.Effect.Contradicted _ -> Applied.ignored(Cause.NOT_SIGNED);
      case CertificateState.Effect.Refused(SignatureRefusal reason) ->
          Applied.ignored(
              reason == SignatureRefusal.NOT_A_MEMBER ? Cause.NOT_A_MEMBER : Cause.NOT_SIGNED);
    };
  }

  /** Whether the round's encoder can have given this. */
  private static boolean isOf(Encoding encoding, Meaning meaning) {
    return switch (meaning) {
      case Meaning.Vector(QuantVector vector) -> vector.dim() == encoding.dim();
      case Meaning.Malformed _ -> encoding.isPresent();
      case Meaning.Unencoded _ -> true;
    };
  }

  private static Cause ofRefusal(RoundRefusal reason) {
    return switch (reason) {
      case LATE -> Cause.LATE;
      case EQUIVOCATED -> Cause.EQUIVOCATED;
      case NOT_A_MEMBER -> Cause.NOT_A_MEMBER;
      case WRONG_EPOCH, BAD_VERDICT ->
          throw new IllegalStateException("an entry names its epoch and a verdict: " + reason);
    };
  }

  private Applied sealed(RoundRecord round, RoundEntry.Sealed sealed) {
    if (round.sealed().isPresent()) {
      return Applied.ignored(Cause.DUPLICATE);
    }
    boolean compares = round.opened().spec().agreement() == RoundSpec.Agreement.CRITICAL;
    if (sealed.differs().isPresent() != compares) {
      return Applied.ignored(Cause.OTHER_AGREEMENT);
    }
    RoundState.Step step =
        round.state().step(new RoundEvent.Sealed(sealed.cause(), sealed.compared()));
    return switch (step.effect()) {
      case RoundState.Effect.Closed _ -> {
        rounds.put(round.id(), round.sealed(step.next(), sealed));
        yield Applied.COUNTED;
      }
      case RoundState.Effect.Ended _ -> {
        rounds.put(round.id(), round.sealed(step.next(), sealed));
        unfinished.remove(round.id());
        yield Applied.COUNTED;
      }
      case RoundState.Effect.Nothing _ -> Applied.ignored(Cause.NOT_COMPLETE);
      case RoundState.Effect.Accepted _,
          RoundState.Effect.Repeated _,
          RoundState.Effect.Equivocated _,
          RoundState.Effect.Refused _ ->
          throw new IllegalStateException("a seal led to " + step.effect());
    };
  }

  private Applied decided(long index, RoundRecord round, RoundEntry.Decided decided) {
    return switch (round.state().status()) {
      case OPEN, COLLECTING, EXPIRED -> Applied.ignored(Cause.NO_DECISION_DUE);
      case SEALED -> {
        RoundState.Step step = round.state().step(new RoundEvent.Decided());
        ended(round.decided(step.next(), index, decided));
        yield Applied.COUNTED;
      }
      // Another replica has decided as well; it must have come to the same.
      case DECIDED ->
          Applied.ignored(
              RoundDecision.of(round, decided.atMs()).filter(decided::equals).isPresent()
                  ? Cause.DUPLICATE
                  : Cause.CONTRADICTS_EARLIER);
    };
  }

  private void ended(RoundRecord round) {
    rounds.put(round.id(), round);
    unfinished.remove(round.id());
    whole.addLast(round.id());
    wholeBytes += bytes(round);
    while (wholeBytes > keptBytes && whole.size() > 1) {
      RoundRecord oldest = of(whole.removeFirst()).orElseThrow();
      wholeBytes -= bytes(oldest);
      rounds.put(oldest.id(), oldest.withoutProposals());
    }
  }

  private static long bytes(RoundRecord round) {
    return round.proposals().size() * (PROPOSAL_BYTES + 2L * round.opened().encoding().dim());
  }
}
