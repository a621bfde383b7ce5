package dev.parlance.policy.pact;

import dev.parlance.policy.pact.PactEvent.AcceptAll;
import dev.parlance.policy.pact.PactEvent.Body;
import dev.parlance.policy.pact.PactEvent.Clock;
import dev.parlance.policy.pact.PactEvent.Counter;
import dev.parlance.policy.pact.PactEvent.Dissolution;
import dev.parlance.policy.pact.PactEvent.Escalation;
import dev.parlance.policy.pact.PactEvent.Invocation;
import dev.parlance.policy.pact.PactEvent.Message;
import dev.parlance.policy.pact.PactEvent.Negotiating;
import dev.parlance.policy.pact.PactEvent.Position;
import dev.parlance.policy.pact.PactEvent.Proposal;
import dev.parlance.policy.pact.PactEvent.Ratification;
import dev.parlance.policy.pact.PactEvent.Response;
import dev.parlance.policy.pact.PactEvent.TemplateChoice;
import dev.parlance.policy.pact.PactEvent.Unknown;
import dev.parlance.policy.pact.PactEvent.Walkaway;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState.Clause;
import dev.parlance.policy.pact.PactState.End;
import dev.parlance.policy.pact.PactState.Opening;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactState.Signed;
import dev.parlance.policy.pact.PactState.Status;
import dev.parlance.policy.pact.PactState.Talks;
import dev.parlance.policy.text.Sha256;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The machine {@code pact-1}: two parties negotiate predicates, sign them, and end the pact (paper,
 * "The Negotiation Has Five Phases", "The Conflict-Resolution Rules").
 *
 * <table>
 * <caption>Transitions; a message that stands nowhere is OUT_OF_STATE and changes nothing</caption>
 * <tr><th>phase</th><th>message or time</th><th>next</th></tr>
 * <tr><td>INIT</td><td>INVOCATION</td><td>INVITED</td></tr>
 * <tr><td>INVITED</td><td>PROPOSAL of the initiator</td><td>OPEN</td></tr>
 * <tr><td>INVITED</td><td>COUNTER with a template by the responder</td>
 *     <td>accept: CONVERGED, start: OPEN, reject_all: INVITED</td></tr>
 * <tr><td>OPEN</td><td>COUNTER</td><td>OPEN; CONVERGED with nothing open; FORCED after the last</td>
 *     </tr>
 * <tr><td>FORCED</td><td>COUNTER that accepts all that is the other side's</td>
 *     <td>CONVERGED or FORCED; any other: WALKED_AWAY</td></tr>
 * <tr><td>OPEN, FORCED</td><td>COUNTER escalate by both</td><td>ESCALATED</td></tr>
 * <tr><td>ESCALATED</td><td>PROPOSAL of the arbiter</td><td>ARBITRATED</td></tr>
 * <tr><td>ARBITRATED</td><td>COUNTER accept_all by both</td><td>CONVERGED</td></tr>
 * <tr><td>CONVERGED, RATIFYING</td><td>RATIFICATION</td>
 *     <td>RATIFYING with one signature, ACTIVE with both</td></tr>
 * <tr><td>INVITED to RATIFYING</td><td>WALKAWAY, limit, deadline</td><td>WALKED_AWAY</td></tr>
 * <tr><td>ACTIVE</td><td>DISSOLUTION, end of the validity</td><td>DISSOLVED or IN_DISPUTE</td></tr>
 * <tr><td>ACTIVE</td><td>{@link PactState#ended enforcement}</td><td>DISSOLVED</td></tr>
 * <tr><td>IN_DISPUTE</td><td>{@link PactState#ended decision of the arbiter}</td><td>DISSOLVED</td></tr>
 * </table>
 *
 * Checks come in this order: closed, time, type, phase, negotiation or pact, party, then the
 * message's own rules. A message is taken whole or refused whole.
 */
public final class PactMachine {
  /** Who speaks for the arbiter. */
  public static final String ARBITER = "ARBITER";

  /** Positions before what is open is forced, where no template says otherwise. */
  public static final int DEFAULT_COUNTERS = 8;

  private static final Pattern NOTICE = Pattern.compile("(?:^|;)notice_ms=([0-9]+)(?=;|\\z)");
  private static final Set<String> WALKAWAYS =
      Set.of(
          "declined",
          "incompatible_pacts",
          "hostile_counterparty",
          "template_mismatch",
          "escalation_rejected",
          "forced_resolution");

  private final PactState before;
  private final long atMs;
  private final TreeMap<String, Clause> clauses;
  private Phase phase;
  private Optional<Opening> opening;
  private Optional<PactTemplate> start;
  private String mover;
  private String lastSpeaker;
  private int cap;
  private int counters;
  private OptionalLong deadlineMs;
  private Set<String> escalating;
  private Set<String> accepting;
  private Set<String> completing;
  private Optional<Signed> signed;
  private Optional<End> end;
  private String history;

  private PactMachine(PactState before, long atMs) {
    this.before = before;
    this.atMs = atMs;
    Talks talks = before.talks();
    this.clauses = new TreeMap<>(talks.clauses());
    this.phase = before.phase();
    this.opening = before.opening();
    this.start = talks.start();
    this.mover = talks.mover();
    this.lastSpeaker = talks.lastSpeaker();
    this.cap = talks.cap();
    this.counters = talks.counters();
    this.deadlineMs = talks.deadlineMs();
    this.escalating = talks.escalating();
    this.accepting = talks.accepting();
    this.completing = talks.completing();
    this.signed = before.signed();
    this.end = before.end();
    this.history = before.history();
  }

  /**
   * What an event does.
   *
   * @param next the state after it
   * @param fault why the message is refused; empty if it is taken, and for time that passes
   */
  public record Step(PactState next, Optional<PactFault> fault) {}

  /** The state after an event. */
  public static Step step(PactState state, PactEvent event) {
    PactMachine machine = new PactMachine(state, event.atMs());
    return switch (event) {
      case Clock clock -> {
        machine.pass(clock.unreachable());
        yield new Step(machine.state(), Optional.empty());
      }
      case Message message -> machine.take(message);
    };
  }

  private PactState state() {
    return new PactState(
        phase,
        before.templates(),
        opening,
        new Talks(
            clauses,
            start,
            mover,
            lastSpeaker,
            cap,
            counters,
            deadlineMs,
            escalating,
            accepting,
            completing),
        signed,
        end,
        history);
  }

  // ---- time ----

  /** True if the time that has passed ended something. */
  private boolean pass(Optional<String> unreachable) {
    if (phase == Phase.ACTIVE && atMs >= signed.orElseThrow().terms().endMs()) {
      Optional<String> gone = unreachable.filter(opening.orElseThrow()::isParty);
      Ending ending = gone.isPresent() ? Ending.TIMEOUT : Ending.VALIDITY_EXPIRED;
      end(Phase.DISSOLVED, ending.code(), gone);
      return true;
    }
    if (!phase.isNegotiating()) {
      return false;
    }
    Opening of = opening.orElseThrow();
    boolean counts = phase == Phase.OPEN || phase == Phase.FORCED;
    if (counts && deadlineMs.isPresent() && deadlineMs.getAsLong() < Math.min(of.limitMs(), atMs)) {
      end(Phase.WALKED_AWAY, "deadline_missed", Optional.empty());
      return true;
    }
    if (atMs > of.limitMs()) {
      boolean silent = phase == Phase.INVITED && !lastSpeaker.equals(of.responder());
      end(Phase.WALKED_AWAY, silent ? "unresponsive" : "timeout", Optional.empty());
      return true;
    }
    return false;
  }

  private void end(Phase last, String reason, Optional<String> responsible) {
    phase = last;
    end = Optional.of(new End(reason, responsible));
  }

  // ---- messages ----

  private Step take(Message message) {
    if (phase.isClosed()) {
      return new Step(before, Optional.of(PactFault.CLOSED));
    }
    if (pass(Optional.empty())) {
      return new Step(state(), Optional.of(PactFault.LATE));
    }
    Optional<PactFault> fault = permitted(message).or(() -> applied(message));
    if (fault.isPresent() && end.isEmpty()) {
      return new Step(before, fault);
    }
    if (fault.isEmpty()) {
      lastSpeaker = message.from();
      if (!(message.body() instanceof Ratification) && !(message.body() instanceof Dissolution)) {
        history = Sha256.hex(history + message.canonical());
      }
    }
    return new Step(state(), fault);
  }

  /** Type, phase, negotiation, party. */
  private Optional<PactFault> permitted(Message message) {
    Body body = message.body();
    if (body instanceof Unknown) {
      return Optional.of(PactFault.UNKNOWN_TYPE);
    }
    Optional<PactFault> fault = inPhase(body);
    if (fault.isPresent() || phase == Phase.INIT) {
      return fault;
    }
    Opening of = opening.orElseThrow();
    if (body instanceof Negotiating one && !one.negotiation().equals(of.negotiation())) {
      return Optional.of(PactFault.UNKNOWN_NEGOTIATION);
    }
    if (body instanceof Dissolution one
        && !one.pact().equals(signed.orElseThrow().terms().pact())) {
      return Optional.of(PactFault.UNKNOWN_PACT);
    }
    boolean arbiter =
        phase == Phase.ESCALATED && body instanceof Proposal && message.from().equals(ARBITER);
    return arbiter || of.isParty(message.from())
        ? Optional.empty()
        : Optional.of(PactFault.NOT_A_PARTY);
  }

  private Optional<PactFault> inPhase(Body body) {
    if (phase == Phase.ACTIVE) {
      return switch (body) {
        case Dissolution _ -> Optional.empty();
        case Invocation _ -> Optional.of(PactFault.OUT_OF_STATE);
        case Proposal _, Counter _, Ratification _, Walkaway _, Unknown _ ->
            Optional.of(PactFault.IMMUTABLE);
      };
    }
    boolean fits =
        switch (body) {
          case Invocation _ -> phase == Phase.INIT;
          case Proposal _ -> phase == Phase.INVITED || phase == Phase.ESCALATED;
          case Counter _ ->
              phase == Phase.INVITED
                  || phase == Phase.OPEN
                  || phase == Phase.FORCED
                  || phase == Phase.ARBITRATED;
          case Ratification _ -> phase == Phase.CONVERGED || phase == Phase.RATIFYING;
          case Walkaway _ -> phase != Phase.INIT;
          case Dissolution _, Unknown _ -> false;
        };
    if (fits) {
      return Optional.empty();
    }
    return Optional.of(
        body instanceof Ratification && phase != Phase.INIT
            ? PactFault.NOT_CONVERGED
            : PactFault.OUT_OF_STATE);
  }

  private Optional<PactFault> applied(Message message) {
    String from = message.from();
    return switch (message.body()) {
      case Invocation invocation -> invite(from, invocation);
      case Proposal proposal ->
          phase == Phase.ESCALATED ? arbitrate(from, proposal) : propose(from, proposal);
      case Counter counter when phase == Phase.ARBITRATED -> acceptAll(from, counter);
      case Counter counter when phase == Phase.INVITED -> choose(from, counter);
      case Escalation _ -> escalate(from);
      case Position position -> move(from, position);
      // Neither answers a predicate here: a position that says nothing.
      case TemplateChoice _, AcceptAll _ ->
          move(from, new Position("", List.of(), OptionalLong.empty()));
      case Ratification ratification -> ratify(from, ratification);
      case Walkaway walkaway -> leave(walkaway);
      case Dissolution dissolution -> dissolve(from, dissolution);
      case Unknown _ -> Optional.of(PactFault.UNKNOWN_TYPE);
    };
  }

  private Optional<PactFault> invite(String from, Invocation said) {
    if (said.source().equals(said.target()) || !said.source().equals(from)) {
      return Optional.of(PactFault.BAD_PARTIES);
    }
    if (said.timeoutMs() <= 0 || said.maxDurationMs() <= 0) {
      return Optional.of(PactFault.BAD_LIMITS);
    }
    opening =
        Optional.of(
            new Opening(
                said.negotiation(),
                said.source(),
                said.target(),
                Math.addExact(atMs, Math.min(said.timeoutMs(), Long.MAX_VALUE - atMs)),
                said.maxDurationMs(),
                said.templates()));
    history = Sha256.hex("parlance-pact-1\n" + said.negotiation());
    mover = said.source();
    cap =
        said.templates().stream()
            .flatMap(name -> Optional.ofNullable(before.templates().get(name)).stream())
            .map(PactTemplate::maxCounters)
            .flatMapToInt(OptionalInt::stream)
            .min()
            .orElse(DEFAULT_COUNTERS);
    phase = Phase.INVITED;
    return Optional.empty();
  }

  /** What is wrong with a whole set of predicates. */
  private static Optional<PactFault> wrong(List<Predicate> predicates) {
    if (predicates.isEmpty()) {
      return Optional.of(PactFault.EMPTY_PROPOSAL);
    }
    Set<String> ids = new HashSet<>();
    for (Predicate one : predicates) {
      if (!ids.add(one.id())) {
        return Optional.of(PactFault.DUPLICATE_ID);
      }
      if (one.kind().isEmpty()) {
        return Optional.of(PactFault.BAD_CATEGORY);
      }
    }
    return Optional.empty();
  }

  private Optional<PactFault> propose(String from, Proposal said) {
    Opening of = opening.orElseThrow();
    if (!from.equals(of.initiator())) {
      return Optional.of(PactFault.OUT_OF_TURN);
    }
    Optional<PactFault> fault = wrong(said.predicates());
    if (fault.isEmpty()) {
      said.predicates()
          .forEach(one -> clauses.put(one.id(), new Clause(one, from, Status.PENDING)));
      deadlineMs = said.deadlineMs();
      mover = of.responder();
      phase = Phase.OPEN;
    }
    return fault;
  }

  private Optional<PactFault> choose(String from, Counter counter) {
    Opening of = opening.orElseThrow();
    if (!from.equals(of.responder())) {
      return Optional.of(PactFault.OUT_OF_TURN);
    }
    if (!(counter instanceof TemplateChoice said)) {
      return Optional.of(PactFault.OUT_OF_STATE);
    }
    if (said.decision().equals("reject_all")) {
      if (said.rationale().isEmpty()) {
        end(Phase.WALKED_AWAY, "protocol_violation", Optional.empty());
        return Optional.of(PactFault.MISSING_RATIONALE);
      }
      return Optional.empty();
    }
    boolean whole = said.decision().equals("accept");
    if (!whole && !said.decision().equals("start")) {
      return Optional.of(PactFault.UNKNOWN_ACTION);
    }
    if (!of.offered().contains(said.reference())) {
      return Optional.of(PactFault.TEMPLATE_NOT_OFFERED);
    }
    if (!before.templates().containsKey(said.reference())) {
      return Optional.of(PactFault.TEMPLATE_UNKNOWN);
    }
    PactTemplate chosen = before.templates().get(said.reference());
    Status status = whole ? Status.LOCKED : Status.PENDING;
    chosen
        .predicates()
        .forEach(one -> clauses.put(one.id(), new Clause(one, of.initiator(), status)));
    start = Optional.of(chosen);
    cap = chosen.maxCounters().orElse(DEFAULT_COUNTERS);
    mover = of.responder();
    phase = whole ? Phase.CONVERGED : Phase.OPEN;
    return Optional.empty();
  }

  private Optional<PactFault> escalate(String from) {
    escalating = with(escalating, from);
    if (escalating.size() == 2) {
      phase = Phase.ESCALATED;
    }
    return Optional.empty();
  }

  private static Set<String> with(Set<String> names, String name) {
    Set<String> more = new HashSet<>(names);
    more.add(name);
    return more;
  }

  // ---- positions ----

  private Optional<PactFault> move(String from, Position said) {
    if (!from.equals(mover)) {
      return Optional.of(PactFault.OUT_OF_TURN);
    }
    if (phase == Phase.FORCED) {
      return accept(from, said);
    }
    if (said.responses().isEmpty()) {
      return Optional.of(PactFault.EMPTY_COUNTER);
    }
    Optional<PactFault> fault = respond(from, said);
    if (fault.isPresent()) {
      if (fault.get() == PactFault.MISSING_RATIONALE) {
        clauses.clear();
        clauses.putAll(before.talks().clauses());
        end(Phase.WALKED_AWAY, "protocol_violation", Optional.empty());
      }
      return fault;
    }
    counters++;
    return settled(from, said, counters >= cap ? Phase.FORCED : Phase.OPEN);
  }

  /** After the last counter: nothing but acceptance of all that the other side has open. */
  private Optional<PactFault> accept(String from, Position said) {
    Set<String> accepted = new HashSet<>();
    boolean only = said.responses().stream().allMatch(one -> one.action().equals("accept"));
    said.responses().forEach(one -> accepted.add(one.id()));
    boolean all =
        clauses.values().stream()
            .filter(one -> one.status() == Status.PENDING && !one.owner().equals(from))
            .allMatch(one -> accepted.contains(one.predicate().id()));
    if (!only || !all) {
      end(Phase.WALKED_AWAY, "forced_resolution", Optional.empty());
      return Optional.of(PactFault.FORCED_RESOLUTION);
    }
    return respond(from, said).or(() -> settled(from, said, Phase.FORCED));
  }

  private Optional<PactFault> settled(String from, Position said, Phase open) {
    boolean pending = clauses.values().stream().anyMatch(one -> one.status() == Status.PENDING);
    phase = pending ? open : Phase.CONVERGED;
    deadlineMs = said.deadlineMs();
    escalating = Set.of();
    mover = opening.orElseThrow().other(from);
    return Optional.empty();
  }

  private Optional<PactFault> respond(String from, Position said) {
    Set<String> ids = new HashSet<>();
    for (Response one : said.responses()) {
      if (!ids.add(one.id())) {
        return Optional.of(PactFault.DUPLICATE_ID);
      }
      Optional<PactFault> fault = respond(from, one);
      if (fault.isPresent()) {
        return fault;
      }
    }
    return Optional.empty();
  }

  private Optional<PactFault> respond(String from, Response said) {
    Optional<Clause> clause = Optional.ofNullable(clauses.get(said.id()));
    if (said.action().equals("add")) {
      return clause.isPresent() ? Optional.of(PactFault.DUPLICATE_ID) : add(from, said);
    }
    if (!Set.of("accept", "reject", "modify").contains(said.action())) {
      return Optional.of(PactFault.UNKNOWN_ACTION);
    }
    if (clause.isEmpty()) {
      return Optional.of(PactFault.UNKNOWN_PREDICATE);
    }
    Clause was = clause.get();
    boolean locked = was.status() == Status.LOCKED;
    return switch (said.action()) {
      case "accept" -> {
        if (!locked && was.owner().equals(from)) {
          yield Optional.of(PactFault.ACCEPT_OWN);
        }
        if (was.status() == Status.PENDING) {
          clauses.put(said.id(), was.as(Status.LOCKED));
        }
        yield Optional.empty();
      }
      case "reject" -> {
        if (said.rationale().isEmpty()) {
          yield Optional.of(PactFault.MISSING_RATIONALE);
        }
        if (locked) {
          yield Optional.of(PactFault.UNACCEPT);
        }
        clauses.put(said.id(), was.as(Status.REJECTED));
        yield Optional.empty();
      }
      default -> {
        if (locked) {
          yield Optional.of(PactFault.UNACCEPT);
        }
        Predicate changed = new Predicate(said.id(), was.predicate().category(), said.body());
        clauses.put(said.id(), was.with(changed, from));
        yield Optional.empty();
      }
    };
  }

  private Optional<PactFault> add(String from, Response said) {
    Predicate added = new Predicate(said.id(), said.category(), said.body());
    if (added.kind().isEmpty()) {
      return Optional.of(PactFault.BAD_CATEGORY);
    }
    clauses.put(said.id(), new Clause(added, from, Status.PENDING));
    return Optional.empty();
  }

  // ---- arbiter ----

  private Optional<PactFault> arbitrate(String from, Proposal said) {
    if (!from.equals(ARBITER)) {
      return Optional.of(PactFault.OUT_OF_TURN);
    }
    Optional<PactFault> fault = wrong(said.predicates());
    if (fault.isPresent()) {
      return fault;
    }
    TreeMap<String, Clause> decided = new TreeMap<>();
    said.predicates()
        .forEach(one -> decided.put(one.id(), new Clause(one, ARBITER, Status.PENDING)));
    for (Clause clause : clauses.values()) {
      if (clause.status() == Status.LOCKED) {
        Optional<Clause> kept = Optional.ofNullable(decided.get(clause.predicate().id()));
        if (kept.filter(one -> one.predicate().equals(clause.predicate())).isEmpty()) {
          return Optional.of(PactFault.ARBITER_UNLOCKS);
        }
        decided.put(clause.predicate().id(), clause);
      } else {
        decided.putIfAbsent(clause.predicate().id(), clause.as(Status.REJECTED));
      }
    }
    clauses.clear();
    clauses.putAll(decided);
    phase = Phase.ARBITRATED;
    return Optional.empty();
  }

  private Optional<PactFault> acceptAll(String from, Counter said) {
    if (!(said instanceof AcceptAll)) {
      return Optional.of(PactFault.ARBITRATION_IS_FINAL);
    }
    accepting = with(accepting, from);
    if (accepting.size() == 2) {
      clauses.replaceAll(
          (_, clause) -> clause.status() == Status.PENDING ? clause.as(Status.LOCKED) : clause);
      phase = Phase.CONVERGED;
    }
    return Optional.empty();
  }

  // ---- signatures ----

  private Optional<PactFault> ratify(String from, Ratification said) {
    if (signed.isPresent()) {
      Ratification first = signed.get().terms();
      boolean same =
          said.pact().equals(first.pact())
              && said.startMs() == first.startMs()
              && said.endMs() == first.endMs()
              && said.history().equals(first.history())
              && said.predicatesHash().equals(first.predicatesHash());
      if (!same) {
        return Optional.of(PactFault.RATIFICATION_MISMATCH);
      }
    } else {
      if (!before.missing().isEmpty()) {
        return Optional.of(PactFault.INCOMPLETE_CATEGORIES);
      }
      if (!said.predicatesHash().equals(Predicate.hash(before.agreed()))) {
        return Optional.of(PactFault.PREDICATES_MISMATCH);
      }
      if (!said.history().equals(history)) {
        return Optional.of(PactFault.HISTORY_MISMATCH);
      }
      long most = opening.orElseThrow().maxDurationMs();
      if (said.startMs() < atMs
          || said.startMs() >= said.endMs()
          || said.endMs() - said.startMs() > most) {
        return Optional.of(PactFault.BAD_VALIDITY);
      }
    }
    Map<String, Boolean> signatures = said.signatures();
    boolean good =
        signatures.containsKey(from)
            && signatures.entrySet().stream()
                .allMatch(one -> one.getValue() && opening.orElseThrow().isParty(one.getKey()));
    if (!good) {
      return Optional.of(PactFault.BAD_SIGNATURE);
    }
    Set<String> signers = new HashSet<>(signatures.keySet());
    signed.ifPresent(first -> signers.addAll(first.signers()));
    signed = Optional.of(new Signed(signed.map(Signed::terms).orElse(said), signers));
    phase = signers.size() == 2 ? Phase.ACTIVE : Phase.RATIFYING;
    return Optional.empty();
  }

  // ---- endings ----

  private Optional<PactFault> leave(Walkaway said) {
    if (!WALKAWAYS.contains(said.reason())) {
      return Optional.of(PactFault.BAD_REASON);
    }
    end(Phase.WALKED_AWAY, said.reason(), Optional.empty());
    return Optional.empty();
  }

  private Optional<PactFault> dissolve(String from, Dissolution said) {
    Optional<Ending> ending = Ending.ofCode(said.reason());
    if (ending.isEmpty()) {
      return Optional.of(PactFault.BAD_REASON);
    }
    switch (ending.get()) {
      case WORK_COMPLETED -> {
        completing = with(completing, from);
        if (completing.size() == 2) {
          end(Phase.DISSOLVED, said.reason(), Optional.empty());
        }
      }
      case WORK_FAILED -> {
        boolean provided =
            before.agreed().stream()
                .filter(one -> one.category().equals(PactCategory.FAILURE.code()))
                .anyMatch(one -> said.failurePredicate().equals(Optional.of(one.id())));
        if (!provided) {
          return Optional.of(PactFault.NO_FAILURE_PREDICATE);
        }
        end(Phase.DISSOLVED, said.reason(), Optional.empty());
      }
      case PARTY_WITHDREW -> {
        long noticeMs = noticeMs();
        boolean isPossible = atMs <= Long.MAX_VALUE - noticeMs;
        if (!isPossible || said.effectiveMs().orElse(atMs) < atMs + noticeMs) {
          return Optional.of(PactFault.NOTICE_NOT_GIVEN);
        }
        end(Phase.DISSOLVED, said.reason(), Optional.of(from));
      }
      case DISPUTE_ESCALATED -> end(Phase.IN_DISPUTE, said.reason(), Optional.empty());
      case VALIDITY_EXPIRED -> {
        return Optional.of(PactFault.PREMATURE_EXPIRY);
      }
      case TIMEOUT -> {
        return Optional.of(PactFault.ORCHESTRATOR_ONLY);
      }
      case VIOLATED -> {
        return Optional.of(PactFault.BAD_REASON);
      }
    }
    return Optional.empty();
  }

  /**
   * The longest notice that a termination predicate asks for; 0 if none does. One of more than 18
   * digits can never be given.
   */
  private long noticeMs() {
    long longest = 0;
    for (Predicate one : before.agreed()) {
      if (!one.category().equals(PactCategory.TERMINATION.code())) {
        continue;
      }
      Matcher notice = NOTICE.matcher(one.body());
      while (notice.find()) {
        String digits = notice.group(1);
        longest = Math.max(longest, digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits));
      }
    }
    return longest;
  }
}
