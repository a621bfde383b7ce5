package dev.parlance.control.round;

import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.round.RoundCoordinator.RoundContext;
import dev.parlance.control.store.StoreClock;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.CertificateState.SignatureCheck;
import dev.parlance.policy.commit.CertificateState.SignatureRefusal;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.policy.commit.RoundState.RoundEvent;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.service.Result;
import dev.parlance.service.config.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * Takes proposals in: checks them against the round as the ledger has it, has the text encoded,
 * puts the proposal on the ledger and looks whether it counts there. What the look before promises
 * only the ledger decides: somebody else may have been faster.
 */
final class Proposals {
  private static final String REPEATED = "repeated";
  private static final String EQUIVOCATED = "equivocated";
  private static final String ACCEPTED = "accepted";
  private static final String PREPARED = "prepared";

  private final RoundContext context;
  private final RoundJournal ledger;
  private final StoreClock clock;
  private final RoundTexts texts;
  private final ProposalEncoder meanings;
  private final RoundDriver driver;
  private final TextDifferences differences;

  Proposals(
      RoundContext context,
      RoundJournal ledger,
      StoreClock clock,
      RoundTexts texts,
      RoundDriver driver,
      TextDifferences differences) {
    this.differences = differences;
    this.context = context;
    this.ledger = ledger;
    this.clock = clock;
    this.texts = texts;
    this.meanings = new ProposalEncoder(context.embedder());
    this.driver = driver;
  }

  /**
   * What came of a proposal.
   *
   * @param result accepted, repeated, equivocated, prepared
   * @param round as it is then
   * @param prepared what the sender is to sign, if it has asked for that
   */
  record Taken(String result, RoundRecord round, Optional<Meaning> prepared) {
    Taken(String result, RoundRecord round) {
      this(result, round, Optional.empty());
    }

    /** True unless it was said before, or only prepared. */
    boolean isNew() {
      return result.equals(ACCEPTED) || result.equals(EQUIVOCATED);
    }
  }

  /** Takes a proposal in; durable on the ledger if it is taken. */
  Result<Taken> take(ProposalRequest proposing) {
    Optional<RoundJournal.Trouble> reading = ledger.catchUp();
    if (reading.isPresent()) {
      return reading.get().refused();
    }
    Optional<RoundRecord> known = ledger.newest(proposing.id().round());
    if (known.isEmpty()) {
      return Result.refused(
          Result.Kind.NOT_FOUND,
          "round_unknown",
          "there is no round \"" + Quoted.cut(proposing.id().round()) + "\"");
    }
    RoundRecord record = known.get();
    boolean isMember = record.opened().spec().members().contains(proposing.agent());
    if (record.id().equals(proposing.id()) && isMember && hasSaid(record, proposing)) {
      return Result.done(new Taken(REPEATED, finished(record)));
    }
    if (isOverdue(record)) {
      driver.advance(record.id());
      record = ledger.round(record.id()).orElseThrow();
    }
    Optional<Result<Taken>> refusal = refusal(record, proposing);
    return refusal.isPresent() ? refusal.get() : encode(record, proposing);
  }

  private boolean isOverdue(RoundRecord record) {
    return record.sealed().isEmpty() && clock.isOver(record.opened().deadlineMs());
  }

  private static boolean hasSaid(RoundRecord record, ProposalRequest proposing) {
    return record.proposals().stream().anyMatch(proposing::isSaidBy);
  }

  /** Why the round as it is does not take the proposal, whatever its text means. */
  private static Optional<Result<Taken>> refusal(RoundRecord record, ProposalRequest proposing) {
    RoundState.Effect effect =
        record
            .state()
            .step(new RoundEvent.Proposed(proposing.id(), proposing.with(Meaning.UNENCODED)))
            .effect();
    if (effect instanceof RoundState.Effect.Refused(RoundRefusal reason)) {
      return Optional.of(refused(reason, record.id(), proposing));
    }
    boolean isOtherSubject =
        proposing.subjectSha256().isPresent()
            && !proposing.subjectSha256().equals(record.opened().subjectSha256());
    boolean lacksSignature =
        record.opened().signatures().equals(Optional.of(SignatureRule.REQUIRED))
            && proposing.signature().isEmpty()
            && !proposing.isPreparing();
    if (lacksSignature) {
      return Optional.of(
          Result.refused(
              Result.Kind.PRECONDITION,
              "signature_missing",
              "round " + record.id() + " takes only what its members have signed"));
    }
    return isOtherSubject
        ? Optional.of(
            Result.refused(
                Result.Kind.INVALID,
                "subject_differs",
                "round "
                    + record.id()
                    + record
                        .opened()
                        .subjectSha256()
                        .map(digest -> " is about another text, SHA-256 " + digest)
                        .orElse(" fixes no subject")))
        : Optional.empty();
  }

  private Result<Taken> encode(RoundRecord record, ProposalRequest proposing) {
    // Whoever signs, or asks again, has had its text encoded before.
    Optional<Meaning> known = texts.meaning(record.id(), proposing.textSha256());
    return known
        .map(Result::done)
        .orElseGet(() -> meanings.of(proposing.rationale(), record.opened()))
        .then(meaning -> {
          if (known.isEmpty()) {
            context.metrics().count(ControlMeter.ROUND_TEXTS, meaning.code());
          }
          if (proposing.isPreparing()) {
            Meaning agreed = known.orElseGet(() -> store(record.id(), proposing, meaning));
            return Result.done(new Taken(PREPARED, record, Optional.of(agreed)));
          }
          Optional<Result<Taken>> unsigned = signed(record, proposing, meaning);
          if (unsigned.isPresent()) {
            return unsigned.get();
          }
          // The text and the entry are on the way to their disks at the same time. Should another
          // replica have stored another vector of it meanwhile, the first one on the ledger stands.
          CompletableFuture<?> storing =
              known.isPresent()
                  ? CompletableFuture.completedFuture(meaning)
                  : CompletableFuture.supplyAsync(
                      () -> store(record.id(), proposing, meaning), Thread::startVirtualThread);
          Result<Taken> taken = append(record.id(), proposing, meaning);
          join(storing);
          return taken.then(one -> Result.done(new Taken(one.result(), finished(one.round()))));
        });
  }

  private Meaning store(RoundId id, ProposalRequest proposing, Meaning meaning) {
    return texts.put(id, proposing.textSha256(), proposing.rationale(), meaning);
  }

  private static void join(CompletableFuture<?> storing) {
    try {
      storing.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** What stands against the signature of a proposal. */
  private static Optional<Result<Taken>> signed(
      RoundRecord record, ProposalRequest proposing, Meaning meaning) {
    return proposing
        .signature()
        .flatMap(signature ->
            refusal(
                record
                    .signatures()
                    .check(
                        proposing.entry(meaning, 0).statement().text(),
                        proposing.agent(),
                        signature),
                proposing.agent()));
  }

  /** What a signature that was checked is refused for. */
  static <T> Optional<Result<T>> refusal(SignatureCheck check, String agent) {
    return switch (check) {
      case HOLDS -> Optional.empty();
      case NO_KEY ->
          Optional.of(
              Result.refused(
                  Result.Kind.PRECONDITION,
                  SignatureRefusal.KEY_UNKNOWN.code(),
                  "it is of no key that " + agent + " had when the round was opened"));
      case WRONG ->
          Optional.of(
              Result.refused(
                  Result.Kind.INVALID,
                  SignatureRefusal.SIGNATURE_WRONG.code(),
                  "the signature of " + agent + " does not hold"));
    };
  }

  private Result<Taken> append(RoundId id, ProposalRequest proposing, Meaning meaning) {
    driver.own(id);
    long beganNs = System.nanoTime();
    ReadWriteLock gate = driver.lock(id);
    RoundRecord before = ledger.round(id).orElseThrow();
    boolean isLast = after(before, proposing, meaning).isComplete();
    // Who completes the round ends it as well, if no other proposal is on the way.
    Lock end = gate.writeLock();
    if (isLast && end.tryLock()) {
      try {
        boolean isWhole = ledger.isExclusive() && ledger.catchUp().isEmpty();
        return append(ledger.round(id).orElseThrow(), proposing, meaning, isWhole, beganNs);
      } finally {
        end.unlock();
      }
    }
    Lock way = gate.readLock();
    way.lock();
    try {
      return append(ledger.round(id).orElseThrow(), proposing, meaning, false, beganNs);
    } finally {
      way.unlock();
    }
  }

  private static RoundState after(RoundRecord before, ProposalRequest proposing, Meaning meaning) {
    return before
        .state()
        .step(new RoundEvent.Proposed(before.id(), proposing.with(meaning)))
        .next();
  }

  private Result<Taken> append(
      RoundRecord before,
      ProposalRequest proposing,
      Meaning meaning,
      boolean isWhole,
      long beganNs) {
    RoundId id = before.id();
    long nowMs = clock.nowMs();
    List<RoundEntry> entries = new ArrayList<>();
    entries.add(proposing.entry(meaning, nowMs));
    Map<String, String> beside = Map.of(proposing.textSha256(), proposing.rationale());
    // The last one seals as well, which saves waiting for the disk once more. A round that is
    // complete stays so, and a seal that says so wrongly would count for nothing.
    RoundState expected = after(before, proposing, meaning);
    if (expected.isComplete()) {
      entries.add(
          differences.seal(
              before.opened(), expected.proposals(), beside, SealCause.COMPLETE, nowMs));
      if (isWhole) {
        entries = RoundDriver.withDecision(before, entries, nowMs);
      }
    } else {
      differences.prepare(before.opened(), expected.proposals(), beside);
    }
    RoundJournal.Appending appending = ledger.append(entries);
    RoundRecord after = ledger.round(id).orElseThrow();
    driver.appended(entries, appending.first(), after, beganNs);
    if (!hasSaid(after, proposing)) {
      if (appending.trouble().isPresent()) {
        return appending.trouble().get().refused();
      }
      return refusal(after, proposing)
          .orElseThrow(
              () -> new IllegalStateException("the ledger has a proposal that counts for nothing"));
    }
    boolean isEquivocation =
        after.proposals().stream().filter(one -> one.agent().equals(proposing.agent())).count() > 1;
    return Result.done(new Taken(isEquivocation ? EQUIVOCATED : ACCEPTED, after));
  }

  /** Brings the round to its end if it is due, so that the last proposer hears the outcome. */
  private RoundRecord finished(RoundRecord record) {
    // If the ledger is away now, the loop of some replica ends the round later.
    driver.advance(record.id());
    return ledger.round(record.id()).orElseThrow();
  }

  private static Result<Taken> refused(
      RoundRefusal reason, RoundId now, ProposalRequest proposing) {
    return switch (reason) {
      case WRONG_EPOCH ->
          Result.refused(
              Result.Kind.PRECONDITION,
              reason.code(),
              "got epoch "
                  + proposing.id().epoch()
                  + ", round "
                  + now.round()
                  + " is in epoch "
                  + now.epoch());
      case NOT_A_MEMBER ->
          Result.refused(
              Result.Kind.DENIED,
              reason.code(),
              proposing.agent() + " is no member of round " + now);
      case LATE ->
          Result.refused(
              Result.Kind.PRECONDITION, reason.code(), "round " + now + " takes no more proposals");
      case BAD_VERDICT ->
          Result.refused(Result.Kind.INVALID, reason.code(), "the verdict is no name");
      case EQUIVOCATED ->
          Result.refused(
              Result.Kind.PRECONDITION,
              reason.code(),
              proposing.agent() + " has proposed two different things in round " + now);
    };
  }

  /** What texts mean to the encoder that a round was opened with. */
  record ProposalEncoder(Embedder embedder) {
    private static final long PATIENCE_MS = 10_000;

    /**
     * The meaning of a text. Where the round's encoder is not the one here (it failed, or another
     * one is installed by now) the text is unencoded: the proposal counts for the verdict and is in
     * no semantic core. An encoder that is merely busy is a reason to try again.
     */
    Result<Meaning> of(String text, RoundEntry.Opened opened) {
      if (!isRoundsEncoder(opened)) {
        return Result.done(Meaning.UNENCODED);
      }
      Embedding embedding;
      try {
        embedding =
            embedder.embed(text).toCompletableFuture().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException _) {
        return busy("the encoder has not answered in " + PATIENCE_MS + " ms");
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return busy("interrupted");
      } catch (ExecutionException e) {
        throw new IllegalStateException("an encoder failed instead of saying so", e);
      }
      return switch (embedding) {
        case Embedding.Encoded(float[] vector) ->
            Result.done(
                QuantVector.of(doubles(vector), opened.encoding().dim())
                    .<Meaning>map(Meaning.Vector::new)
                    .orElse(Meaning.MALFORMED));
        case Embedding.Refused(Embedding.EmbedFault fault, String detail) ->
            switch (fault) {
              case UNAVAILABLE, TOO_LARGE -> Result.done(Meaning.UNENCODED);
              case BUSY -> busy(detail);
            };
      };
    }

    private boolean isRoundsEncoder(RoundEntry.Opened opened) {
      return opened.encoderSha256().isPresent()
          && embedder.status() instanceof EncoderStatus.Ready(EncoderInfo info)
          && Optional.of(info.manifestSha256()).equals(opened.encoderSha256());
    }

    private static Result<Meaning> busy(String detail) {
      return Result.refused(Result.Kind.UNAVAILABLE, "encoder_unavailable", detail);
    }

    private static double[] doubles(float[] vector) {
      double[] doubles = new double[vector.length];
      for (int i = 0; i < vector.length; i++) {
        doubles[i] = vector[i];
      }
      return doubles;
    }
  }
}
