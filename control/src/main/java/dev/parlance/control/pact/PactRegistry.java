package dev.parlance.control.pact;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.store.Store;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.PactRecord;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.service.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * The pacts of a control plane. Any replica takes any call; what counts is the order of the ledger
 * ({@code ledger.record.PactLedger}), so a call writes an entry and then looks what it came to.
 * What a call writes is durable when it returns, and repeating it is safe. For any number of
 * threads; blocks.
 */
public final class PactRegistry implements AutoCloseable {
  /** Most pacts that hold at a time. */
  static final int MOST_OPEN = 100_000;

  /** Most of one party that brings another one, once half of the room is taken. */
  static final int MOST_OF_PARTY = MOST_OPEN / 10;

  private final PactContext context;
  private final PactDesk desk;
  private final PactCases cases;
  private final PartyDirectory parties;
  private final PactExpiry expiry;

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
    this.desk = new PactDesk(context);
    this.cases = new PactCases(context, desk);
    this.parties = new PartyDirectory(context, desk, cases);
    this.expiry = new PactExpiry(context, desk);
  }

  /** What came of writing, and what there is now. */
  public enum Written {
    /** It counts. */
    ACCEPTED,
    /** The ledger says it already, or has another report of this party on the negotiation. */
    REPEATED
  }

  /** Keys and templates of parties. */
  public PartyDirectory parties() {
    return parties;
  }

  /** Negotiations that were handed to arbiters. */
  public PactCases cases() {
    return cases;
  }

  /** Puts a ratified pact on the ledger. */
  public Result<PactRecord> attest(byte[] note, String party) {
    if (note.length > PactEntry.MAX_NOTE_BYTES) {
      return desk.counted(
          "attest",
          Result.refused(
              Result.Kind.INVALID,
              "pact_too_large",
              "expected at most " + PactEntry.MAX_NOTE_BYTES + " bytes, got " + note.length));
    }
    PactNote.Reading claimed = PactNote.unverified(note);
    if (!(claimed instanceof PactNote.Reading.Good good)) {
      return desk.counted("attest", refused((PactNote.Reading.Refused) claimed));
    }
    if (!good.document().isParty(party)) {
      return desk.counted("attest", PactDesk.notAParty(party + " is no party of this pact"));
    }
    Optional<Result.Refused<Boolean>> behind = desk.catchUp();
    if (behind.isPresent()) {
      return desk.counted("attest", PactDesk.again(behind.get()));
    }
    String id = good.document().pact();
    Optional<PactRecord> known = context.view().read(state -> state.pact(id));
    if (known.isPresent()) {
      return desk.counted("attest", same(known.get(), good.textSha256()));
    }
    long now = context.store().nowMs();
    List<VerifierKey> keys = new ArrayList<>();
    for (String one : List.of(good.document().initiator(), good.document().responder())) {
      List<VerifierKey> of = context.view().read(state -> state.partyKeys(one, now));
      if (of.isEmpty()) {
        return desk.counted(
            "attest",
            Result.refused(Result.Kind.NOT_FOUND, "key_unknown", "there is no key of " + one));
      }
      keys.addAll(of);
    }
    if (PactNote.verify(note, keys) instanceof PactNote.Reading.Refused bad) {
      return desk.counted("attest", refused(bad));
    }
    if (good.document().endMs() <= now) {
      return desk.counted(
          "attest",
          Result.refused(
              Result.Kind.PRECONDITION,
              "pact_expired",
              "it has ended at " + good.document().endMs() + ", now is " + now));
    }
    if (context.view().read(state -> isCrowded(state.openPacts(), party))) {
      return desk.counted(
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
      return desk.counted(
          "attest",
          // Its attestation may be on its way.
          Result.refused(
              Result.Kind.UNAVAILABLE,
              "replaces_none",
              "the two parties have no pact " + old.get() + " here"));
    }
    PactEntry.Attested entry =
        new PactEntry.Attested(id, good.textSha256(), party, PactEntry.encoded(note), now);
    Result<Boolean> written = desk.append(entry);
    // Another replica may have been faster, or the answer was lost: what stands decides.
    return desk.counted(
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
      return desk.counted("report", PactDesk.malformed("pact_malformed", reading));
    }
    if (!said.signer().equals(party)) {
      return desk.counted("report", PactDesk.notAParty("it is signed by " + said.signer()));
    }
    Result<Boolean> signed = desk.signed(note, party);
    if (signed instanceof Result.Refused<Boolean> refused) {
      return desk.counted("report", PactDesk.again(refused));
    }
    long now = context.store().nowMs();
    return desk.counted(
        "report",
        switch (said) {
          case PactStatement.Observed observed -> observed(observed, note, now);
          case PactStatement.Report report when report.handed().isPresent() ->
              escalated(report.handed().get(), note, now);
          case PactStatement.Report report ->
              desk.writeAlone(
                      new PactEntry.Reported(
                          report.negotiation(), party, PactEntry.encoded(note), now),
                      party,
                      () -> isReported(party, report.negotiation()))
                  .then(isNew -> Result.done(isNew ? Written.ACCEPTED : Written.REPEATED));
          case PactStatement.Template _, PactStatement.Dissolution _, PactStatement.Decision _ ->
              Result.refused(
                  Result.Kind.INVALID,
                  "pact_malformed",
                  "expected a note of kind observed, report");
        });
  }

  private boolean isReported(String reporter, String negotiation) {
    return context.view().read(state -> state.isReported(reporter, negotiation));
  }

  private Result<Written> escalated(PactCase open, byte[] note, long now) {
    if (isHanded(open)) {
      return Result.done(Written.REPEATED);
    }
    Optional<Result.Refused<Boolean>> full = cases.full(open, now);
    if (full.isPresent()) {
      return PactDesk.again(full.get());
    }
    if (desk.cosigned(note, open.responder()) instanceof Result.Refused<Boolean> unsigned) {
      return PactDesk.again(unsigned);
    }
    Result<Boolean> written =
        desk.writeAlone(
            new PactEntry.Reported(
                open.negotiation(), open.initiator(), PactEntry.encoded(note), now),
            open.initiator(),
            () -> isReported(open.initiator(), open.negotiation()));
    if (isHanded(open)) {
      return Result.done(Written.ACCEPTED);
    }
    return written instanceof Result.Refused<Boolean> refused
        ? PactDesk.again(refused)
        : Result.refused(
            Result.Kind.EXISTS, "case_exists", "it was reported otherwise before, or is of others");
  }

  private boolean isHanded(PactCase open) {
    return context
        .view()
        .read(state -> state.escalations().stream().anyMatch(one -> one.handed().equals(open)));
  }

  private Result<Written> observed(PactStatement.Observed said, byte[] note, long now) {
    Result<PactRecord> found = find(said.pact());
    if (!(found instanceof Result.Done<PactRecord>(PactRecord pact))) {
      return PactDesk.again((Result.Refused<PactRecord>) found);
    }
    if (!pact.isParty(said.observer()) || !pact.other(said.observer()).equals(said.party())) {
      return PactDesk.notAParty("the parties of the pact are others");
    }
    if (said.equals(pact.observed().get(said.observer()))) {
      return Result.done(Written.REPEATED);
    }
    PactEntry.Observed entry =
        new PactEntry.Observed(said.pact(), said.observer(), PactEntry.encoded(note), now);
    Result<Boolean> written =
        desk.writeCounts(entry, () -> !context.view().read(state -> state.counts(entry)));
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
        ? PactDesk.again(refused)
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
      return desk.counted("dissolve", PactDesk.malformed("pact_malformed", reading));
    }
    if (!said.from().equals(party)) {
      return desk.counted("dissolve", PactDesk.notAParty("it is signed by " + said.from()));
    }
    Result<Boolean> signed = desk.signed(note, party);
    if (signed instanceof Result.Refused<Boolean> refused) {
      return desk.counted("dissolve", PactDesk.again(refused));
    }
    Result<PactRecord> found = find(said.pact());
    if (!(found instanceof Result.Done<PactRecord>(PactRecord pact))) {
      return desk.counted("dissolve", found);
    }
    if (!pact.isParty(party)) {
      return desk.counted("dissolve", PactDesk.notAParty(party + " is no party of this pact"));
    }
    if (isSaid(pact, said)) {
      return desk.counted("dissolve", Result.done(pact));
    }
    Optional<String> responsible =
        said.reason() == Ending.PARTY_WITHDREW ? Optional.of(party) : said.responsible();
    return desk.counted(
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
      return desk.counted("decide", PactDesk.malformed("pact_malformed", reading));
    }
    Result<PactRecord> found = find(said.pact());
    if (!(found instanceof Result.Done<PactRecord>(PactRecord pact))) {
      return desk.counted("decide", found);
    }
    if (!pact.arbiters().contains(said.arbiter())) {
      return desk.counted(
          "decide",
          Result.refused(
              Result.Kind.DENIED, "not_the_arbiter", "the pact names " + pact.arbiters()));
    }
    Result<Boolean> signed = desk.signed(note, said.arbiter());
    if (signed instanceof Result.Refused<Boolean> refused) {
      return desk.counted("decide", PactDesk.again(refused));
    }
    Function<PactRecord, Boolean> isDecided =
        now ->
            now.decided()
                .filter(one -> one.reason().equals(said.ending().code()))
                .filter(one -> one.responsible().equals(said.responsible()))
                .isPresent();
    if (isDecided.apply(pact)) {
      return desk.counted("decide", Result.done(pact));
    }
    if (pact.state().phase() != Phase.IN_DISPUTE) {
      return desk.counted(
          "decide",
          Result.refused(
              Result.Kind.PRECONDITION,
              "not_disputed",
              "pact " + said.pact() + " is " + pact.status()));
    }
    return desk.counted(
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
    Result<Boolean> written = desk.write(entry, () -> !desk.takes(entry, entry.speaker()));
    PactRecord now = context.view().read(state -> state.pact(pact.id())).orElse(pact);
    if (counts.apply(now)) {
      return Result.done(now);
    }
    if (written instanceof Result.Refused<Boolean> refused) {
      return PactDesk.again(refused);
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
    return desk.read(state -> state.pact(id))
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
    return desk.read(state ->
        (unfinished ? state.openPacts().reversed() : state.pacts(Integer.MAX_VALUE))
            .stream().filter(pact -> party.isEmpty() || pact.isParty(party)).limit(limit).toList());
  }

  /**
   * Pacts that were attested behind an entry, whether they have ended or not, the newest first.
   *
   * @param index of the entry; -1 for all
   */
  public Result<List<PactRecord>> attestedSince(long index, int limit) {
    return desk.read(
        state -> state.pacts(limit).stream().takeWhile(pact -> pact.attestedAt() > index).toList());
  }

  /** How parties have kept their pacts. */
  public Result<SortedMap<String, PactScore>> scores() {
    return desk.read(state -> state.pactScores());
  }

  private static <T> Result<T> unwritten(Result<Boolean> written) {
    return written instanceof Result.Refused<Boolean> refused
        ? PactDesk.again(refused)
        : Result.refused(
            Result.Kind.PRECONDITION, "key_unknown", "a key has changed meanwhile; ask again");
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
    expiry.close();
  }
}
