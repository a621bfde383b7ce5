package dev.parlance.control.round;

import dev.parlance.control.store.StoreClock;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.CertificateState;
import dev.parlance.policy.commit.CertificateState.SignatureRefusal;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.service.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Takes the signatures of members under outcomes in: checks them against the round as the ledger
 * has it, and puts them on the ledger.
 *
 * <p>An outcome is final with 2f+1 of them, and fewer serve nobody. So where this replica takes all
 * of a round's, those before wait a moment for the one that makes the outcome final. That one waits
 * for nobody, and puts all of them on the ledger in one commit.
 */
final class OutcomeSignatures {
  /** How long a signature waits for others of its round, at most. */
  static final long PATIENCE_MS = 5;

  private final RoundJournal ledger;
  private final StoreClock clock;
  private final long patienceMs;

  /** By round, what is not yet read back from the ledger: only the last batch takes more. */
  private final Map<RoundId, List<Batch>> rounds = new HashMap<>();

  OutcomeSignatures(RoundJournal ledger, StoreClock clock, long patienceMs) {
    this.ledger = ledger;
    this.clock = clock;
    this.patienceMs = patienceMs;
  }

  /** Signatures that go to the ledger together. All but the future is guarded by the map. */
  private static final class Batch {
    private final List<RoundEntry.Signed> entries = new ArrayList<>();
    private final CompletableFuture<RoundJournal.Appending> appending = new CompletableFuture<>();
    private boolean isUnderWay;

    boolean has(String agent) {
      return entries.stream().anyMatch(entry -> entry.agent().equals(agent));
    }

    /** True once, for who is to append it. */
    boolean begin() {
      boolean isFirst = !isUnderWay;
      isUnderWay = true;
      return isFirst;
    }
  }

  /** Takes a signature in; durable on the ledger if it is taken. */
  Result<RoundRecord> take(RoundRecord record, SigningRequest signing) {
    Optional<CertificateState> certificate = record.signatures().certificate();
    if (certificate.isEmpty()) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "outcome_unknown",
          "round " + record.id() + " has no outcome that its members sign");
    }
    if (!certificate.get().documentSha256().equals(signing.documentSha256())) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "outcome_differs",
          "round " + record.id() + " has the outcome " + certificate.get().documentSha256());
    }
    RoundEntry.Signed entry = signing.entry(clock.nowMs());
    return switch (record.step(entry).orElseThrow().effect()) {
      case CertificateState.Effect.Counted _, CertificateState.Effect.Finished _ -> append(entry);
      case CertificateState.Effect.Repeated _ -> Result.done(record);
      case CertificateState.Effect.Contradicted _ ->
          throw new IllegalStateException("one outcome cannot be two");
      case CertificateState.Effect.Refused(SignatureRefusal reason) ->
          refused(reason, signing, record.id());
    };
  }

  private static Result<RoundRecord> refused(
      SignatureRefusal reason, SigningRequest signing, RoundId id) {
    return Result.refused(
        switch (reason) {
          case NOT_A_MEMBER -> Result.Kind.DENIED;
          case SIGNATURE_WRONG -> Result.Kind.INVALID;
          case KEY_UNKNOWN, CONTRADICTED -> Result.Kind.PRECONDITION;
        },
        reason.code(),
        "the signature of " + signing.agent() + " under round " + id);
  }

  private Result<RoundRecord> append(RoundEntry.Signed entry) {
    // Where other replicas take the others, nobody knows here which one is the last.
    RoundJournal.Appending appending =
        ledger.isExclusive() ? together(entry) : ledger.append(List.of(entry));
    RoundRecord after = ledger.round(entry.id()).orElseThrow();
    boolean isThere =
        after.signatures().lines().stream().anyMatch(line -> line.agent().equals(entry.agent()));
    return isThere
        ? Result.done(after)
        : appending
            .trouble()
            .orElseGet(() -> new RoundJournal.Trouble("the signature counts for nothing"))
            .refused();
  }

  /** Appends an entry with those that wait for it, or waits for who appends it. */
  private RoundJournal.Appending together(RoundEntry.Signed entry) {
    Batch batch;
    boolean isMine;
    synchronized (rounds) {
      List<Batch> batches = rounds.computeIfAbsent(entry.id(), _ -> new ArrayList<>());
      batch = batchOf(batches, entry);
      isMine = isEnough(entry.id(), batches) && batch.begin();
    }
    if (!isMine) {
      try {
        return batch.appending.get(patienceMs, TimeUnit.MILLISECONDS);
      } catch (TimeoutException _) {
        // the others are late, or the disk is slow
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException e) {
        throw cause(e);
      }
      synchronized (rounds) {
        isMine = batch.begin();
      }
    }
    return isMine ? append(entry.id(), batch) : appended(batch);
  }

  /** Where an entry stands already, asked for twice, or is put now. */
  private static Batch batchOf(List<Batch> batches, RoundEntry.Signed entry) {
    Optional<Batch> known = batches.stream().filter(batch -> batch.has(entry.agent())).findFirst();
    if (known.isPresent()) {
      return known.get();
    }
    if (batches.isEmpty() || batches.getLast().isUnderWay) {
      batches.add(new Batch());
    }
    batches.getLast().entries.add(entry);
    return batches.getLast();
  }

  /** True if the outcome is final with what is here and on the ledger. */
  private boolean isEnough(RoundId id, List<Batch> batches) {
    CertificateState certificate =
        ledger.round(id).flatMap(record -> record.signatures().certificate()).orElseThrow();
    Set<String> signers = new HashSet<>(certificate.signers());
    batches.forEach(batch -> batch.entries.forEach(entry -> signers.add(entry.agent())));
    return signers.size() >= CertificateState.quorum(certificate.spec().faults());
  }

  private RoundJournal.Appending append(RoundId id, Batch batch) {
    try {
      RoundJournal.Appending appending = ledger.append(batch.entries);
      batch.appending.complete(appending);
      return appending;
    } finally {
      // If it threw, those that wait hear of it as well.
      batch.appending.completeExceptionally(
          new IllegalStateException("signatures were not appended"));
      synchronized (rounds) {
        rounds.computeIfPresent(
            id,
            (_, batches) -> {
              batches.remove(batch);
              return batches.isEmpty() ? null : batches;
            });
      }
    }
  }

  private static RoundJournal.Appending appended(Batch batch) {
    try {
      return batch.appending.join();
    } catch (CompletionException e) {
      throw cause(e);
    }
  }

  private static RuntimeException cause(Exception e) {
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
  }
}
