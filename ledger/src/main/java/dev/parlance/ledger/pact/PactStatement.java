package dev.parlance.ledger.pact;

import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.policy.text.Coded;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one party says about pacts under its signature; {@link PactStatementNote} is the bytes. */
public sealed interface PactStatement {
  /** Most predicates in a template. */
  int MAX_PREDICATES = 200;

  /** Most differences in a report. */
  int MAX_DETAILS = 50;

  /** Which kind, as the first line of the text has it. */
  String kind();

  /** Who says it: the name of the key that signs. */
  String signer();

  /**
   * A set of predicates to start from, published under a name of its author's. A version never
   * changes.
   *
   * @param author who publishes it
   * @param name without {@code /}, which ends the author's
   * @param version from 1
   * @param maxCounters how many positions a negotiation from it may take, 1 to 100; empty for the
   *     default
   * @param predicates 1 to {@link #MAX_PREDICATES}, each id once, in the order of preference; none
   *     only where a case is refused
   * @param settles the case that it decides, of which it has author and name, as version 1
   */
  record Template(
      String author,
      String name,
      int version,
      OptionalInt maxCounters,
      List<Predicate> predicates,
      Optional<PactCase> settles)
      implements PactStatement {
    /** One that decides nothing. */
    public Template(
        String author,
        String name,
        int version,
        OptionalInt maxCounters,
        List<Predicate> predicates) {
      this(author, name, version, maxCounters, predicates, Optional.empty());
    }

    /**
     * The decision of a case.
     *
     * @param predicates the terms; none to refuse every pact
     */
    public static Template deciding(PactCase decided, List<Predicate> predicates) {
      return new Template(
          decided.arbiter(),
          decided.negotiation(),
          1,
          OptionalInt.empty(),
          predicates,
          Optional.of(decided));
    }

    /** Copies the list; refuses what is no template. */
    public Template {
      predicates = List.copyOf(predicates);
      PactDocument.name(author);
      if (PactDocument.name(name).indexOf('/') >= 0) {
        throw new IllegalArgumentException("expected a name without a slash, got " + name);
      }
      range("version", version, 1, Integer.MAX_VALUE);
      range("max_counters", maxCounters.orElse(1), 1, 100);
      range("number of predicates", predicates.size(), settles.isEmpty() ? 1 : 0, MAX_PREDICATES);
      checkAll(predicates);
      if (settles.isPresent()) {
        names(settles.get());
        if (maxCounters.isPresent()
            || !settles.get().reference().equals(author + "/" + name + "@" + version)) {
          throw new IllegalArgumentException(
              "expected " + settles.get().reference() + " for the decision of a case");
        }
      }
    }

    @Override
    public String kind() {
      return "template";
    }

    @Override
    public String signer() {
      return author;
    }

    /** How an invocation offers it: {@code AUTHOR/NAME@VERSION}. */
    public String reference() {
      return author + "/" + name + "@" + version;
    }

    /** What a negotiation makes of it; nothing of a case that is refused. */
    public Optional<PactTemplate> template() {
      return predicates.isEmpty()
          ? Optional.empty()
          : Optional.of(new PactTemplate(predicates, maxCounters, settles));
    }
  }

  /**
   * How often each outcome was found.
   *
   * @param held from 0
   * @param violated from 0
   * @param unmeasured from 0
   */
  record Counts(long held, long violated, long unmeasured) {
    /** Refuses what is no count. */
    public Counts {
      count("held", held);
      count("violated", violated);
      count("unmeasured", unmeasured);
    }
  }

  /**
   * What the sidecar of one party has seen of the other's messages, from the beginning of the pact.
   *
   * @param pact its id
   * @param observer whose sidecar it is
   * @param party whose messages they were
   * @param sequence number of this statement, from 1
   * @param progress whether the observer will see more
   * @param messages how many
   * @param predicates outcomes by predicate
   * @param violations messages with a violation, each in the category that decided its action:
   *     scope, action, output, success, termination
   */
  record Observed(
      String pact,
      String observer,
      String party,
      long sequence,
      Progress progress,
      long messages,
      SortedMap<String, Counts> predicates,
      SortedMap<PactCategory, Long> violations)
      implements PactStatement {
    /** Copies the maps; refuses what cannot be observed. */
    public Observed {
      predicates = Collections.unmodifiableSortedMap(new TreeMap<>(predicates));
      violations = Collections.unmodifiableSortedMap(new TreeMap<>(violations));
      PactDocument.name(pact);
      different(observer, party);
      range("seq", sequence, 1, PactJson.MAX_NUMBER);
      count("messages", messages);
      predicates.keySet().forEach(PactDocument::name);
      violations.values().forEach(number -> count("violations", number));
      if (!PactCategory.VIOLABLE.containsAll(violations.keySet())) {
        throw new IllegalArgumentException("expected categories that can be violated");
      }
    }

    @Override
    public String kind() {
      return "observed";
    }

    @Override
    public String signer() {
      return observer;
    }
  }

  /** Whether an observer goes on. */
  enum Progress {
    /** More may come. */
    GOING_ON,
    /** The pact has ended; these are the last counts. */
    FINAL
  }

  /**
   * A party's word that a pact ends.
   *
   * @param pact its id
   * @param from the party
   * @param reason what a party or its sidecar says
   * @param atMs when, in milliseconds
   * @param failurePredicate id of the predicate that governs the failure, of work_failed only
   * @param effectiveMs from when a withdrawal counts, of party_withdrew only
   * @param responsible the party that violated it, exactly of violated
   */
  record Dissolution(
      String pact,
      String from,
      Ending reason,
      long atMs,
      Optional<String> failurePredicate,
      OptionalLong effectiveMs,
      Optional<String> responsible)
      implements PactStatement {
    /** Refuses what ends no pact. */
    public Dissolution {
      PactDocument.name(pact);
      PactDocument.name(from);
      failurePredicate.ifPresent(PactDocument::name);
      responsible.ifPresent(PactDocument::name);
      count("t", atMs);
      count("effective_ms", effectiveMs.orElse(0));
      if (reason.source() == Ending.Source.TIME
          || (failurePredicate.isPresent() && reason != Ending.WORK_FAILED)
          || (effectiveMs.isPresent() && reason != Ending.PARTY_WITHDREW)
          || responsible.isPresent() != (reason == Ending.VIOLATED)) {
        throw noReason(reason.code());
      }
    }

    @Override
    public String kind() {
      return "dissolution";
    }

    @Override
    public String signer() {
      return from;
    }
  }

  /**
   * What the arbiter of a pact makes of a dispute.
   *
   * @param pact its id
   * @param arbiter whom the pact names
   * @param ending what the pact counts as
   * @param responsible the party that answers for it, exactly of endings that blame one
   * @param atMs when, in milliseconds
   */
  record Decision(
      String pact, String arbiter, Ending ending, Optional<String> responsible, long atMs)
      implements PactStatement {
    /** Refuses what decides nothing. */
    public Decision {
      PactDocument.name(pact);
      PactDocument.name(arbiter);
      responsible.ifPresent(PactDocument::name);
      count("t", atMs);
      if (ending == Ending.DISPUTE_ESCALATED || responsible.isPresent() != ending.blames()) {
        throw noReason(ending.code());
      }
    }

    @Override
    public String kind() {
      return "decision";
    }

    @Override
    public String signer() {
      return arbiter;
    }
  }

  /**
   * A complaint about a negotiation that came to nothing.
   *
   * @param charge what the other one did, or both did not
   * @param negotiation its id
   * @param reporter who complains
   * @param party the other one
   * @param details where policies differ, at most {@link #MAX_DETAILS}
   * @param escalation what is handed to the arbiter, exactly of {@link Charge#ESCALATED}
   * @param atMs when, in milliseconds
   */
  record Report(
      Charge charge,
      String negotiation,
      String reporter,
      String party,
      List<Detail> details,
      Optional<Escalation> escalation,
      long atMs)
      implements PactStatement {
    /** One that hands nothing to an arbiter. */
    public Report(
        Charge charge,
        String negotiation,
        String reporter,
        String party,
        List<Detail> details,
        long atMs) {
      this(charge, negotiation, reporter, party, details, Optional.empty(), atMs);
    }

    /**
     * Hands a case of the initiator's to its arbiter.
     *
     * @param predicates as they stand
     * @param details of those that are open: what the initiator ({@code ours}) and the responder
     *     ({@code theirs}) had them say last
     */
    public static Report escalating(
        PactCase open, List<Predicate> predicates, List<Detail> details, long atMs) {
      return new Report(
          Charge.ESCALATED,
          open.negotiation(),
          /* reporter= */ open.initiator(),
          /* party= */ open.responder(),
          details,
          Optional.of(new Escalation(open.arbiter(), open.pact(), open.untilMs(), predicates)),
          atMs);
    }

    /** The case that it hands to an arbiter. */
    public Optional<PactCase> handed() {
      return escalation.map(one ->
          new PactCase(negotiation, reporter, party, one.arbiter(), one.pact(), one.untilMs()));
    }

    /** Copies the list; refuses what is no complaint. */
    public Report {
      details = List.copyOf(details);
      PactDocument.name(negotiation);
      different(reporter, party);
      range("number of details", details.size(), 0, MAX_DETAILS);
      count("t", atMs);
      if (escalation.isPresent() != (charge == Charge.ESCALATED)) {
        throw new IllegalArgumentException("expected an arbiter exactly of what is escalated");
      }
      if (escalation.isPresent()) {
        Escalation one = escalation.get();
        PactCase open =
            new PactCase(negotiation, reporter, party, one.arbiter(), one.pact(), one.untilMs());
        names(open);
      }
    }

    @Override
    public String kind() {
      return "report";
    }

    @Override
    public String signer() {
      return reporter;
    }
  }

  /** What a report is about. */
  enum Charge implements Coded {
    /** The other side broke the rules of negotiation. */
    BAD_FAITH,
    /** The two policies have nothing in common. */
    INCOMPATIBLE,
    /** Both sides have asked for the arbiter. */
    ESCALATED
  }

  /**
   * What the initiator of a negotiation hands to the arbiter.
   *
   * @param arbiter who decides
   * @param pact id of the only pact that may be made on the decision
   * @param untilMs until when it may decide, in milliseconds
   * @param predicates as they stood at the end, at most {@link #MAX_PREDICATES}, each id once
   */
  record Escalation(String arbiter, String pact, long untilMs, List<Predicate> predicates) {
    /** Copies the list; refuses what cannot be decided. */
    public Escalation {
      predicates = List.copyOf(predicates);
      range("number of predicates", predicates.size(), 0, MAX_PREDICATES);
      checkAll(predicates);
    }
  }

  /**
   * Where two policies differ.
   *
   * @param predicate id, or empty if it is about none
   * @param key of the predicate's body
   * @param ours what the reporter allows
   * @param theirs what the other side asked for
   */
  record Detail(String predicate, String key, String ours, String theirs) {
    /** Refuses half a surrogate pair. */
    public Detail {
      unicode(predicate);
      unicode(key);
      unicode(ours);
      unicode(theirs);
    }
  }

  /** A reason that ends no pact, or not with these members. */
  static IllegalArgumentException noReason(String code) {
    return new IllegalArgumentException(
        "expected a reason with the members that belong to it, got " + code);
  }

  /** Refuses predicates of no category, without a name, or with one twice. */
  private static void checkAll(List<Predicate> predicates) {
    Set<String> ids = new HashSet<>();
    for (Predicate one : predicates) {
      PactDocument.kind(one.category());
      unicode(one.body());
      if (!ids.add(PactDocument.name(one.id()))) {
        throw new IllegalArgumentException("expected each id once, got " + one.id() + " twice");
      }
    }
  }

  private static void names(PactCase one) {
    PactDocument.name(one.initiator());
    PactDocument.name(one.responder());
    PactDocument.name(one.arbiter());
    PactDocument.name(one.pact());
    if (PactDocument.name(one.negotiation()).indexOf('/') >= 0) {
      throw new IllegalArgumentException("expected a negotiation without a slash");
    }
    count("until_ms", one.untilMs());
  }

  private static void range(String what, long number, long least, long most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "expected %s from %d to %d, got %d".formatted(what, least, most, number));
    }
  }

  private static void count(String what, long number) {
    range(what, number, 0, PactJson.MAX_NUMBER);
  }

  private static void different(String one, String other) {
    if (PactDocument.name(one).equals(PactDocument.name(other))) {
      throw new IllegalArgumentException("expected two parties, got " + one + " twice");
    }
  }

  private static void unicode(String text) {
    if (!PactJson.isText(text)) {
      throw new IllegalArgumentException("expected a text of Unicode");
    }
  }
}
