package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Dissolution;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactMachine;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.Standing;
import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Ends pacts, each once: by their time, by the word of a party, by enforcement, by what the ledger
 * says; and tells the ledger what was counted. Used on the loop only.
 */
record Dissolutions(PactContext context, PactJournal journal, LedgerOutbox outbox) {
  /** How often pacts are looked at, in milliseconds. */
  static final long SWEEP_MS = 500;

  /** How often counts that have changed are reported, in milliseconds. */
  static final long REPORT_MS = 60_000;

  /** A word that is older was said when it is heard, in milliseconds; as on the ledger. */
  static final long MOST_DELAY_MS = 600_000;

  /** Both have signed, the local agent's sidecar last: the ledger must hear of it. */
  void signed(ActivePact pact, Optional<Pacts.Channel> channel) {
    outbox.owe(PactJournal.Kind.ATTEST, pact.id(), pact.terms().note());
    begun(pact, channel);
  }

  /**
   * It holds: from now on it is looked after.
   *
   * @param channel to the other sidecar, if there is one
   */
  void begun(ActivePact pact, Optional<Pacts.Channel> channel) {
    channel.ifPresent(pact::channel);
    context.table().add(pact);
    journal.hide(pact.id(), pact.terms().hidden());
    journal.owe(PactJournal.Kind.OPEN, pact.id(), pact.terms().note());
    resume(pact);
    context.bind(pact, _ -> {});
  }

  /** The private predicates of a pact that this sidecar has had, in an earlier run perhaps. */
  Map<String, Predicate> hidden(String pact) {
    return journal.hidden(pact);
  }

  /** True if this sidecar has ended a pact, which the ledger need not have heard of yet. */
  boolean isOwed(String pact) {
    return journal.owed(PactJournal.Kind.DISSOLVE, pact).isPresent();
  }

  /** Counts go on where an earlier run of the sidecar stopped: they must not fall. */
  private void resume(ActivePact pact) {
    Optional<PactStatement> last =
        journal
            .owed(PactJournal.Kind.COUNTS, pact.id())
            .flatMap(note ->
                PactStatementNote.unverified(note.getBytes(StandardCharsets.UTF_8))
                        instanceof PactStatementNote.Reading.Good(PactStatement said, var _)
                    ? Optional.of(said)
                    : Optional.empty());
    if (last.isPresent() && last.get() instanceof PactStatement.Observed counts) {
      pact.peerTally().resume(counts);
    }
    pact.peerTally().told(context.loop().elapsedMs());
  }

  // ---- time ----

  /** Looks at every pact. */
  void sweep() {
    for (ActivePact pact : context.table().all()) {
      if (pact.endReason().isPresent()) {
        continue;
      }
      if (pact.standing() == Standing.ENDED) {
        ended(pact, Ending.VALIDITY_EXPIRED.code());
      } else {
        if (pact.peerTally().isNews(context.loop().elapsedMs() - REPORT_MS)) {
          report(pact, Progress.GOING_ON);
        }
        if (isIdle(pact)) {
          complete(pact);
        }
      }
    }
  }

  private boolean isIdle(ActivePact pact) {
    return pact.isInitiator()
        && pact.standing() == Standing.ACTIVE
        && !pact.isWorking()
        && !hasCompleted(pact, context.party())
        && pact.nowMs() - pact.lastUsedMs() >= context.rules().get().completeAfterIdleMs();
  }

  private static boolean hasCompleted(ActivePact pact, String party) {
    return pact.state().talks().completing().contains(party);
  }

  /** The work is done: the other side is asked first, for its agent may be at work. */
  private void complete(ActivePact pact) {
    context.table().unused(pact);
    // Not again before it has been idle for as long once more.
    pact.working(0);
    if (pact.channel().isEmpty()) {
      end(pact, Ending.WORK_COMPLETED, Optional.empty());
      return;
    }
    PactStatement.Dissolution said = statement(pact, Ending.WORK_COMPLETED, Optional.empty());
    CompletableFuture<?> _ =
        tell(pact, said)
            .whenComplete((answer, failure) ->
                context
                    .loop()
                    .run(() -> {
                      if (failure == null && answer.isPresent() && isStillWorking(answer.get())) {
                        context.table().add(pact);
                        return;
                      }
                      end(pact, Ending.WORK_COMPLETED, Optional.empty());
                    }));
  }

  private static boolean isStillWorking(byte[] answer) {
    return PactMessages.batch(answer) instanceof Reading.Good<Batch>(Batch batch)
        && batch.refused().filter(why -> why.code().equals("still_working")).isPresent();
  }

  // ---- the own word ----

  /**
   * The local agent, or enforcement in its name, ends a pact.
   *
   * @param responsible the party that has violated it, of {@code violated}
   */
  boolean end(ActivePact pact, Ending reason, Optional<String> responsible) {
    if (pact.endReason().isPresent()
        || pact.standing() == Standing.DISPUTED // which its arbiter ends, on the ledger
        || hasCompleted(pact, context.party())) {
      return false;
    }
    PactStatement.Dissolution said;
    try {
      said = statement(pact, reason, responsible);
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (step(pact, said).isPresent()) {
      return false;
    }
    outbox.owe(PactJournal.Kind.DISSOLVE, pact.id(), context.sign(said));
    if (reason != Ending.WORK_COMPLETED && pact.channel().isPresent()) {
      CompletableFuture<?> _ = tell(pact, said);
    }
    return true;
  }

  private PactStatement.Dissolution statement(
      ActivePact pact, Ending reason, Optional<String> responsible) {
    long atMs = pact.nowMs();
    return new PactStatement.Dissolution(
        pact.id(),
        context.party(),
        reason,
        atMs,
        reason == Ending.WORK_FAILED ? failurePredicate(pact) : Optional.empty(),
        reason == Ending.PARTY_WITHDREW
            ? OptionalLong.of(atMs + noticeMs(pact))
            : OptionalLong.empty(),
        reason == Ending.VIOLATED ? responsible : Optional.empty());
  }

  private static Optional<String> failurePredicate(ActivePact pact) {
    return pact.terms().predicates().stream()
        .filter(one -> one.kind().equals(Optional.of(PactCategory.FAILURE)))
        .map(Predicate::id)
        .findFirst();
  }

  /** The longest notice that a clause asks for. */
  private static long noticeMs(ActivePact pact) {
    return pact.terms().predicates().stream()
        .map(one -> PactTerms.read(one.category(), one.body()))
        .flatMap(read ->
            read instanceof PactTerms.Reading.Good(PactTerms terms)
                ? terms.items().stream()
                : Stream.of())
        .filter(item -> item.enforced().equals(Optional.of(PactTerms.Key.NOTICE_MS)))
        .mapToLong(item -> (long) Math.ceil(Double.parseDouble(item.value().orElse("0"))))
        .max()
        .orElse(0);
  }

  private CompletableFuture<Optional<byte[]>> tell(
      ActivePact pact, PactStatement.Dissolution said) {
    PactEvent.Message message =
        PactMessages.write(
            said.atMs(),
            context.party(),
            event(said),
            PactStatementNote.sign(said, context.key().current()));
    return pact.channel()
        .orElseThrow()
        .send(PactMessages.write(List.of(message), Optional.empty()));
  }

  private static Dissolution event(PactStatement.Dissolution said) {
    return new Dissolution(
        said.pact(), said.reason().code(), said.failurePredicate(), said.effectiveMs());
  }

  // ---- the other side's word ----

  /** Takes the other side's signed dissolution; the answer brings the own half of a completion. */
  void accept(Incoming message, Dissolution said, CompletableFuture<byte[]> answer) {
    String from = message.message().from();
    Optional<ActivePact> pact = context.table().of(said.pact());
    if (pact.isEmpty()) {
      answer.complete(refusal(PactFault.UNKNOWN_PACT, "no such pact here"));
    } else if (!pact.get().peer().equals(from)) {
      answer.complete(refusal(PactFault.NOT_A_PARTY, "expected " + pact.get().peer()));
    } else {
      context.keysOf(
          from,
          keys ->
              answer.complete(
                  accept(
                      pact.get(),
                      message,
                      keys instanceof Result.Done<List<VerifierKey>>(List<VerifierKey> its)
                          ? its
                          : List.of())));
    }
  }

  private byte[] accept(ActivePact pact, Incoming message, List<VerifierKey> keys) {
    if (!(PactStatementNote.verify(message.noteBytes().orElse(new byte[0]), keys)
            instanceof PactStatementNote.Reading.Good(PactStatement.Dissolution statement, var _))
        || !statement.from().equals(pact.peer())
        || !event(statement).equals(message.message().body())) {
      return refusal(PactFault.BAD_SIGNATURE, "expected the dissolution, signed");
    }
    if (pact.endReason().isPresent()) {
      return refusal(PactFault.CLOSED, pact.endReason().get());
    }
    if (pact.standing() == Standing.DISPUTED) {
      return refusal(PactFault.CLOSED, "it is in dispute: its arbiter decides");
    }
    boolean completes = statement.reason() == Ending.WORK_COMPLETED;
    if (completes && pact.isWorking()) {
      return PolicySpeaker.refusal("still_working", "a request is under way");
    }
    Optional<PactFault> fault = step(pact, statement);
    if (fault.isPresent()) {
      return refusal(fault.get(), "the rules of ending");
    }
    if (completes && !hasCompleted(pact, context.party())) {
      end(pact, Ending.WORK_COMPLETED, Optional.empty());
    }
    return PactMessages.write(List.of(), Optional.empty());
  }

  private static byte[] refusal(PactFault fault, String detail) {
    return PolicySpeaker.refusal(fault.name(), detail);
  }

  /** What the machine makes of it; a violation is found by enforcement, which it does not know. */
  private Optional<PactFault> step(ActivePact pact, PactStatement.Dissolution said) {
    if (said.reason() == Ending.VIOLATED) {
      ended(pact, said.reason().code());
      return Optional.empty();
    }
    PactMachine.Step step =
        PactMachine.step(
            pact.state(), PactMessages.write(spokenMs(pact, said), said.from(), event(said)));
    pact.state(step.next());
    if (step.next().phase() == Phase.DISSOLVED) {
      ended(pact, step.next().end().orElseThrow().reason());
    } else if (step.next().phase() == Phase.IN_DISPUTE && step.fault().isEmpty()) {
      pact.disputed();
      context.events().transition("pact", Ending.DISPUTE_ESCALATED.code());
    }
    return step.fault();
  }

  /**
   * When it was said, by the speaker's own word as the ledger takes it: a notice runs from there,
   * and a word is always a little older than its hearer's clock.
   */
  private static long spokenMs(ActivePact pact, PactStatement.Dissolution said) {
    long delayMs = pact.nowMs() - said.atMs();
    return delayMs >= 0 && delayMs <= MOST_DELAY_MS ? said.atMs() : pact.nowMs();
  }

  // ---- the ledger's word ----

  /** What the control plane says of a pact. */
  void seen(PactControl.View view) {
    Optional<ActivePact> known = context.table().of(view.pact()).or(() -> completedUnused(view));
    if (known.isEmpty() || known.get().endReason().isPresent()) {
      return;
    }
    ActivePact pact = known.get();
    if (!pact.sha256().equals(view.sha256())) {
      return;
    }
    if (view.state().equals("dissolved")) {
      ended(pact, view.reason().orElse("dissolved"));
      return;
    }
    if (view.state().equals("in_dispute") && pact.standing() != Standing.DISPUTED) {
      pact.disputed();
      context.events().transition("pact", Ending.DISPUTE_ESCALATED.code());
      return;
    }
    // The other side has said that the work is done where nobody could be reached.
    if (view.completing().contains(pact.peer())
        && !hasCompleted(pact, context.party())
        && !pact.isWorking()) {
      end(pact, Ending.WORK_COMPLETED, Optional.empty());
    }
  }

  /**
   * One of which this run has had no request, and whose other party says that the work is done: who
   * asks ends what nobody here has begun. Its private clauses may be lost, where a run was ended
   * between its signature and its journal: no end depends on them.
   */
  private Optional<ActivePact> completedUnused(PactControl.View view) {
    boolean waits =
        view.state().equals("active")
            && view.parties().contains(context.party())
            && !view.completing().isEmpty()
            && !view.completing().contains(context.party());
    return waits
            && PactNote.unverified(view.note().getBytes(StandardCharsets.UTF_8))
                instanceof PactNote.Reading.Good(PactDocument document, String _, var _)
        ? Optional.of(context.toEnd(document, view.note()))
        : Optional.empty();
  }

  /** Once for each pact. */
  private void ended(ActivePact pact, String reason) {
    if (pact.endReason().isPresent()) {
      return;
    }
    pact.ended(reason);
    context.table().ended(pact);
    context.events().transition("pact", reason);
    // The last counts also show that this party is still there when the time is over.
    if (pact.peerTally().messages() > 0 || reason.equals(Ending.VALIDITY_EXPIRED.code())) {
      report(pact, Progress.FINAL);
    }
    journal.closed(pact.id());
  }

  // ---- counts ----

  private void report(ActivePact pact, Progress progress) {
    String note =
        context.sign(pact.peerTally().observed(pact.id(), context.party(), pact.peer(), progress));
    pact.peerTally().told(context.loop().elapsedMs());
    if (progress == Progress.FINAL) {
      outbox.owe(PactJournal.Kind.FINAL, pact.id(), note);
    } else {
      journal.owe(PactJournal.Kind.COUNTS, pact.id(), note);
      CompletableFuture<?> _ = context.control().report(note);
    }
  }
}
