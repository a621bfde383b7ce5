package dev.parlance.ledger.record;

import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.record.RecomputationReport.Disagreement;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.Entrenchment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Recomputes every decision, every core, every round's outcome and every board of coined terms from
 * a ledger's entries alone, in one pass: feed the entries in order, then ask for the report. Goes
 * on after a disagreement with what follows from the tests, so that a lie is reported where it
 * stands and not again in everything after it.
 */
public final class Recomputation {
  /** Most disagreements listed; further ones are counted. */
  public static final int MAX_LISTED = 1000;

  private static final int MAX_SHOWN = 512;

  /** A verifier's clock may be so much behind, in milliseconds. */
  private static final long MAX_BEHIND_MS = 600_000;

  private final LedgerState state;
  private final MemberKeys members;
  private final RoundTally rounds = new RoundTally();
  private final BoardTally boards = new BoardTally();
  private final List<Disagreement> disagreements = new ArrayList<>();

  /** By audit under way, the version that its core must have. */
  private final Map<String, Long> versions = new HashMap<>();

  /** The last end of a pact by its time, as entries have it, and where it stands. */
  private long timeMs = -1;

  private long timeIndex;
  private long disagreementCount;
  private long entries;
  private long plans;
  private long tests;
  private long unanswered;
  private long audits;
  private long failed;
  private long decisions;
  private long cores;
  private long fenced;
  private long duplicates;
  private long reviews;
  private long pacts;

  /** Takes the keys of members from the ledger. */
  public Recomputation() {
    this(MemberKeys.OF_LEDGER);
  }

  /** Asks for the signatures of members whose keys the reader has. */
  public Recomputation(MemberKeys members) {
    this.members = members;
    this.state = new LedgerState(members);
  }

  /** The same, with the members' keys that are on the ledger. */
  public static RecomputationReport of(LogView log, long nowMs) throws IOException {
    return of(log, MemberKeys.OF_LEDGER, nowMs);
  }

  /**
   * All entries of a log as one checkpoint has it.
   *
   * @param nowMs what time it is
   */
  public static RecomputationReport of(LogView log, MemberKeys members, long nowMs)
      throws IOException {
    Recomputation recomputation = new Recomputation(members);
    log.forEach(0, log.size(), recomputation::entry);
    return recomputation.report(nowMs);
  }

  /** Takes the next entry's bytes. */
  public void entry(long index, byte[] bytes) {
    entries++;
    switch (EntryCodec.decode(bytes)) {
      case EntryCodec.Decoded.Read(Entry entry) -> entry(index, entry);
      case EntryCodec.Decoded.Unreadable(String reason) ->
          disagree(
              index,
              "unreadable_entry",
              shown(new String(bytes, StandardCharsets.UTF_8)),
              "an entry (" + reason + ")");
    }
  }

  /**
   * What was found so far.
   *
   * @param nowMs what time it is
   */
  public RecomputationReport report(long nowMs) {
    time(nowMs, MAX_BEHIND_MS);
    if (members.isPinned()) {
      rounds.unsigned(state, members).forEach(this::disagree);
    }
    return new RecomputationReport(
        entries,
        plans,
        tests,
        unanswered,
        audits,
        failed,
        decisions,
        cores,
        fenced,
        duplicates,
        rounds.report(state),
        new RecomputationReport.Pacts(
            pacts,
            state.pacts(Integer.MAX_VALUE).size(),
            state.openPacts().size(),
            state.pactScores().size()),
        boards.report(state),
        reviews,
        state.running().stream().map(AuditState::id).sorted().toList(),
        disagreements,
        disagreementCount);
  }

  private void entry(long index, Entry entry) {
    if (entry instanceof Entry.CoreIssued core) {
      versions.putIfAbsent(core.audit(), state.coreVersion(core.core()) + 1);
    }
    if (entry instanceof PactEntry) {
      time(entry.atMs(), PactRecord.MAX_SKEW_MS);
    }
    switch (state.apply(index, entry)) {
      case Applied.Counted _ -> count(index, entry);
      case Applied.Settled(Settlement settlement) -> settled(index, settlement);
      case Applied.Ignored(Applied.Cause cause) -> ignored(index, entry, cause);
    }
  }

  private void ignored(long index, Entry entry, Applied.Cause cause) {
    if (cause.isOfBoard()) {
      boards.refused++;
      return;
    }
    switch (cause) {
      case FENCED, ENDED_ALREADY -> fenced++;
      case DUPLICATE -> duplicates++;
      case LATE, EQUIVOCATED, ROUND_EXISTS -> rounds.overtaken(index, cause);
      case PACT_ENDED, COUNTS_FALL -> fenced++;
      default -> {
        if (cause == Applied.Cause.CONTRADICTS_EARLIER
            && entry instanceof RoundEntry.Decided stands) {
          disagree(RoundTally.contradicts(index, cause, stands, state));
        } else {
          disagree(index, cause.code(), shown(EntryCodec.line(entry)), "that it has no place here");
        }
      }
    }
  }

  private void count(long index, Entry entry) {
    switch (entry) {
      case Entry.Plan _ -> plans++;
      case Entry.Test _ -> tests++;
      case Entry.Unanswered _ -> unanswered++;
      case Entry.Renegotiated offer -> entrenchment(index, offer);
      case Entry.PlanPart _, Entry.AuditPart _, Entry.Opened _ -> {}
      case Entry.TakenOver _, Entry.Decided _, Entry.CoreIssued _, Entry.Closed _ -> {}
      case RoundEntry round -> rounds.counted(index, round, state).ifPresent(this::disagree);
      case PactEntry pact -> {
        pacts++;
        if (pact instanceof PactEntry.Dissolved end
            && end.by().equals(PactEntry.Dissolved.CONTROL)
            && end.atMs() > timeMs) {
          timeMs = end.atMs();
          timeIndex = index;
        }
      }
      case LexiconEntry ofBoard -> boards.counted(ofBoard);
      case Entry.ReviewDecided _ -> reviews++;
    }
  }

  /** Whoever ends a pact for its time has waited for it. */
  private void time(long laterMs, long skewMs) {
    if (timeMs - skewMs > laterMs) {
      disagree(timeIndex, "time_in_future", "an end at " + timeMs, "one by " + laterMs);
      timeMs = -1;
    }
  }

  private void entrenchment(long index, Entry.Renegotiated offer) {
    String domain =
        state
            .audit(offer.audit())
            .orElseThrow(() -> new IllegalStateException("counted without an audit"))
            .plan()
            .core()
            .domain();
    Entrenchment follows =
        Auditor.entrenchment(state, domain, offer.term(), offer.entrenched(), offer.other());
    if (!follows.entrenched().equals(offer.entrenched())
        || follows.decidedEntrenched() != offer.decidedEntrenched()
        || follows.decidedOther() != offer.decidedOther()) {
      disagree(index, "entrenchment_differs", shown(EntryCodec.line(offer)), follows.toString());
    }
  }

  private void settled(long index, Settlement settlement) {
    audits++;
    if (settlement.failure().isPresent()) {
      failed++;
    }
    if (!settlement.seedOpens()) {
      disagree(
          index,
          "seed_mismatch",
          "a seed that is not the one committed to",
          "SHA-256 " + settlement.audit().opened().drawCommitment());
      return;
    }
    for (long test : settlement.notDrawn()) {
      disagree(test, "not_drawn", "a test on this event", "a draw without it");
    }
    boolean saysExhausted = settlement.failure().filter("events_exhausted"::equals).isPresent();
    if (settlement.exhausted() && settlement.failure().isEmpty()) {
      disagree(index, "events_exhausted", "a completed audit", "too few fresh events for a term");
    }
    if (saysExhausted && !settlement.exhausted()) {
      disagree(index, "events_exhausted", "failure events_exhausted", "enough fresh events");
    }
    decisions(index, settlement);
    core(index, settlement);
    versions.remove(settlement.audit().id());
  }

  private record About(List<String> pair, String term) {}

  private void decisions(long index, Settlement settlement) {
    Map<About, Entry.Decided> due = new HashMap<>();
    settlement.due().forEach(one -> due.put(new About(one.agents(), one.term()), one));
    Set<About> seen = new HashSet<>();
    for (Settlement.Indexed<Entry.Decided> found : settlement.found()) {
      Entry.Decided stands = found.entry();
      About about = new About(stands.agents(), stands.term());
      seen.add(about);
      Entry.Decided follows = due.get(about);
      if (follows == null) {
        disagree(
            found.index(),
            "decision_not_due",
            shown(EntryCodec.line(stands)),
            settlement.failure().isPresent()
                ? "no decision, since the audit failed"
                : "no decision, since the term was not adopted");
      } else if (Auditor.isSame(follows, stands)) {
        decisions++;
      } else {
        disagree(found.index(), "decision_differs", numbers(stands), numbers(follows));
      }
    }
    for (Entry.Decided one : settlement.due()) {
      if (!seen.contains(new About(one.agents(), one.term()))) {
        disagree(index, "decision_missing", "no decision", shown(EntryCodec.line(one)));
      }
    }
  }

  private void core(long index, Settlement settlement) {
    if (settlement.issued().isEmpty()) {
      if (!settlement.due().isEmpty()) {
        disagree(index, "core_missing", "no core", "a core after the decisions");
      }
      return;
    }
    long at = settlement.issued().get().index();
    Entry.CoreIssued stands = settlement.issued().get().entry();
    if (settlement.due().isEmpty()) {
      disagree(at, "core_not_due", shown(EntryCodec.line(stands)), "no core without decisions");
      return;
    }
    boolean sound = true;
    long version = versions.getOrDefault(stands.audit(), stands.version());
    if (version != stands.version()) {
      disagree(at, "core_version_differs", "version " + stands.version(), "version " + version);
      sound = false;
    }
    long least = settlement.audit().lastDecisionIndex() + 1;
    if (stands.ledgerSize() < least || stands.ledgerSize() > at) {
      disagree(
          at,
          "ledger_size_differs",
          "ledger size " + stands.ledgerSize(),
          "one from " + least + " to " + at);
      sound = false;
    }
    CertifiedCore core =
        Auditor.core(state, stands.audit(), stands.version(), stands.atMs(), stands.ledgerSize());
    Entry.CoreIssued follows = Auditor.issued(stands.audit(), stands.epoch(), core);
    if (!follows.equals(stands)) {
      disagree(at, "core_differs", shown(EntryCodec.line(stands)), shown(EntryCodec.line(follows)));
      sound = false;
    }
    if (sound) {
      cores++;
    }
  }

  private static String numbers(Entry.Decided decided) {
    StringBuilder out = new StringBuilder();
    out.append(String.join("+", decided.agents())).append(' ').append(decided.term());
    out.append(' ').append(decided.outcome().code());
    decided.reason().ifPresent(reason -> out.append(" (").append(reason.code()).append(')'));
    out.append(", audited ").append(decided.audited());
    out.append(", eligible ").append(decided.eligible());
    out.append(", contradictions ").append(decided.contradictions());
    out.append(", unanswered ").append(decided.unanswered());
    out.append(", upper ").append(decided.upper());
    out.append(", coverage ").append(decided.coverage());
    decided.cusum().ifPresent(cusum -> out.append(", cusum ").append(cusum));
    return out.toString();
  }

  private void disagree(long index, String code, String stands, String follows) {
    disagreementCount++;
    if (disagreements.size() < MAX_LISTED) {
      disagreements.add(new Disagreement(index, code, stands, follows));
    }
  }

  private void disagree(Disagreement one) {
    disagree(one.index(), one.code(), shown(one.stands()), shown(one.follows()));
  }

  /** Fit for a terminal: whoever wrote the entry may want to write to the screen as well. */
  private static String shown(String text) {
    String printable = text.replaceAll("[\\p{Cntrl}\\p{Cf}\\ufffd]", "?");
    return printable.length() > MAX_SHOWN ? printable.substring(0, MAX_SHOWN) + "..." : printable;
  }

  /** Counts entries of boards. */
  private static final class BoardTally {
    private long opened;
    private long turns;
    private long coined;
    private long challenged;
    private long repaired;
    private long shared;
    private long promoted;
    private long retired;
    private long retracted;
    private long refused;

    void counted(LexiconEntry entry) {
      switch (entry) {
        case LexiconEntry.BoardOpened _ -> opened++;
        case LexiconEntry.Used _ -> turns++;
        case LexiconEntry.Coined _ -> coined++;
        case LexiconEntry.Challenged _ -> challenged++;
        case LexiconEntry.Repaired _ -> repaired++;
        case LexiconEntry.Shared _ -> shared++;
        case LexiconEntry.Promoted _ -> promoted++;
        case LexiconEntry.Retired _ -> retired++;
        case LexiconEntry.Retracted _ -> retracted++;
      }
    }

    RecomputationReport.Boards report(LedgerState state) {
      return new RecomputationReport.Boards(
          opened,
          turns,
          coined,
          challenged,
          repaired,
          shared,
          promoted,
          retired,
          retracted,
          refused,
          state.boards(MAX_LISTED).stream()
              .map(board -> RecomputationReport.KeptBoard.of(board, state.boardFacts(board.id())))
              .toList(),
          state.boardCount());
    }
  }
}
