package dev.parlance.control.pact;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.SidecarRow;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.PactRecord;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.service.Loop;
import dev.parlance.service.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pacts of a control plane. Any replica takes any call; what counts is the order of the ledger
 * ({@code ledger.record.PactLedger}), so a call writes an entry and then looks what it came to.
 * What a call writes is durable when it returns, and repeating it is safe. For any number of
 * threads; blocks.
 */
public final class PactRegistry implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PactRegistry.class);

  /** Most pacts that hold at a time. */
  static final int MOST_OPEN = 100_000;

  /** Most of one party that brings another one, once half of the room is taken. */
  static final int MOST_OF_PARTY = MOST_OPEN / 10;

  /** Most templates, all versions together. */
  static final int MOST_TEMPLATES = 10_000;

  /** Most of one author. */
  static final int MOST_OF_AUTHOR = 1_000;

  private final PactContext context;
  private final Loop drive;

  /**
   * What pacts work with.
   *
   * @param aliveFor how long a sidecar counts as attached after its last sign of life
   * @param pollMs how often pacts are looked at whose time may be over
   */
  public record PactContext(
      Store store,
      LedgerWriter ledger,
      LedgerView view,
      ControlMetrics metrics,
      Duration aliveFor,
      int pollMs) {}

  /** Begins to end pacts at once; the ledger must have been read. */
  public PactRegistry(PactContext context) {
    this.context = context;
    context
        .metrics()
        .bind(
            ControlMeter.PACTS_OPEN, () -> context.view().read(state -> state.openPacts().size()));
    this.drive = Loop.start("control-pacts", context.pollMs(), this::turn);
  }

  /** What came of writing, and what there is now. */
  public enum Written {
    /** It counts. */
    ACCEPTED,
    /** It says what the ledger says already. */
    REPEATED
  }

  // ---- keys ----

  /**
   * Makes a key count as the party's.
   *
   * @param first true to replace no other one
   */
  public synchronized Result<List<VerifierKey>> registerKey(
      String party, String vkey, long overlapMs, boolean first) {
    PactEntry.PartyKey entry;
    try {
      entry = new PactEntry.PartyKey(party, vkey, overlapMs, context.store().nowMs());
    } catch (IllegalArgumentException bad) {
      return counted("key", invalid("bad_key", bad));
    }
    if (first && keys(party) instanceof Result.Done<List<VerifierKey>>(List<VerifierKey> known)) {
      return known.contains(entry.key())
          ? Result.done(known)
          : counted(
              "key",
              Result.refused(
                  Result.Kind.PRECONDITION, "key_exists", party + " has another key already"));
    }
    Result<Boolean> written =
        write(
            entry,
            () -> newestKey(party).filter(entry.key()::equals).isPresent() || !takes(entry, party));
    if (written instanceof Result.Refused<Boolean> refused) {
      return counted("key", again(refused));
    }
    return newestKey(party).filter(entry.key()::equals).isPresent()
        ? counted("key", keys(party))
        : counted(
            "key",
            Result.refused(
                Result.Kind.PRECONDITION,
                "bad_key",
                "another key has followed this one; a key does not come back"));
  }

  private boolean takes(PactEntry entry, String speaker) {
    return context.view().read(state -> state.takes(entry, speaker));
  }

  private Optional<VerifierKey> newestKey(String party) {
    long now = context.store().nowMs();
    return context.view().read(state -> state.partyKeys(party, now)).stream().findFirst();
  }

  /** The keys of a party that count now, newest first. */
  public Result<List<VerifierKey>> keys(String party) {
    long now = context.store().nowMs();
    return read(state -> state.partyKeys(party, now))
        .then(keys ->
            keys.isEmpty()
                ? Result.refused(
                    Result.Kind.NOT_FOUND, "key_unknown", "there is no key of " + party)
                : Result.done(keys));
  }

  // ---- templates ----

  /**
   * Publishes a template that its author has signed.
   *
   * @param caller the agent who publishes it; empty for an operator
   */
  public Result<PactEntry.TemplatePut> putTemplate(byte[] note, Optional<String> caller) {
    PactStatementNote.Reading reading = PactStatementNote.unverified(note);
    if (!(reading instanceof PactStatementNote.Reading.Good(PactStatement said, String sha256))
        || !(said instanceof PactStatement.Template template)) {
      return counted("template", malformed("template_malformed", reading));
    }
    if (caller.isPresent() && !caller.get().equals(template.author())) {
      return counted("template", notAParty("the token is not the author's"));
    }
    Result<Boolean> signed = signed(note, template.author());
    if (signed instanceof Result.Refused<Boolean> refused) {
      return counted("template", again(refused));
    }
    List<PactEntry.TemplatePut> all = context.view().read(LedgerState::templates);
    long own = all.stream().filter(one -> one.author().equals(template.author())).count();
    if (all.size() >= MOST_TEMPLATES || own >= MOST_OF_AUTHOR) {
      return counted(
          "template",
          Result.refused(
              Result.Kind.EXHAUSTED,
              "too_many_templates",
              "expected at most "
                  + MOST_OF_AUTHOR
                  + " of an author, "
                  + MOST_TEMPLATES
                  + " in all"));
    }
    PactEntry.TemplatePut entry =
        new PactEntry.TemplatePut(
            template.name(),
            template.version(),
            template.author(),
            sha256,
            PactEntry.encoded(note),
            context.store().nowMs());
    Result<Boolean> written =
        write(
            entry,
            () -> context.view().read(state -> state.template(template.reference())).isPresent());
    if (written instanceof Result.Refused<Boolean> refused) {
      return counted("template", again(refused));
    }
    return counted(
        "template",
        context
            .view()
            .read(state -> state.template(template.reference()))
            .filter(stands -> stands.sha256().equals(sha256))
            .map(Result::done)
            .orElseGet(() ->
                Result.refused(
                    Result.Kind.EXISTS,
                    "template_exists",
                    template.reference() + " is published already, and is another one")));
  }

  /** Published templates, newest first. */
  public Result<List<PactEntry.TemplatePut>> templates() {
    return read(state -> state.templates().reversed());
  }

  /** The keys of its author that counted when a template was published. */
  public List<VerifierKey> templateKeys(PactEntry.TemplatePut template) {
    return context.view().read(state -> state.templateKeys(template.reference()));
  }

  // ---- pacts ----

  /** Puts a ratified pact on the ledger. */
  public Result<PactRecord> attest(byte[] note, String party) {
    if (note.length > PactEntry.MAX_NOTE_BYTES) {
      return counted(
          "attest",
          Result.refused(
              Result.Kind.INVALID,
              "pact_too_large",
              "expected at most " + PactEntry.MAX_NOTE_BYTES + " bytes, got " + note.length));
    }
    PactNote.Reading claimed = PactNote.unverified(note);
    if (!(claimed instanceof PactNote.Reading.Good good)) {
      return counted("attest", refused((PactNote.Reading.Refused) claimed));
    }
    if (!good.document().isParty(party)) {
      return counted("attest", notAParty(party + " is no party of this pact"));
    }
    Optional<Result.Refused<Boolean>> behind = catchUp();
    if (behind.isPresent()) {
      return counted("attest", again(behind.get()));
    }
    String id = good.document().pact();
    Optional<PactRecord> known = context.view().read(state -> state.pact(id));
    if (known.isPresent()) {
      return counted("attest", same(known.get(), good.textSha256()));
    }
    long now = context.store().nowMs();
    List<VerifierKey> keys = new ArrayList<>();
    for (String one : List.of(good.document().initiator(), good.document().responder())) {
      List<VerifierKey> of = context.view().read(state -> state.partyKeys(one, now));
      if (of.isEmpty()) {
        return counted(
            "attest",
            Result.refused(Result.Kind.NOT_FOUND, "key_unknown", "there is no key of " + one));
      }
      keys.addAll(of);
    }
    if (PactNote.verify(note, keys) instanceof PactNote.Reading.Refused bad) {
      return counted("attest", refused(bad));
    }
    if (good.document().endMs() <= now) {
      return counted(
          "attest",
          Result.refused(
              Result.Kind.PRECONDITION,
              "pact_expired",
              "it has ended at " + good.document().endMs() + ", now is " + now));
    }
    if (context.view().read(state -> isCrowded(state.openPacts(), party))) {
      return counted(
          "attest",
          Result.refused(
              Result.Kind.EXHAUSTED,
              "too_many_pacts",
              MOST_OPEN + " hold already, or " + MOST_OF_PARTY + " of " + party));
    }
    Optional<String> old = good.document().replaces();
    if (old.isPresent()
        && context
            .view()
            .read(state -> state.pact(old.get()))
            .filter(one -> one.parties().stream().allMatch(good.document()::isParty))
            .isEmpty()) {
      return counted(
          "attest",
          // Its attestation may be on its way.
          Result.refused(
              Result.Kind.UNAVAILABLE,
              "replaces_none",
              "the two parties have no pact " + old.get() + " here"));
    }
    PactEntry.Attested entry =
        new PactEntry.Attested(id, good.textSha256(), party, PactEntry.encoded(note), now);
    Result<Boolean> written = append(entry);
    // Another replica may have been faster, or the answer was lost: what stands decides.
    return counted(
        "attest",
        context
            .view()
            .read(state -> state.pact(id))
            .map(stands -> same(stands, good.textSha256()))
            .orElseGet(() -> unwritten(written)));
  }

  /** True if there is no room for another one, or, where half of it is taken, for its attester. */
  private static boolean isCrowded(List<PactRecord> open, String party) {
    return open.size() >= MOST_OPEN
        || (open.size() >= MOST_OPEN / 2
            && open.stream().filter(pact -> pact.isParty(party)).count() >= MOST_OF_PARTY);
  }

  private static Result<PactRecord> same(PactRecord known, String sha256) {
    return known.attested().sha256().equals(sha256)
        ? Result.done(known)
        : Result.refused(
            Result.Kind.EXISTS,
            "pact_exists",
            "pact " + known.id() + " is attested already, and is another one");
  }

  /** Takes a count or a complaint of a party's sidecar. */
  public Result<Written> report(byte[] note, String party) {
    PactStatementNote.Reading reading = PactStatementNote.unverified(note);
    if (!(reading instanceof PactStatementNote.Reading.Good(PactStatement said, _))) {
      return counted("report", malformed("pact_malformed", reading));
    }
    if (!said.signer().equals(party)) {
      return counted("report", notAParty("it is signed by " + said.signer()));
    }
    Result<Boolean> signed = signed(note, party);
    if (signed instanceof Result.Refused<Boolean> refused) {
      return counted("report", again(refused));
    }
    long now = context.store().nowMs();
    return counted(
        "report",
        switch (said) {
          case PactStatement.Observed observed -> observed(observed, note, now);
          case PactStatement.Report report ->
              write(
                      new PactEntry.Reported(
                          report.negotiation(), party, PactEntry.encoded(note), now),
                      () -> false)
                  .then(_ -> Result.done(Written.ACCEPTED));
          case PactStatement.Template _, PactStatement.Dissolution _, PactStatement.Decision _ ->
              Result.refused(
                  Result.Kind.INVALID,
                  "pact_malformed",
                  "expected a note of kind observed, report");
        });
  }

  private Result<Written> observed(PactStatement.Observed said, byte[] note, long now) {
    Result<PactRecord> found = find(said.pact());
    if (!(found instanceof Result.Done<PactRecord>(PactRecord pact))) {
      return again((Result.Refused<PactRecord>) found);
    }
    if (!pact.isParty(said.observer()) || !pact.other(said.observer()).equals(said.party())) {
      return notAParty("the parties of the pact are others");
    }
    if (said.equals(pact.observed().get(said.observer()))) {
      return Result.done(Written.REPEATED);
    }
    Result<Boolean> written =
        append(new PactEntry.Observed(said.pact(), said.observer(), PactEntry.encoded(note), now));
    boolean stands =
        context
            .view()
            .read(state -> state.pact(said.pact()))
            .flatMap(now2 -> Optional.ofNullable(now2.observed().get(said.observer())))
            .filter(said::equals)
            .isPresent();
    if (stands) {
      return Result.done(Written.ACCEPTED);
    }
    return written instanceof Result.Refused<Boolean> refused
        ? again(refused)
        : Result.refused(
            Result.Kind.PRECONDITION,
            "stale_counts",
            "larger counts of this observer, or its last ones, are on the ledger");
  }

  /** Takes a party's word that a pact ends. */
  public Result<PactRecord> dissolve(byte[] note, String party) {
    PactStatementNote.Reading reading = PactStatementNote.unverified(note);
    if (!(reading instanceof PactStatementNote.Reading.Good(PactStatement statement, _))
        || !(statement instanceof PactStatement.Dissolution said)) {
      return counted("dissolve", malformed("pact_malformed", reading));
    }
    if (!said.from().equals(party)) {
      return counted("dissolve", notAParty("it is signed by " + said.from()));
    }
    Result<Boolean> signed = signed(note, party);
    if (signed instanceof Result.Refused<Boolean> refused) {
      return counted("dissolve", again(refused));
    }
    Result<PactRecord> found = find(said.pact());
    if (!(found instanceof Result.Done<PactRecord>(PactRecord pact))) {
      return counted("dissolve", found);
    }
    if (!pact.isParty(party)) {
      return counted("dissolve", notAParty(party + " is no party of this pact"));
    }
    if (isSaid(pact, said)) {
      return counted("dissolve", Result.done(pact));
    }
    Optional<String> responsible =
        said.reason() == Ending.PARTY_WITHDREW ? Optional.of(party) : said.responsible();
    return counted(
        "dissolve",
        end(
            pact,
            new PactEntry.Dissolved(
                pact.id(),
                party,
                said.reason().code(),
                responsible,
                Optional.of(PactEntry.encoded(note)),
                context.store().nowMs()),
            now -> isSaid(now, said)));
  }

  /** True if this word of the party counts already. */
  private static boolean isSaid(PactRecord pact, PactStatement.Dissolution said) {
    boolean ended =
        pact.ended()
            .filter(
                end -> end.by().equals(said.from()) && end.reason().equals(said.reason().code()))
            .isPresent();
    return ended
        || (said.reason() == Ending.WORK_COMPLETED
            && pact.state().talks().completing().contains(said.from()));
  }

  /** Takes the word of a pact's arbiter on a dispute. */
  public Result<PactRecord> decide(byte[] note) {
    PactStatementNote.Reading reading = PactStatementNote.unverified(note);
    if (!(reading instanceof PactStatementNote.Reading.Good(PactStatement statement, _))
        || !(statement instanceof PactStatement.Decision said)) {
      return counted("decide", malformed("pact_malformed", reading));
    }
    Result<PactRecord> found = find(said.pact());
    if (!(found instanceof Result.Done<PactRecord>(PactRecord pact))) {
      return counted("decide", found);
    }
    if (!pact.arbiters().contains(said.arbiter())) {
      return counted(
          "decide",
          Result.refused(
              Result.Kind.DENIED, "not_the_arbiter", "the pact names " + pact.arbiters()));
    }
    Result<Boolean> signed = signed(note, said.arbiter());
    if (signed instanceof Result.Refused<Boolean> refused) {
      return counted("decide", again(refused));
    }
    Function<PactRecord, Boolean> isDecided =
        now ->
            now.decided()
                .filter(one -> one.reason().equals(said.ending().code()))
                .filter(one -> one.responsible().equals(said.responsible()))
                .isPresent();
    if (isDecided.apply(pact)) {
      return counted("decide", Result.done(pact));
    }
    if (pact.state().phase() != Phase.IN_DISPUTE) {
      return counted(
          "decide",
          Result.refused(
              Result.Kind.PRECONDITION,
              "not_disputed",
              "pact " + said.pact() + " is " + pact.status()));
    }
    return counted(
        "decide",
        end(
            pact,
            new PactEntry.Dissolved(
                said.pact(),
                PactEntry.Dissolved.ARBITER + said.arbiter(),
                said.ending().code(),
                said.responsible(),
                Optional.of(PactEntry.encoded(note)),
                context.store().nowMs()),
            isDecided));
  }

  /** Who has signed a template, by its own word; nobody if it is none. */
  public static List<String> author(byte[] note) {
    return PactStatementNote.unverified(note)
            instanceof PactStatementNote.Reading.Good(PactStatement said, _)
        ? List.of(said.signer())
        : List.of();
  }

  private Result<PactRecord> end(
      PactRecord pact, PactEntry.Dissolved entry, Function<PactRecord, Boolean> counts) {
    Phase from = entry.isDecision() ? Phase.IN_DISPUTE : Phase.ACTIVE;
    if (pact.state().phase() != from) {
      return ended(pact);
    }
    // What does not count would make the ledger look unsound.
    Result<Boolean> written = write(entry, () -> !takes(entry, entry.speaker()));
    PactRecord now = context.view().read(state -> state.pact(pact.id())).orElse(pact);
    if (counts.apply(now)) {
      return Result.done(now);
    }
    if (written instanceof Result.Refused<Boolean> refused) {
      return again(refused);
    }
    return now.state().phase() == from
        ? Result.refused(
            Result.Kind.PRECONDITION,
            "wrong_reason",
            "the pact does not end with "
                + entry.reason()
                + " now: the notice is not given, the "
                + "clause does not provide for it, nothing was counted, or its time is over")
        : ended(now);
  }

  private static Result<PactRecord> ended(PactRecord pact) {
    return Result.refused(
        Result.Kind.PRECONDITION, "pact_ended", "pact " + pact.id() + " is " + pact.status());
  }

  /** A pact as it is. */
  public Result<PactRecord> find(String id) {
    return read(state -> state.pact(id))
        .then(found ->
            found
                .map(Result::done)
                .orElseGet(() ->
                    Result.refused(
                        Result.Kind.NOT_FOUND, "pact_unknown", "there is no such pact")));
  }

  /**
   * The newest pacts first.
   *
   * @param party only of this one; empty: of all
   */
  public Result<List<PactRecord>> list(String party, boolean unfinished, int limit) {
    return read(state ->
        (unfinished ? state.openPacts().reversed() : state.pacts(Integer.MAX_VALUE))
            .stream().filter(pact -> party.isEmpty() || pact.isParty(party)).limit(limit).toList());
  }

  /**
   * Pacts that were attested behind an entry, whether they have ended or not, the newest first.
   *
   * @param index of the entry; -1 for all
   */
  public Result<List<PactRecord>> attestedSince(long index, int limit) {
    return read(
        state -> state.pacts(limit).stream().takeWhile(pact -> pact.attestedAt() > index).toList());
  }

  /** How parties have kept their pacts. */
  public Result<SortedMap<String, PactScore>> scores() {
    return read(state -> state.pactScores());
  }

  // ---- time ----

  /** Ends pacts whose time is over. Every replica does; the first entry counts. */
  private void turn() {
    try {
      if (context.view().read(state -> state.openPacts().isEmpty())) {
        return;
      }
      long now = context.store().nowMs();
      List<PactRecord> over =
          context
              .view()
              .read(state ->
                  state.openPacts().stream()
                      .filter(pact -> pact.document().endMs() <= now)
                      .filter(
                          pact -> pact.state().phase() == Phase.ACTIVE || pact.arbiters().isEmpty())
                      .toList());
      if (over.isEmpty() || catchUp().isPresent()) {
        return;
      }
      Set<String> attached = new HashSet<>();
      context.store().sidecars(context.aliveFor()).stream()
          .filter(SidecarRow::attached)
          .forEach(row -> attached.add(row.agent()));
      for (PactRecord pact : over) {
        context
            .view()
            .read(state -> state.pact(pact.id()))
            .filter(PactRecord::isOpen)
            .ifPresent(fresh -> expire(fresh, attached, now));
      }
    } catch (StoreException e) {
      log.atWarn().setCause(e).log("pacts: the store could not be used");
    }
  }

  /** Waits for the last counts of a sidecar that is attached: they show that it is there. */
  private void expire(PactRecord pact, Set<String> attached, long now) {
    long byMs = now - PactRecord.MAX_SKEW_MS;
    boolean isWaitedFor =
        pact.state().phase() == Phase.ACTIVE
            && byMs < pact.document().endMs()
            && (pact.parties().stream().anyMatch(attached::contains)
                || pact.vanished(now).isPresent())
            && !pact.isCounted();
    if (isWaitedFor) {
      return;
    }
    Optional<String> vanished =
        pact.state().phase() == Phase.ACTIVE ? pact.vanished(byMs) : Optional.empty();
    String reason = (vanished.isPresent() ? Ending.TIMEOUT : Ending.VALIDITY_EXPIRED).code();
    append(
        new PactEntry.Dissolved(
            pact.id(), PactEntry.Dissolved.CONTROL, reason, vanished, Optional.empty(), now));
    context.metrics().count(ControlMeter.PACT_EXPIRE, reason);
    log.atInfo()
        .addKeyValue("pact", pact.id())
        .addKeyValue("reason", reason)
        .addKeyValue("responsible", vanished.orElse(""))
        .log("a pact's time is over");
  }

  // ---- the ledger ----

  private <T> Result<T> read(Function<LedgerState, T> question) {
    Optional<Result.Refused<Boolean>> behind = catchUp();
    return behind.isPresent() ? again(behind.get()) : Result.done(context.view().read(question));
  }

  private Optional<Result.Refused<Boolean>> catchUp() {
    try {
      context.view().catchUp();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          new Result.Refused<>(
              Result.Kind.UNAVAILABLE,
              "ledger_unavailable",
              "the ledger cannot be read now: " + e.getMessage()));
    }
  }

  /** Writes an entry unless it stands already. */
  private Result<Boolean> write(PactEntry entry, BooleanSupplier stands) {
    Optional<Result.Refused<Boolean>> behind = catchUp();
    if (behind.isPresent()) {
      return behind.get();
    }
    return stands.getAsBoolean() ? Result.done(false) : append(entry);
  }

  /** Appends and reads up to it. Whether it counts, the state says. */
  private Result<Boolean> append(PactEntry entry) {
    AppendResult result = context.ledger().append(List.<Entry>of(entry));
    Optional<Result.Refused<Boolean>> behind = catchUp();
    return switch (result) {
      case AppendResult.Refused refused ->
          Result.refused(
              Result.Kind.UNAVAILABLE,
              "ledger_unavailable",
              "the ledger takes nothing now: " + refused.fault().code());
      case AppendResult.Appended _ when behind.isPresent() -> behind.get();
      case AppendResult.Appended _ -> Result.done(true);
    };
  }

  private Result<Boolean> signed(byte[] note, String signer) {
    long now = context.store().nowMs();
    return read(state -> state.partyKeys(signer, now))
        .then(keys -> {
          if (keys.isEmpty()) {
            return Result.refused(
                Result.Kind.NOT_FOUND, "key_unknown", "there is no key of " + signer);
          }
          return PactStatementNote.verify(note, keys)
                  instanceof PactStatementNote.Reading.Refused(_, String detail)
              ? Result.refused(Result.Kind.INVALID, "note_bad_signature", detail)
              : Result.done(true);
        });
  }

  // ---- refusals ----

  private <T> Result<T> counted(String call, Result<T> result) {
    return context.metrics().counted(ControlMeter.ofCall("PACT", call), result);
  }

  private static <T> Result<T> again(Result.Refused<?> refused) {
    return new Result.Refused<>(refused.kind(), refused.reason(), refused.message());
  }

  private static <T> Result<T> unwritten(Result<Boolean> written) {
    return written instanceof Result.Refused<Boolean> refused
        ? again(refused)
        : Result.refused(
            Result.Kind.PRECONDITION, "key_unknown", "a key has changed meanwhile; ask again");
  }

  private static <T> Result<T> notAParty(String why) {
    return Result.refused(Result.Kind.DENIED, "not_a_party", why);
  }

  private static <T> Result<T> invalid(String code, IllegalArgumentException bad) {
    return Result.refused(Result.Kind.INVALID, code, String.valueOf(bad.getMessage()));
  }

  private static <T> Result<T> malformed(String code, PactStatementNote.Reading reading) {
    return Result.refused(
        Result.Kind.INVALID,
        code,
        reading instanceof PactStatementNote.Reading.Refused(_, String detail)
            ? detail
            : "it is a statement of another kind");
  }

  private static <T> Result<T> refused(PactNote.Reading.Refused bad) {
    String code =
        switch (bad.fault()) {
          case PACT_NOT_SIGNED, PACT_SAME_KEY, NOTE_BAD_SIGNATURE -> bad.fault().code();
          case NOTE_TOO_LARGE -> "pact_too_large";
          default -> "pact_malformed";
        };
    return Result.refused(Result.Kind.INVALID, code, bad.fault().code() + ": " + bad.detail());
  }

  @Override
  public void close() {
    drive.close();
  }
}
