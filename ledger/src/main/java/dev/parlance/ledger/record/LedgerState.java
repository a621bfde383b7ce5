package dev.parlance.ledger.record;

import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.ledger.record.EntryParts.PartsInbox;
import dev.parlance.ledger.record.PactRecord.Escalated;
import dev.parlance.ledger.record.Settling.CoreHistory;
import dev.parlance.ledger.record.Settling.PlanHistory;
import dev.parlance.ledger.record.Settling.VerdictCounts;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactScore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * What the entries of a ledger, one after the other, come to: plans, the audit under way, and what
 * closed audits have decided. The rules are those of {@code docs/evidence.md}. Outcomes come from
 * the tests, never from what decisions on the ledger claim; who runs an audit writes what {@link
 * Auditor} says, and {@link Recomputation} finds who did not. The same goes for rounds, whose
 * outcomes come from the proposals.
 *
 * <p>Keeps no test of a closed audit, only which events are used up, how often each agent was
 * decided on each term, and the state of each pair's term. Not for several threads.
 */
public final class LedgerState {
  private final PartsInbox parts = new PartsInbox();
  private final Map<String, PlanHistory> plans = new HashMap<>();
  private final Map<String, AuditState> audits = new HashMap<>();
  private final Set<AuditState> running = new HashSet<>();
  private final Map<CoreId, CoreHistory> cores = new HashMap<>();
  private final VerdictCounts verdicts = new VerdictCounts();
  private final RoundLedger rounds = new RoundLedger();
  private final MemberKeys members;
  private final PactLedger pacts = new PactLedger();
  private final LexiconLedger lexicon = new LexiconLedger();
  private final Reviews reviews = new Reviews();

  /**
   * By core, terms with another meaning than the one that was audited. The next audit forgets what
   * was decided of them; one under way ends as it was begun, and its core can still be had.
   */
  private final Map<CoreId, Set<String>> repaired = new HashMap<>();

  /** A ledger whose members' keys are those on it. */
  public LedgerState() {
    this(MemberKeys.OF_LEDGER);
  }

  /** A ledger as somebody sees it who may have the members' keys from elsewhere. */
  public LedgerState(MemberKeys members) {
    this.members = members;
  }

  /** Takes the entry at this index in; entries come in the order of the ledger, each once. */
  public Applied apply(long index, Entry entry) {
    return switch (entry) {
      case Entry.PlanPart part -> parts.add(part);
      case Entry.AuditPart part -> parts.add(part);
      case Entry.Plan plan -> plan(plan);
      case Entry.Opened opened -> opened(index, opened);
      case Entry.OfAudit ofAudit -> ofAudit(index, ofAudit);
      case RoundEntry round ->
          rounds.apply(index, round, member -> memberKeys(member, round.atMs()));
      case PactEntry pact -> pacts.apply(index, pact);
      case LexiconEntry ofBoard -> ofBoard(index, ofBoard);
      case Entry.ReviewDecided review -> reviews.apply(review);
    };
  }

  /** What persons have decided about an item beside an agent, if that was lately. */
  public Optional<Entry.ReviewDecided> review(String agent, String item) {
    return reviews.find(agent, item);
  }

  // ---- what the runner of audits asks ----

  /** The newest revision of a plan. */
  public Optional<PlanState> plan(String name) {
    return Optional.ofNullable(plans.get(name)).flatMap(PlanHistory::latest);
  }

  /** That revision of a plan, if it is the newest on the ledger. */
  public Optional<PlanState> plan(String name, long revision) {
    return plan(name).filter(plan -> plan.plan().revision() == revision);
  }

  /** The audit with this id. */
  public Optional<AuditState> audit(String id) {
    return Optional.ofNullable(audits.get(id));
  }

  /** Audits that were opened and have not ended. */
  public Collection<AuditState> running() {
    return List.copyOf(running);
  }

  /**
   * Draws an audit's events. Who runs it knows the seed before it is on the ledger.
   *
   * @return false, and nothing changed, if the seed is not the one committed to
   */
  public boolean reveal(String audit, byte[] seed) {
    AuditState state =
        audit(audit).orElseThrow(() -> new IllegalArgumentException("no audit " + audit));
    if (!Draw.commitment(seed).equals(state.opened().drawCommitment())) {
      return false;
    }
    if (!state.isClosed() && !state.isDrawn()) {
      Map<String, List<String>> draws = new HashMap<>();
      PlanState plan = state.plan();
      PlanHistory history = history(plan.plan().plan());
      for (String term : state.terms()) {
        draws.put(
            term,
            Draw.of(seed, term, plan.pool(), history.used(term), plan.plan().eventsPerTerm()));
      }
      state.draw(draws);
    }
    return true;
  }

  /** Whether the pool has too few fresh events for one of the audit's terms. */
  public boolean isExhausted(AuditState audit) {
    return history(audit.plan().plan().plan()).exhausted(audit.plan(), audit.terms());
  }

  /** Whether an audit of these terms that is opened now would find too few fresh events. */
  public boolean isExhausted(PlanState plan, List<String> terms) {
    return history(plan.plan().plan()).exhausted(plan, terms);
  }

  /** The events that closed audits of the plan have asked about with this term. */
  public Set<String> usedEvents(String plan, String term) {
    return history(plan).used(term);
  }

  /** Version of the last core of these agents and this domain; 0 if there is none. */
  public long coreVersion(CoreId id) {
    return core(id).version();
  }

  /** How often closed audits in this domain have had the agent decided on the term. */
  public int decidedVerdicts(String domain, String agent, String term) {
    return verdicts.of(domain, agent, term);
  }

  /** What was last decided for the pair on the term. */
  public Optional<Entry.Outcome> outcome(CoreId id, List<String> pair, String term) {
    return core(id).of(pair, term).flatMap(CoreHistory.PairTerm::outcome);
  }

  /** Where a term of the plan stands between its agents. */
  public TermStatus status(PlanState plan, String term) {
    if (repaired.getOrDefault(plan.core(), Set.of()).contains(term)) {
      return TermStatus.UNTESTED;
    }
    List<Optional<Entry.Outcome>> outcomes = new ArrayList<>();
    for (List<String> pair : plan.pairs()) {
      outcomes.add(outcome(plan.core(), pair, term));
    }
    return CoreHistory.status(outcomes);
  }

  // ---- rounds ----

  private List<VerifierKey> memberKeys(String member, long atMs) {
    return members.isPinned() ? members.of(member) : pacts.keys(member, atMs);
  }

  /** That epoch of a round. */
  public Optional<RoundRecord> round(RoundId id) {
    return rounds.of(id);
  }

  /** The newest epoch of a round. */
  public Optional<RoundRecord> round(String name) {
    return rounds.newest(name);
  }

  /** Rounds that have not ended, oldest first. */
  public List<RoundRecord> unfinishedRounds() {
    return rounds.unfinished();
  }

  /** The newest rounds first. */
  public List<RoundRecord> rounds(int limit) {
    return rounds.last(limit);
  }

  // ---- pacts ----

  /** The pact with this id. */
  public Optional<PactRecord> pact(String id) {
    return pacts.of(id);
  }

  /** Pacts that hold or are disputed, oldest first. */
  public List<PactRecord> openPacts() {
    return pacts.open();
  }

  /** The newest pacts first. */
  public List<PactRecord> pacts(int limit) {
    return pacts.last(limit);
  }

  /** A template by its reference, {@code AUTHOR/NAME@VERSION}. */
  public Optional<PactEntry.TemplatePut> template(String reference) {
    return pacts.template(reference);
  }

  /** The keys of its author that counted when a template was published. */
  public List<VerifierKey> templateKeys(String reference) {
    return pacts.templateKeys(reference);
  }

  /** Negotiations that were handed to arbiters, oldest first. */
  public List<Escalated> escalations() {
    return pacts.escalations();
  }

  /** Why a case is not decided by this at that time; empty if it is. */
  public Optional<Applied.Cause> wrong(PactCase decided, long atMs) {
    return pacts.wrong(decided, atMs);
  }

  /** All templates, oldest first. */
  public List<PactEntry.TemplatePut> templates() {
    return pacts.templates();
  }

  /** The keys of a party that count at that time, newest first; none for a stranger. */
  public List<VerifierKey> partyKeys(String party, long atMs) {
    return pacts.keys(party, atMs);
  }

  /**
   * Whether an end or a key would count, or be no fault, if its entry was written now.
   *
   * @param speaker whose key or word it is
   */
  public boolean takes(PactEntry entry, String speaker) {
    return !(pacts.trial(entry, speaker) instanceof Applied.Ignored(Applied.Cause cause))
        || cause.isExpected();
  }

  /** Whether counts of an observer would count if they were written now. */
  public boolean counts(PactEntry.Observed entry) {
    return pacts.trial(entry, entry.observer()) instanceof Applied.Counted;
  }

  /** Whether a party has reported a negotiation, of which one report counts. */
  public boolean isReported(String reporter, String negotiation) {
    return pacts.isReported(reporter, negotiation);
  }

  /** How every party has kept its pacts ({@code pact-score-1}). */
  public SortedMap<String, PactScore> pactScores() {
    return pacts.scores();
  }

  // ---- boards of coined terms ----

  /** The board with this id; empty if it was not opened, or is forgotten. */
  public Optional<BoardRecord> board(String id) {
    return lexicon.of(id);
  }

  /** Boards, the last changed first. */
  public List<BoardRecord> boards(int limit) {
    return lexicon.last(limit);
  }

  /** How many boards there are. */
  public int boardCount() {
    return lexicon.count();
  }

  /** What became of a turn, by its digest; empty if the board does not know it. */
  public Optional<BoardRecord.TurnRecord> boardTurn(String board, String turn) {
    return lexicon.turn(board, turn);
  }

  /** The facts of all turns of a board in their order; none of a board that there is not. */
  public List<TurnFacts> boardFacts(String board) {
    return lexicon.facts(board);
  }

  private Applied ofBoard(long index, LexiconEntry entry) {
    Applied applied = lexicon.apply(index, entry);
    if (applied.equals(Applied.COUNTED) && entry instanceof LexiconEntry.Repaired repair) {
      lexicon
          .promotion(repair.board(), repair.ref())
          .flatMap(promoted -> plan(promoted.plan()))
          .ifPresent(plan ->
              repaired.computeIfAbsent(plan.core(), _ -> new HashSet<>()).add(repair.key()));
    }
    return applied;
  }

  CoreHistory core(CoreId id) {
    return cores.computeIfAbsent(id, _ -> new CoreHistory());
  }

  private PlanHistory history(String plan) {
    return plans.computeIfAbsent(plan, _ -> new PlanHistory());
  }

  // ---- plans and openings ----

  private Applied plan(Entry.Plan plan) {
    Optional<Entry.Plan> whole;
    try {
      whole = parts.whole(plan);
    } catch (IllegalArgumentException impossible) {
      return Applied.ignored(Cause.IMPOSSIBLE_PLAN);
    }
    if (whole.isEmpty()) {
      return Applied.ignored(Cause.PARTS_MISSING);
    }
    Optional<PlanState> latest = plan(plan.plan());
    if (latest.isPresent() && latest.get().plan().revision() == plan.revision()) {
      return Applied.ignored(
          isSame(latest.get().plan(), whole.get()) ? Cause.DUPLICATE : Cause.CONTRADICTS_EARLIER);
    }
    if (latest.isPresent() && latest.get().plan().revision() > plan.revision()) {
      return Applied.ignored(Cause.PLAN_SUPERSEDED);
    }
    history(plan.plan()).revise(new PlanState(whole.get()));
    return Applied.COUNTED;
  }

  private static boolean isSame(Entry.Plan first, Entry.Plan second) {
    return first.core().equals(second.core())
        && first.terms().equals(second.terms())
        && first.alternatives().equals(second.alternatives())
        && first.events().equals(second.events())
        && first.params().equals(second.params())
        && first.multiplicity() == second.multiplicity()
        && first.eventsPerTerm() == second.eventsPerTerm();
  }

  private Applied opened(long index, Entry.Opened opened) {
    Optional<List<String>> listed = parts.terms(opened);
    AuditState known = audits.get(opened.audit());
    if (known != null) {
      return Applied.ignored(
          known.opened().drawCommitment().equals(opened.drawCommitment())
              ? Cause.DUPLICATE
              : Cause.CONTRADICTS_EARLIER);
    }
    if (listed.isEmpty()) {
      return Applied.ignored(Cause.PARTS_MISSING);
    }
    Optional<PlanState> latest = plan(opened.plan());
    if (latest.isEmpty() || latest.get().plan().revision() < opened.revision()) {
      return Applied.ignored(Cause.PLAN_UNKNOWN);
    }
    PlanState plan = latest.get();
    if (plan.plan().revision() > opened.revision()) {
      return Applied.ignored(Cause.PLAN_SUPERSEDED);
    }
    List<String> terms = listed.get().isEmpty() ? plan.plan().terms() : listed.get();
    if (!terms.stream().allMatch(plan::hasTerm)) {
      return Applied.ignored(Cause.TERM_UNKNOWN);
    }
    if (running.stream().anyMatch(audit -> isSameMatter(audit, opened, plan))) {
      return Applied.ignored(Cause.AUDIT_RUNNING);
    }
    Optional.ofNullable(repaired.remove(plan.core()))
        .ifPresent(untested -> untested.forEach(core(plan.core())::forget));
    AuditState audit = new AuditState(opened, plan, terms, index);
    audits.put(opened.audit(), audit);
    running.add(audit);
    return Applied.COUNTED;
  }

  private static boolean isSameMatter(AuditState audit, Entry.Opened opened, PlanState plan) {
    return audit.opened().plan().equals(opened.plan()) || audit.plan().core().equals(plan.core());
  }

  // ---- entries of an audit ----

  private Applied ofAudit(long index, Entry.OfAudit entry) {
    AuditState audit = audits.get(entry.audit());
    if (audit == null) {
      return Applied.ignored(Cause.AUDIT_UNKNOWN);
    }
    if (entry instanceof Entry.TakenOver) {
      return takenOver(audit, entry.epoch());
    }
    if (entry.epoch() < audit.epoch()) {
      return Applied.ignored(Cause.FENCED);
    }
    if (audit.isClosed()) {
      return Applied.ignored(Cause.AUDIT_CLOSED);
    }
    if (entry.epoch() > audit.epoch()) {
      return Applied.ignored(Cause.EPOCH_UNKNOWN);
    }
    return switch (entry) {
      case Entry.Test test ->
          answer(
              index, audit, test.agent(), test.event(), test.term(), Optional.of(test.verdict()));
      case Entry.Unanswered none ->
          answer(index, audit, none.agent(), none.event(), none.term(), Optional.empty());
      case Entry.Renegotiated offer -> renegotiated(audit, offer);
      case Entry.Decided decided -> decided(index, audit, decided);
      case Entry.CoreIssued core -> issued(index, audit, core);
      case Entry.Closed closed -> closed(audit, closed);
      case Entry.Opened opened -> throw new IllegalStateException("taken in elsewhere");
      case Entry.TakenOver taken -> throw new IllegalStateException("taken in above");
    };
  }

  private static Applied takenOver(AuditState audit, long epoch) {
    if (audit.isClosed()) {
      return Applied.ignored(Cause.ENDED_ALREADY);
    }
    if (epoch <= audit.epoch()) {
      return Applied.ignored(Cause.FENCED);
    }
    audit.takeOver(epoch);
    return Applied.COUNTED;
  }

  private static Applied answer(
      long index,
      AuditState audit,
      String agent,
      String event,
      String term,
      Optional<TermVerdict> verdict) {
    int who = audit.plan().agent(agent);
    if (who < 0) {
      return Applied.ignored(Cause.AGENT_UNKNOWN);
    }
    if (!isAbout(audit, term)) {
      return Applied.ignored(Cause.TERM_UNKNOWN);
    }
    if (!audit.plan().hasEvent(event)) {
      return Applied.ignored(Cause.EVENT_UNKNOWN);
    }
    if (audit.isDrawn() && !audit.drawn(term).contains(event)) {
      return Applied.ignored(Cause.NOT_DRAWN);
    }
    if (!audit.isTested(term)) {
      return Applied.ignored(Cause.NOT_ADOPTED);
    }
    if (AuditState.isFilled(audit.row(term, event)[who])) {
      return Applied.ignored(Cause.DUPLICATE);
    }
    if (audit.isDeciding()) {
      return Applied.ignored(Cause.TOO_LATE);
    }
    audit.put(index, who, event, term, verdict);
    return Applied.COUNTED;
  }

  private static boolean isAbout(AuditState audit, String term) {
    return Collections.binarySearch(audit.terms(), term) >= 0;
  }

  private static Applied renegotiated(AuditState audit, Entry.Renegotiated offer) {
    if (audit.kind() != Entry.Kind.RENEGOTIATE) {
      return Applied.ignored(Cause.NO_RENEGOTIATION);
    }
    if (audit.plan().agent(offer.entrenched()) < 0 || audit.plan().agent(offer.other()) < 0) {
      return Applied.ignored(Cause.AGENT_UNKNOWN);
    }
    if (!isAbout(audit, offer.term())) {
      return Applied.ignored(Cause.TERM_UNKNOWN);
    }
    if (audit.offer(offer.pair(), offer.term()).isPresent()) {
      return Applied.ignored(Cause.DUPLICATE);
    }
    if (audit.hasTests(offer.term()) || audit.isDeciding()) {
      return Applied.ignored(Cause.TOO_LATE);
    }
    audit.offered(offer);
    return Applied.COUNTED;
  }

  private static Applied decided(long index, AuditState audit, Entry.Decided decided) {
    if (!audit.plan().pairs().contains(decided.agents())) {
      return Applied.ignored(Cause.AGENT_UNKNOWN);
    }
    if (!isAbout(audit, decided.term())) {
      return Applied.ignored(Cause.TERM_UNKNOWN);
    }
    Optional<Entry.Decided> earlier = audit.decision(decided.agents(), decided.term());
    if (earlier.isPresent()) {
      return Applied.ignored(
          Auditor.isSame(earlier.get(), decided) ? Cause.DUPLICATE : Cause.CONTRADICTS_EARLIER);
    }
    if (audit.issued().isPresent()) {
      return Applied.ignored(Cause.TOO_LATE);
    }
    audit.decided(index, decided);
    return Applied.COUNTED;
  }

  private Applied issued(long index, AuditState audit, Entry.CoreIssued core) {
    Optional<Entry.CoreIssued> earlier = audit.issued();
    if (earlier.isPresent()) {
      return Applied.ignored(
          earlier.get().documentSha256().equals(core.documentSha256())
              ? Cause.DUPLICATE
              : Cause.CONTRADICTS_EARLIER);
    }
    if (!core.core().equals(audit.plan().core())) {
      return Applied.ignored(Cause.AGENT_UNKNOWN);
    }
    audit.issued(index, core);
    core(core.core()).issued(core.version());
    return Applied.COUNTED;
  }

  private Applied closed(AuditState audit, Entry.Closed closed) {
    boolean opens = reveal(audit.id(), HexFormat.of().parseHex(closed.seed()));
    boolean exhausted = isExhausted(audit);
    List<Long> notDrawn = opens ? Settling.dropNotDrawn(audit) : List.of();
    List<Decisions.Decision> due = new ArrayList<>();
    CoreHistory core = core(audit.plan().core());
    if (opens) {
      due = Settling.decisions(audit, core, closed);
      Settling.settle(audit, core, due, closed, verdicts);
    }
    Settling.useUp(audit, history(audit.opened().plan()));
    Settlement settlement =
        new Settlement(
            audit,
            opens,
            exhausted,
            closed.failure(),
            due.stream().map(Decisions.Decision::decided).toList(),
            audit.found(),
            audit.issuedAt(),
            notDrawn);
    audit.close();
    running.remove(audit);
    return new Applied.Settled(settlement);
  }

  /**
   * The last decisions of persons that the ledger has, to know one that is told again: of each
   * agent at most {@value #MAX_ITEMS}, since a sidecar says again only what it remembers itself.
   */
  static final class Reviews {
    /** Most items of one agent. */
    static final int MAX_ITEMS = 1_024;

    private final Map<String, Map<String, Entry.ReviewDecided>> byAgent = new HashMap<>();

    Applied apply(Entry.ReviewDecided entry) {
      Map<String, Entry.ReviewDecided> items =
          byAgent.computeIfAbsent(entry.agent(), _ -> new LinkedHashMap<>());
      if (items.containsKey(entry.item())) {
        return new Applied.Ignored(Applied.Cause.DUPLICATE);
      }
      items.put(entry.item(), entry);
      if (items.size() > MAX_ITEMS) {
        items.remove(items.keySet().iterator().next());
      }
      return new Applied.Counted();
    }

    Optional<Entry.ReviewDecided> find(String agent, String item) {
      return Optional.ofNullable(byAgent.getOrDefault(agent, Map.of()).get(item));
    }
  }
}
