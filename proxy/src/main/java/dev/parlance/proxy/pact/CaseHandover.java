package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatement.Detail;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Clause;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactState.Status;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.proxy.pact.PactNegotiation.Role;
import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Hands a negotiation in which both sides have asked for an arbiter to that arbiter: both parties
 * sign one report, so that neither can bring a case against a stranger. Used on the loop only.
 *
 * <pre>
 *   initiator                     responder                          control plane
 *   report, signed  ---------->   its own negotiation, the same
 *                                 clauses, arbiter and pact?
 *                   <----------   its signature
 *   report, signed by both  ---------------------------------------->  the case waits
 * </pre>
 */
final class CaseHandover {
  /** 128 bits of what binds every message of a negotiation. */
  private static final int HISTORY_CHARS = 32;

  /** Most characters of offers in a report, which is to fit into an entry of the ledger. */
  private static final int MAX_OFFERS_CHARS = 8_000;

  /** Most attempts to hand over a negotiation of agents. */
  private static final int MAX_ATTEMPTS = 5;

  private final PactContext context;

  /** Negotiations of agents that are still to be handed over, by the other party. */
  private final Map<String, Owed> owed = new HashMap<>();

  /**
   * A negotiation of agents that both want decided.
   *
   * @param channel to the other party's sidecar
   */
  private record Owed(PactNegotiation now, Pacts.Channel channel) {}

  CaseHandover(PactContext context) {
    this.context = context;
  }

  /** Who decides where the local agent and this party find nothing; never one of them. */
  Optional<PactPolicy.Arbiter> arbiter(String peer) {
    return context
        .rules()
        .get()
        .moves()
        .arbiter(peer)
        .filter(one -> !one.name().equals(peer) && !one.name().equals(context.party()));
  }

  /** What both parties had an open clause say last; nothing where it is too much for a report. */
  private static List<Detail> offers(PactState state) {
    String initiator = state.opening().orElseThrow().initiator();
    List<Detail> offers = new ArrayList<>();
    int chars = 0;
    for (Clause clause : state.talks().clauses().values()) {
      if (clause.status() == Status.PENDING) {
        String stands = clause.predicate().body();
        String replaced = clause.replaced().orElse("");
        boolean isOurs = clause.owner().equals(initiator);
        offers.add(
            new Detail(
                clause.predicate().id(),
                "",
                isOurs ? stands : replaced,
                isOurs ? replaced : stands));
        chars += stands.length() + replaced.length();
      }
    }
    return offers.size() <= PactStatement.MAX_DETAILS && chars <= MAX_OFFERS_CHARS
        ? offers
        : List.of();
  }

  /** The pact of a case; where agents have named none yet, both sides know it by what was said. */
  private static String pact(PactNegotiation now) {
    return now.pact().isEmpty()
        ? "p-" + now.state().history().substring(0, HISTORY_CHARS)
        : now.pact();
  }

  // ---- initiator ----

  /**
   * Hands over a negotiation of the local agent's.
   *
   * @param failed hears why there is no case
   * @param opened hears of it once it is on the ledger
   */
  void open(
      PactNegotiation now,
      Pacts.Channel channel,
      Consumer<Outcome> failed,
      Consumer<PactCase> opened) {
    Optional<PactPolicy.Arbiter> by = arbiter(now.peer());
    if (by.isEmpty()) {
      failed.accept(new Outcome.Refused("escalation_rejected", "the policy names no arbiter"));
      return;
    }
    long atMs = context.loop().wallMs();
    PactCase open =
        new PactCase(
            now.id(),
            context.party(),
            now.peer(),
            by.get().name(),
            pact(now),
            atMs + by.get().withinMs());
    byte[] report;
    try {
      report =
          PactStatementNote.sign(
              PactStatement.Report.escalating(
                  open, now.state().standing(), offers(now.state()), atMs),
              context.key().current());
    } catch (IllegalArgumentException noReport) { // an agent's names are its own
      failed.accept(
          new Outcome.Refused("escalation_rejected", String.valueOf(noReport.getMessage())));
      return;
    }
    CompletableFuture<?> _ =
        channel
            .send(PartyProof.handingOver(report))
            .handle((answer, failure) -> {
              context
                  .loop()
                  .run(() -> {
                    if (failure == null) {
                      answered(open, report, answer, failed, opened);
                    } else {
                      failed.accept(
                          new Outcome.Unavailable("nobody answers: " + failure.getMessage()));
                    }
                  });
              return true;
            });
  }

  private void answered(
      PactCase open,
      byte[] report,
      Optional<byte[]> answer,
      Consumer<Outcome> failed,
      Consumer<PactCase> opened) {
    Optional<Batch> said =
        answer.flatMap(bytes ->
            PactMessages.batch(bytes) instanceof Reading.Good<Batch>(Batch batch)
                ? Optional.of(batch)
                : Optional.empty());
    Optional<byte[]> both =
        said.flatMap(Batch::proof)
            .flatMap(base64 -> PactStatementNote.cosigned(report, open.responder(), base64));
    if (both.isEmpty()) {
      failed.accept(
          said.flatMap(Batch::refused)
              .<Outcome>map(why -> new Outcome.Refused(why.code(), why.detail()))
              .orElseGet(() -> unsigned(open)));
      return;
    }
    context.tryKeys(
        open.responder(),
        (keys, isLast) -> {
          boolean holds = PactStatementNote.isCosigned(both.get(), open.responder(), keys);
          if (holds) {
            put(open, both.get(), failed, opened);
          } else if (isLast) {
            failed.accept(unsigned(open));
          }
          return holds || isLast;
        },
        refused -> failed.accept(PactContext.outcome(refused)));
  }

  private static Outcome unsigned(PactCase open) {
    return new Outcome.Refused(
        "case_not_signed",
        open.responder() + " has not signed that " + open.arbiter() + " decides");
  }

  private void put(
      PactCase open, byte[] report, Consumer<Outcome> failed, Consumer<PactCase> opened) {
    context.onLoop(
        context.control().report(new String(report, StandardCharsets.UTF_8)),
        answer -> {
          if (answer instanceof Result.Refused<Boolean> refused) {
            failed.accept(PactContext.outcome(refused));
          } else {
            opened.accept(open);
          }
        });
  }

  // ---- initiator, whose agent negotiates itself ----

  /**
   * Both agents have asked for the arbiter. The other side may not have heard so yet: it is tried
   * again, and at the latest when the local agent asks for a pact.
   */
  void owe(PactNegotiation now, Pacts.Channel channel) {
    owed.put(now.peer(), new Owed(now, channel));
    later(now.peer(), 1);
  }

  private void later(String peer, int attempt) {
    Optional<Owed> one = Optional.ofNullable(owed.get(peer));
    if (attempt > MAX_ATTEMPTS) {
      one.ifPresent(late -> owed.remove(peer, late));
    } else if (one.isPresent()) {
      context
          .loop()
          .later(
              context.loop().pauseMs(attempt), () -> settle(peer, _ -> later(peer, attempt + 1)));
    }
  }

  /**
   * Hands over what is owed with a party, if anything is.
   *
   * @param then hears of the case that it has become, if this has handed it over
   */
  void settle(String peer, Consumer<Optional<PactCase>> then) {
    Optional<Owed> one = Optional.ofNullable(owed.get(peer));
    if (one.isEmpty()) {
      then.accept(Optional.empty());
      return;
    }
    open(
        one.get().now(),
        one.get().channel(),
        _ -> then.accept(Optional.empty()),
        open -> {
          owed.remove(peer, one.get());
          context.events().transition("negotiation", "escalated");
          then.accept(Optional.of(open));
        });
  }

  // ---- responder ----

  /**
   * Signs, too, what the other party hands over, if the local agent's side has negotiated it.
   *
   * @param known the negotiation of this id, if there is one
   */
  void sign(
      byte[] report,
      PactStatement.Report said,
      Optional<PactNegotiation> known,
      CompletableFuture<byte[]> answer) {
    Optional<PactNegotiation.Fault> wrong = wrong(said, known);
    if (wrong.isPresent()) {
      answer.complete(PolicySpeaker.refusal(wrong.get().code(), wrong.get().detail()));
      return;
    }
    context.tryKeys(
        said.reporter(),
        (keys, isLast) -> {
          boolean holds =
              PactStatementNote.verify(report, keys) instanceof PactStatementNote.Reading.Good;
          if (holds) {
            answer.complete(PartyProof.answer(PartyProof.sign(said, context.key().current())));
          } else if (isLast) {
            answer.complete(
                PolicySpeaker.refusal("BAD_SIGNATURE", "expected that of " + said.reporter()));
          }
          return holds || isLast;
        },
        refused -> answer.complete(PolicySpeaker.refusal(refused.reason(), refused.message())));
  }

  private Optional<PactNegotiation.Fault> wrong(
      PactStatement.Report said, Optional<PactNegotiation> known) {
    Optional<PactCase> open = said.handed();
    Optional<PactNegotiation> talked =
        known
            .filter(one -> one.about().role() == Role.RESPONDER)
            .filter(one -> one.peer().equals(said.reporter()))
            .filter(one -> one.phase() == Phase.ESCALATED);
    if (open.isEmpty() || talked.isEmpty() || !said.party().equals(context.party())) {
      return fault("case_unknown", "no negotiation here was escalated like this");
    }
    PactNegotiation now = talked.get();
    List<Predicate> clauses = said.escalation().orElseThrow().predicates();
    if (!open.get().pact().equals(pact(now))
        || !clauses.equals(now.state().standing())
        || !said.details().equals(offers(now.state()))) {
      return fault("case_unknown", "expected pact and clauses as they stand here");
    }
    Optional<PactPolicy.Arbiter> by =
        arbiter(now.peer()).filter(one -> one.name().equals(open.get().arbiter()));
    if (by.isEmpty()) {
      return fault("escalation_rejected", "the policy here names another arbiter, or none");
    }
    long lastMs =
        context.loop().wallMs() + by.get().withinMs() + context.rules().get().clockSkewMs();
    return open.get().untilMs() > lastMs
        ? fault("escalation_rejected", "expected it decided within " + by.get().withinMs() + " ms")
        : Optional.empty();
  }

  private static Optional<PactNegotiation.Fault> fault(String code, String detail) {
    return Optional.of(new PactNegotiation.Fault(code, detail));
  }

  /**
   * Whether the local agent's side has signed that this case goes to its arbiter.
   *
   * @param report as it came with the decision
   */
  boolean isOurs(PactCase decided, Optional<byte[]> report) {
    return report
        .filter(note ->
            PactStatementNote.unverified(note)
                    instanceof PactStatementNote.Reading.Good(PactStatement said, _)
                && said instanceof PactStatement.Report one
                && one.handed().equals(Optional.of(decided))
                && PactStatementNote.isCosigned(
                    note,
                    context.party(),
                    context.key().all().stream().map(SignerKey::verifier).toList()))
        .isPresent();
  }
}
