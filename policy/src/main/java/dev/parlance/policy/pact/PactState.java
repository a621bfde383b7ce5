package dev.parlance.policy.pact;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a negotiation and its pact stand (machine {@code pact-1}); {@link PactMachine} makes the
 * next one.
 *
 * @param phase the phase
 * @param templates the templates that both sides know, by reference
 * @param opening what the invocation fixed; empty before it
 * @param talks how far the predicates are agreed
 * @param signed what was signed; empty before the first ratification
 * @param end how it ended; empty while it goes on
 * @param history hex SHA-256 that binds every message taken before the ratification; empty before
 *     the invocation
 */
public record PactState(
    Phase phase,
    Map<String, PactTemplate> templates,
    Optional<Opening> opening,
    Talks talks,
    Optional<Signed> signed,
    Optional<End> end,
    String history) {
  /** Copies the map. */
  public PactState {
    templates = Map.copyOf(templates);
  }

  /** Phases; their transitions stand at {@link PactMachine}. */
  public enum Phase {
    /** Nothing was said. */
    INIT,
    /** Invited; the initiator proposes, or the responder takes a template. */
    INVITED,
    /** Positions go back and forth. */
    OPEN,
    /** The last counter is spent: what is open is accepted, or there is no pact. */
    FORCED,
    /** Both asked for the arbiter. */
    ESCALATED,
    /** The arbiter has proposed. */
    ARBITRATED,
    /** Nothing is open. */
    CONVERGED,
    /** One party has signed. */
    RATIFYING,
    /** The pact holds. */
    ACTIVE,
    /** Ended without a pact. */
    WALKED_AWAY,
    /** The pact has ended. */
    DISSOLVED,
    /** The pact is suspended until the arbiter has decided. */
    IN_DISPUTE;

    /** True while the negotiation's time runs. */
    public boolean isNegotiating() {
      return this != INIT && this.compareTo(RATIFYING) <= 0;
    }

    /** True if nothing can follow. */
    public boolean isClosed() {
      return this.compareTo(WALKED_AWAY) >= 0;
    }
  }

  /**
   * What the invocation fixed.
   *
   * @param limitMs the last moment of the negotiation
   * @param maxDurationMs how long the pact may hold
   * @param offered references of the offered templates
   */
  public record Opening(
      String negotiation,
      String initiator,
      String responder,
      long limitMs,
      long maxDurationMs,
      List<String> offered) {
    /** Copies the list. */
    public Opening {
      offered = List.copyOf(offered);
    }

    boolean isParty(String name) {
      return name.equals(initiator) || name.equals(responder);
    }

    String other(String name) {
      return name.equals(initiator) ? responder : initiator;
    }
  }

  /** Where a predicate stands. */
  public enum Status {
    /** Written by one side, not accepted by the other. */
    PENDING,
    /** Agreed. */
    LOCKED,
    /** Rejected or withdrawn. */
    REJECTED
  }

  /**
   * A predicate under negotiation.
   *
   * @param predicate as it reads now
   * @param owner who wrote the body
   * @param replaced what the other party had it say last; empty if it has written none
   */
  public record Clause(
      Predicate predicate, String owner, Status status, Optional<String> replaced) {
    Clause(Predicate predicate, String owner, Status status) {
      this(predicate, owner, status, Optional.empty());
    }

    Clause as(Status next) {
      return new Clause(predicate, owner, next, replaced);
    }

    /** With another body, which a party has written. */
    Clause with(Predicate changed, String from) {
      return new Clause(
          changed,
          from,
          Status.PENDING,
          from.equals(owner) ? replaced : Optional.of(predicate.body()));
    }
  }

  /**
   * How far the predicates are agreed.
   *
   * @param clauses by id
   * @param start the template that was chosen
   * @param mover whose turn it is
   * @param lastSpeaker who sent the last message that was taken
   * @param cap after how many positions what is open is forced
   * @param counters positions taken
   * @param deadlineMs until when the next position counts
   * @param escalating who has asked for the arbiter since the last position
   * @param accepting who has accepted what the arbiter proposed
   * @param completing who has said that the work is done
   */
  public record Talks(
      SortedMap<String, Clause> clauses,
      Optional<PactTemplate> start,
      String mover,
      String lastSpeaker,
      int cap,
      int counters,
      OptionalLong deadlineMs,
      Set<String> escalating,
      Set<String> accepting,
      Set<String> completing) {
    static final Talks NONE =
        new Talks(
            new TreeMap<>(),
            Optional.empty(),
            "",
            "",
            0,
            0,
            OptionalLong.empty(),
            Set.of(),
            Set.of(),
            Set.of());

    /** Copies the collections. */
    public Talks {
      clauses = Collections.unmodifiableSortedMap(new TreeMap<>(clauses));
      escalating = Set.copyOf(escalating);
      accepting = Set.copyOf(accepting);
      completing = Set.copyOf(completing);
    }
  }

  /**
   * What was signed.
   *
   * @param terms the ratification as the first party sent it
   * @param signers whose signatures have come
   */
  public record Signed(PactEvent.Ratification terms, Set<String> signers) {
    /** Copies the set. */
    public Signed {
      signers = Set.copyOf(signers);
    }
  }

  /**
   * How it ended.
   *
   * @param reason code
   * @param responsible the party that answers for it
   */
  public record End(String reason, Optional<String> responsible) {}

  /** Before everything. */
  public static PactState start(Map<String, PactTemplate> templates) {
    return new PactState(
        Phase.INIT,
        templates,
        Optional.empty(),
        Talks.NONE,
        Optional.empty(),
        Optional.empty(),
        "");
  }

  /**
   * The ACTIVE state that a signed pact alone gives: for the ledger, which has not seen the
   * negotiation, and for a sidecar that starts again. {@link PactMachine#step} ends it as it ends
   * one that was negotiated.
   *
   * @param predicates all of them; the body of one that is known by its hash only is empty, and
   *     counts for nothing but its id and category
   * @param startMs when it begins to hold
   * @param endMs when it has ended, later than its begin
   * @param history hex SHA-256 of the negotiation
   */
  public static PactState attested(
      String pact,
      String negotiation,
      String initiator,
      String responder,
      List<Predicate> predicates,
      long startMs,
      long endMs,
      String history) {
    if (startMs >= endMs || initiator.equals(responder)) {
      throw new IllegalArgumentException("a pact of one party, or without a time: " + pact);
    }
    SortedMap<String, Clause> clauses = new TreeMap<>();
    predicates.forEach(one -> clauses.put(one.id(), new Clause(one, initiator, Status.LOCKED)));
    boolean isOpen = predicates.stream().noneMatch(one -> one.body().isEmpty());
    PactEvent.Ratification terms =
        new PactEvent.Ratification(
            negotiation,
            pact,
            isOpen ? Predicate.hash(predicates) : "",
            history,
            startMs,
            endMs,
            Map.of(initiator, true, responder, true));
    return new PactState(
        Phase.ACTIVE,
        Map.of(),
        Optional.of(
            new Opening(negotiation, initiator, responder, startMs, endMs - startMs, List.of())),
        new Talks(
            clauses,
            Optional.empty(),
            initiator,
            responder,
            PactMachine.DEFAULT_COUNTERS,
            0,
            OptionalLong.empty(),
            Set.of(),
            Set.of(),
            Set.of()),
        Optional.of(new Signed(terms, Set.of(initiator, responder))),
        Optional.empty(),
        history);
  }

  /**
   * The pact ends for a reason that the machine knows nothing of: its enforcement, or what the
   * arbiter made of a dispute.
   *
   * @throws IllegalStateException if it neither holds nor is disputed
   */
  public PactState ended(End how) {
    if (phase != Phase.ACTIVE && phase != Phase.IN_DISPUTE) {
      throw new IllegalStateException("a pact that is " + phase + " cannot end");
    }
    return new PactState(
        Phase.DISSOLVED, templates, opening, talks, signed, Optional.of(how), history);
  }

  /** Categories that neither a locked predicate nor the chosen template covers; empty before. */
  public List<PactCategory> missing() {
    List<PactCategory> missing = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      if (locked(category).isEmpty() && talks.start().flatMap(at -> at.of(category)).isEmpty()) {
        missing.add(category);
      }
    }
    return missing;
  }

  private Optional<Predicate> locked(PactCategory category) {
    return talks.clauses().values().stream()
        .filter(clause -> clause.status() == Status.LOCKED)
        .map(Clause::predicate)
        .filter(one -> one.category().equals(category.code()))
        .findFirst();
  }

  /**
   * The predicates as they stand, agreed or not: what is not rejected, and for a category without
   * any the first of the chosen template.
   */
  public List<Predicate> standing() {
    List<Predicate> standing = new ArrayList<>();
    for (Clause clause : talks.clauses().values()) {
      if (clause.status() != Status.REJECTED) {
        standing.add(clause.predicate());
      }
    }
    for (PactCategory category : PactCategory.values()) {
      if (standing.stream().noneMatch(one -> one.category().equals(category.code()))) {
        talks.start().flatMap(at -> at.of(category)).ifPresent(standing::add);
      }
    }
    return standing;
  }

  /**
   * The predicates that both sides are bound by: what is locked, and for a category without any the
   * first of the chosen template.
   */
  public List<Predicate> agreed() {
    List<Predicate> agreed = new ArrayList<>();
    for (Clause clause : talks.clauses().values()) {
      if (clause.status() == Status.LOCKED) {
        agreed.add(clause.predicate());
      }
    }
    for (PactCategory category : PactCategory.values()) {
      if (locked(category).isEmpty()) {
        talks.start().flatMap(at -> at.of(category)).ifPresent(agreed::add);
      }
    }
    return agreed;
  }
}
