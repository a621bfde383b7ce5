package dev.parlance.ledger.record;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.ledger.record.PactRecord.Escalated;
import dev.parlance.ledger.record.PactRecord.PactEnd;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactMachine;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.Predicate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Pacts as the order of their entries has them: the keys of parties, templates, what was attested,
 * counted and ended. Every signature is checked with the keys that counted at that place. A pact
 * ends once; what comes after it counts for nothing.
 */
final class PactLedger {
  /** Longest way of a party's word to the ledger for which a notice is counted from the word. */
  static final long MOST_DELAY_MS = 600_000;

  private record Key(VerifierKey key, long overlapMs, long atMs) {}

  private final Map<String, List<Key>> keys = new HashMap<>();
  private final Map<String, PactEntry.TemplatePut> templates = new LinkedHashMap<>();
  private final Map<String, List<VerifierKey>> templateKeys = new HashMap<>();
  private final Map<String, PactRecord> pacts = new HashMap<>();
  private final List<String> order = new ArrayList<>();
  private final Map<String, PactRecord> open = new LinkedHashMap<>();
  private final List<String> endings = new ArrayList<>();
  private final List<PactScore.Decided> decisions = new ArrayList<>();
  private final Set<String> reports = new HashSet<>();
  private final List<PactScore.BadFaith> badFaith = new ArrayList<>();
  private final Map<String, Escalated> cases = new LinkedHashMap<>();

  // ---- questions ----

  Optional<PactRecord> of(String pact) {
    return Optional.ofNullable(pacts.get(pact));
  }

  /** Those that hold or are disputed, oldest first. */
  List<PactRecord> open() {
    return List.copyOf(open.values());
  }

  /** The newest first. */
  List<PactRecord> last(int limit) {
    return order.reversed().stream().limit(limit).flatMap(id -> of(id).stream()).toList();
  }

  /** A template by its reference. */
  Optional<PactEntry.TemplatePut> template(String reference) {
    return Optional.ofNullable(templates.get(reference));
  }

  /** What was handed to arbiters, oldest first. */
  List<Escalated> escalations() {
    return List.copyOf(cases.values());
  }

  /** All templates, oldest first. */
  List<PactEntry.TemplatePut> templates() {
    return List.copyOf(templates.values());
  }

  /**
   * The keys of its author that counted when a template was published; later ones change nothing.
   */
  List<VerifierKey> templateKeys(String reference) {
    return templateKeys.getOrDefault(reference, List.of());
  }

  /** The keys of a party that count at that time, newest first. */
  List<VerifierKey> keys(String party, long atMs) {
    List<Key> all = keys.getOrDefault(party, List.of());
    List<VerifierKey> counting = new ArrayList<>();
    for (int i = all.size() - 1; i >= 0 && i >= all.size() - 2; i--) {
      boolean newest = i == all.size() - 1;
      Key last = all.getLast();
      if (newest || atMs - last.overlapMs() <= last.atMs()) {
        counting.add(all.get(i).key());
      }
    }
    return counting;
  }

  /** How every party has kept its pacts. */
  SortedMap<String, PactScore> scores() {
    List<PactScore.Ended> ended =
        endings.stream().flatMap(id -> of(id).flatMap(PactRecord::scored).stream()).toList();
    return switch (PactScore.of(ended, decisions, badFaith)) {
      case PactScore.Result.Scores(SortedMap<String, PactScore> byParty) -> byParty;
      case PactScore.Result.BadEntry(String pact) ->
          throw new IllegalStateException("an entry that was checked cannot be: " + pact);
    };
  }

  /** True if the reporter has complained about this negotiation, or handed it over. */
  boolean isReported(String reporter, String negotiation) {
    return reports.contains(reportId(reporter, negotiation));
  }

  private static String reportId(String reporter, String negotiation) {
    return reporter + " " + negotiation;
  }

  // ---- entries ----

  /**
   * What an entry would come to here, without taking it in.
   *
   * @param speaker whose key or word it is
   */
  Applied trial(PactEntry entry, String speaker) {
    PactLedger trial = new PactLedger();
    trial.keys.put(speaker, new ArrayList<>(keys.getOrDefault(speaker, List.of())));
    switch (entry) {
      case PactEntry.Dissolved end -> of(end.pact()).ifPresent(trial::put);
      case PactEntry.Observed counts -> of(counts.pact()).ifPresent(trial::put);
      default -> {
        // of no pact that there is
      }
    }
    trial.cases.putAll(cases);
    return trial.apply(0, entry);
  }

  /** Takes an entry in. */
  Applied apply(long index, PactEntry entry) {
    return switch (entry) {
      case PactEntry.PartyKey key -> partyKey(key);
      case PactEntry.TemplatePut template -> template(template);
      case PactEntry.Attested attested -> attested(index, attested);
      case PactEntry.Observed observed -> observed(observed);
      case PactEntry.Dissolved dissolved -> dissolved(index, dissolved);
      case PactEntry.Reported reported -> reported(reported);
    };
  }

  private Applied partyKey(PactEntry.PartyKey entry) {
    List<Key> all = keys.computeIfAbsent(entry.party(), _ -> new ArrayList<>());
    VerifierKey key = entry.key();
    if (!all.isEmpty() && all.getLast().key().equals(key)) {
      return Applied.ignored(Cause.DUPLICATE);
    }
    if (all.stream().anyMatch(old -> old.key().equals(key))) {
      return Applied.ignored(Cause.KEY_RETIRED);
    }
    all.add(new Key(key, entry.overlapMs(), entry.atMs()));
    return Applied.COUNTED;
  }

  private Applied template(PactEntry.TemplatePut entry) {
    PactEntry.TemplatePut known = templates.get(entry.reference());
    if (known != null) {
      return Applied.ignored(
          known.sha256().equals(entry.sha256()) ? Cause.DUPLICATE : Cause.CONTRADICTS_EARLIER);
    }
    List<VerifierKey> counting = keys(entry.author(), entry.atMs());
    if (!(PactStatementNote.verify(PactEntry.decoded(entry.note()), counting)
            instanceof PactStatementNote.Reading.Good(PactStatement.Template said, String sha256))
        || !said.reference().equals(entry.reference())
        || !said.author().equals(entry.author())
        || !sha256.equals(entry.sha256())) {
      return Applied.ignored(Cause.NOT_SIGNED);
    }
    Optional<Cause> wrong = said.settles().flatMap(decided -> wrong(decided, entry.atMs()));
    if (wrong.isPresent()) {
      return Applied.ignored(wrong.get());
    }
    templates.put(entry.reference(), entry);
    templateKeys.put(entry.reference(), counting);
    return Applied.COUNTED;
  }

  /**
   * Why a case is not decided by this: the initiator has handed it to nobody, or to another one.
   */
  Optional<Cause> wrong(PactCase decided, long atMs) {
    Escalated open = cases.get(decided.initiator() + " " + decided.negotiation());
    if (open == null) {
      return Optional.of(Cause.CASE_UNKNOWN);
    }
    if (!open.handed().arbiter().equals(decided.arbiter())) {
      return Optional.of(Cause.NOT_THE_ARBITER);
    }
    if (!open.handed().equals(decided)) {
      return Optional.of(Cause.CASE_UNKNOWN);
    }
    return atMs >= decided.untilMs() ? Optional.of(Cause.CASE_OVER) : Optional.empty();
  }

  private Applied attested(long index, PactEntry.Attested entry) {
    PactRecord known = pacts.get(entry.pact());
    if (known != null) {
      return Applied.ignored(
          known.attested().sha256().equals(entry.sha256())
              ? Cause.DUPLICATE
              : Cause.CONTRADICTS_EARLIER);
    }
    byte[] note = PactEntry.decoded(entry.note());
    if (!(PactNote.unverified(note) instanceof PactNote.Reading.Good claimed)) {
      return Applied.ignored(Cause.NOT_SIGNED);
    }
    List<VerifierKey> counting =
        new ArrayList<>(keys(claimed.document().initiator(), entry.atMs()));
    counting.addAll(keys(claimed.document().responder(), entry.atMs()));
    if (!(PactNote.verify(note, counting)
            instanceof PactNote.Reading.Good(PactDocument document, String sha256, _))
        || !document.pact().equals(entry.pact())
        || !sha256.equals(entry.sha256())) {
      return Applied.ignored(Cause.NOT_SIGNED);
    }
    PactRecord record =
        new PactRecord(
            entry,
            index,
            document,
            state(document),
            new TreeMap<>(),
            Optional.empty(),
            Optional.empty());
    if (!record.isParty(entry.attester())) {
      return Applied.ignored(Cause.NOT_A_PARTY);
    }
    if (document.endMs() <= entry.atMs()) {
      return Applied.ignored(Cause.PACT_EXPIRED);
    }
    if (document.replaces().isPresent()) {
      PactRecord old = pacts.get(document.replaces().get());
      if (old == null || !record.parties().containsAll(old.parties())) {
        return Applied.ignored(Cause.REPLACES_NONE);
      }
    }
    pacts.put(entry.pact(), record);
    order.add(entry.pact());
    open.put(entry.pact(), record);
    return Applied.COUNTED;
  }

  /** A private predicate counts with its category alone. */
  private static PactState state(PactDocument document) {
    List<Predicate> predicates =
        document.terms().stream()
            .map(term ->
                term instanceof PactDocument.Term.Open(Predicate predicate)
                    ? predicate
                    : new Predicate(term.id(), term.category(), ""))
            .toList();
    return PactState.attested(
        document.pact(),
        document.negotiation(),
        document.initiator(),
        document.responder(),
        predicates,
        document.startMs(),
        document.endMs(),
        document.history());
  }

  private <T extends PactStatement> Optional<T> said(
      Class<T> kind, String signer, String note, long atMs) {
    return PactStatementNote.verify(PactEntry.decoded(note), keys(signer, atMs))
                instanceof PactStatementNote.Reading.Good(PactStatement statement, _)
            && kind.isInstance(statement)
            && statement.signer().equals(signer)
        ? Optional.of(kind.cast(statement))
        : Optional.empty();
  }

  private Applied observed(PactEntry.Observed entry) {
    PactRecord pact = pacts.get(entry.pact());
    if (pact == null) {
      return Applied.ignored(Cause.PACT_UNKNOWN);
    }
    if (!pact.isParty(entry.observer())) {
      return Applied.ignored(Cause.NOT_A_PARTY);
    }
    Optional<PactStatement.Observed> said =
        said(PactStatement.Observed.class, entry.observer(), entry.note(), entry.atMs());
    if (said.isEmpty() || !said.get().pact().equals(entry.pact())) {
      return Applied.ignored(Cause.NOT_SIGNED);
    }
    PactStatement.Observed newest = said.get();
    if (!newest.party().equals(pact.other(entry.observer()))) {
      return Applied.ignored(Cause.NOT_A_PARTY);
    }
    Optional<PactStatement.Observed> last =
        Optional.ofNullable(pact.observed().get(entry.observer()));
    if (last.equals(said)) {
      return Applied.ignored(Cause.DUPLICATE);
    }
    if (!follows(last, newest)) {
      return Applied.ignored(Cause.COUNTS_FALL);
    }
    put(pact.with(newest));
    return Applied.COUNTED;
  }

  /** Counts only grow, and nothing comes after the last ones. */
  private static boolean follows(
      Optional<PactStatement.Observed> before, PactStatement.Observed now) {
    long violated = 0;
    for (long one : now.violations().values()) {
      violated = Math.addExact(violated, one);
    }
    if (violated > now.messages()) {
      return false;
    }
    return before.isEmpty()
        || (before.get().progress() == PactStatement.Progress.GOING_ON
            && now.sequence() > before.get().sequence()
            && now.messages() >= before.get().messages()
            && before.get().violations().entrySet().stream()
                .allMatch(
                    one -> now.violations().getOrDefault(one.getKey(), 0L) >= one.getValue()));
  }

  private Applied dissolved(long index, PactEntry.Dissolved entry) {
    PactRecord pact = pacts.get(entry.pact());
    if (pact == null) {
      return Applied.ignored(Cause.PACT_UNKNOWN);
    }
    if (!pact.isOpen()) {
      return Applied.ignored(Cause.PACT_ENDED);
    }
    PactEnd end = new PactEnd(entry.by(), entry.reason(), entry.responsible(), index, entry.atMs());
    if (entry.isDecision()) {
      return byArbiter(pact, entry, end);
    }
    // What nobody is named to decide lasts as long as the pact.
    boolean isOver = entry.note().isEmpty() && pact.arbiters().isEmpty();
    if (pact.state().phase() == Phase.IN_DISPUTE && !isOver) {
      return Applied.ignored(Cause.PACT_ENDED);
    }
    return entry.note().isPresent() ? byParty(pact, entry, end) : byTime(pact, end);
  }

  private Applied byArbiter(PactRecord pact, PactEntry.Dissolved entry, PactEnd end) {
    if (pact.state().phase() != Phase.IN_DISPUTE) {
      return Applied.ignored(Cause.NOT_DISPUTED);
    }
    String arbiter = entry.speaker();
    if (!pact.arbiters().contains(arbiter)) {
      return Applied.ignored(Cause.NOT_THE_ARBITER);
    }
    Optional<PactStatement.Decision> word =
        entry
            .note()
            .flatMap(note -> said(PactStatement.Decision.class, arbiter, note, entry.atMs()));
    if (word.isEmpty()
        || !word.get().pact().equals(pact.id())
        || !word.get().ending().code().equals(end.reason())
        || !word.get().responsible().equals(end.responsible())) {
      return Applied.ignored(Cause.NOT_SIGNED);
    }
    return decided(pact, end);
  }

  private Applied decided(PactRecord pact, PactEnd end) {
    PactScore.Decided decision = new PactScore.Decided(pact.id(), end.reason(), end.responsible());
    boolean good =
        PactScore.of(List.of(pact.scored().orElseThrow()), List.of(decision))
            instanceof PactScore.Result.Scores;
    if (!good) {
      return Applied.ignored(Cause.WRONG_REASON);
    }
    decisions.add(decision);
    PactState next = pact.state().ended(new PactState.End(end.reason(), end.responsible()));
    put(pact.decided(next, end));
    return Applied.COUNTED;
  }

  private Applied byTime(PactRecord pact, PactEnd end) {
    Optional<Ending> ending =
        Ending.ofCode(end.reason()).filter(one -> one.source() == Ending.Source.TIME);
    if (!end.by().equals(PactEntry.Dissolved.CONTROL)
        || ending.isEmpty()
        || (ending.get().blames() && end.responsible().isEmpty())) {
      return Applied.ignored(Cause.WRONG_REASON);
    }
    if (end.atMs() < pact.document().endMs()) {
      return Applied.ignored(Cause.NOT_OVER);
    }
    if (end.responsible().isPresent()
        && (!ending.get().blames()
            || !pact.vanished(end.atMs() - PactRecord.MAX_SKEW_MS).equals(end.responsible()))) {
      // The other's last counts may have come while this was written.
      boolean isLate = ending.get().blames() && pact.isCounted();
      return Applied.ignored(isLate ? Cause.PACT_ENDED : Cause.NOT_SHOWN);
    }
    if (pact.state().phase() == Phase.IN_DISPUTE) {
      return decided(pact, end);
    }
    return ended(
        pact.ended(pact.state().ended(new PactState.End(end.reason(), end.responsible())), end));
  }

  private Applied byParty(PactRecord pact, PactEntry.Dissolved entry, PactEnd end) {
    if (!pact.isParty(entry.by())) {
      return Applied.ignored(Cause.NOT_A_PARTY);
    }
    Optional<PactStatement.Dissolution> word =
        said(PactStatement.Dissolution.class, entry.by(), entry.note().orElseThrow(), entry.atMs());
    if (word.isEmpty()
        || !word.get().pact().equals(pact.id())
        || !word.get().reason().code().equals(entry.reason())) {
      return Applied.ignored(Cause.NOT_SIGNED);
    }
    if (entry.atMs() >= pact.document().endMs()) {
      return Applied.ignored(Cause.PACT_EXPIRED);
    }
    PactStatement.Dissolution said = word.get();
    if (said.reason() == Ending.VIOLATED) {
      return violated(pact, said, end);
    }
    if (pact.state().talks().completing().contains(entry.by())
        && said.reason() == Ending.WORK_COMPLETED) {
      return Applied.ignored(Cause.DUPLICATE);
    }
    PactMachine.Step step =
        PactMachine.step(
            pact.state(),
            new PactEvent.Message(
                spoken(entry, said),
                entry.by(),
                "",
                new PactEvent.Dissolution(
                    pact.id(), said.reason().code(), said.failurePredicate(), said.effectiveMs())));
    Optional<String> responsible = step.next().end().flatMap(PactState.End::responsible);
    if (step.fault().isPresent()) {
      return Applied.ignored(
          step.fault().get() == PactFault.NOTICE_NOT_GIVEN
              ? Cause.NOTICE_NOT_GIVEN
              : Cause.WRONG_REASON);
    }
    if (!responsible.equals(entry.responsible())) {
      return Applied.ignored(Cause.WRONG_REASON);
    }
    if (step.next().phase() == Phase.ACTIVE) {
      put(pact.with(step.next()));
      return Applied.COUNTED;
    }
    return ended(pact.ended(step.next(), end));
  }

  /**
   * When a party has spoken, by its own word; by the ledger's if that was much earlier or later.
   */
  private static long spoken(PactEntry.Dissolved entry, PactStatement.Dissolution said) {
    long delayMs = entry.atMs() - said.atMs();
    return delayMs >= 0 && delayMs <= MOST_DELAY_MS ? said.atMs() : entry.atMs();
  }

  /** Whoever says that the other one broke the pact must have counted it before. */
  private Applied violated(PactRecord pact, PactStatement.Dissolution said, PactEnd end) {
    String other = pact.other(said.from());
    if (!said.responsible().equals(Optional.of(other))
        || !end.responsible().equals(said.responsible())) {
      return Applied.ignored(Cause.WRONG_REASON);
    }
    Optional<PactStatement.Observed> counted =
        Optional.ofNullable(pact.observed().get(said.from()));
    boolean isCounted =
        counted
            .filter(one ->
                one.violations().getOrDefault(PactCategory.SCOPE, 0L) > 0
                    || one.violations().getOrDefault(PactCategory.TERMINATION, 0L) > 0)
            .isPresent();
    if (!isCounted) {
      return Applied.ignored(Cause.NOT_OBSERVED);
    }
    PactState next =
        pact.state().ended(new PactState.End(said.reason().code(), said.responsible()));
    return ended(pact.ended(next, end));
  }

  private Applied ended(PactRecord pact) {
    put(pact);
    endings.add(pact.id());
    return Applied.COUNTED;
  }

  private void put(PactRecord pact) {
    pacts.put(pact.id(), pact);
    if (pact.isOpen()) {
      open.put(pact.id(), pact);
    } else {
      open.remove(pact.id());
    }
  }

  /** Nobody is before an arbiter who has not said, too, that it negotiated this. */
  private boolean isOfBoth(PactStatement.Report said, PactEntry.Reported entry) {
    return said.escalation().isEmpty()
        || PactStatementNote.isCosigned(
            PactEntry.decoded(entry.note()), said.party(), keys(said.party(), entry.atMs()));
  }

  private Applied reported(PactEntry.Reported entry) {
    Optional<PactStatement.Report> said =
        said(PactStatement.Report.class, entry.reporter(), entry.note(), entry.atMs());
    if (said.isEmpty()
        || !said.get().negotiation().equals(entry.negotiation())
        || !isOfBoth(said.get(), entry)) {
      return Applied.ignored(Cause.NOT_SIGNED);
    }
    if (!reports.add(reportId(entry.reporter(), entry.negotiation()))) {
      return Applied.ignored(Cause.DUPLICATE);
    }
    said.get()
        .handed()
        .ifPresent(open ->
            cases.put(
                open.initiator() + " " + open.negotiation(),
                new Escalated(open, entry.note(), entry.atMs())));
    if (said.get().charge() == PactStatement.Charge.BAD_FAITH) {
      badFaith.add(new PactScore.BadFaith(entry.reporter(), said.get().party(), endings.size()));
    }
    return Applied.COUNTED;
  }
}
