package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Offer;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactMessages.Refusal;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Invocation;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.service.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Negotiations that other sidecars begin. Each is kept until its limit, so that the first request
 * can bring the last signature. Used on the loop only.
 *
 * <table>
 * <caption>Refused before the machine is asked; nothing has changed then</caption>
 * <tr><td>CLOCKS_APART</td><td>a time too far from the time here</td></tr>
 * <tr><td>BAD_PARTIES</td><td>an invocation for somebody else, or from the local agent</td></tr>
 * <tr><td>TEMPLATE_UNKNOWN</td><td>a template whose text is another one here</td></tr>
 * <tr><td>OUT_OF_STATE</td><td>a negotiation or pact id that was there already</td></tr>
 * <tr><td>NOT_A_PARTY</td><td>a message in somebody else's name</td></tr>
 * <tr><td>too_many_negotiations, too_many_pacts</td><td>there is no room</td></tr>
 * <tr><td>malformed</td><td>no batch of messages, or one over a limit</td></tr>
 * </table>
 */
final class Responses {
  /** Most negotiations under way. */
  static final int MAX_RUNS = 256;

  private final PactContext context;
  private final FailureReports reports;
  private final BiConsumer<Incoming, CompletableFuture<byte[]>> dissolved;
  private final Map<String, NegotiationRun> byId = new HashMap<>();
  private final Map<String, NegotiationRun> byPact = new HashMap<>();

  /**
   * None yet.
   *
   * @param dissolved takes what the other side says of the end of a pact
   */
  Responses(
      PactContext context,
      FailureReports reports,
      BiConsumer<Incoming, CompletableFuture<byte[]>> dissolved) {
    this.context = context;
    this.reports = reports;
    this.dissolved = dissolved;
  }

  /** The negotiation that shall become this pact. */
  Optional<NegotiationRun> ofPact(String pact) {
    return Optional.ofNullable(byPact.get(pact));
  }

  /** Its pact is in the table: nothing more is said in it. */
  void done(NegotiationRun run) {
    byPact.remove(run.pact(), run);
  }

  /**
   * The answer to a batch.
   *
   * @param arrived when it was there, whole
   */
  void answer(byte[] body, PactLoop.Moment arrived, CompletableFuture<byte[]> answer) {
    switch (PactMessages.batch(body)) {
      case Reading.Refused<Batch>(PactMessages.Fault fault, String detail) ->
          answer.complete(refusal(0, "malformed", fault.code() + ": " + detail));
      case Reading.Good<Batch>(Batch batch) -> {
        if (batch.messages().isEmpty()) {
          answer.complete(refusal(0, "malformed", "a batch without messages"));
          return;
        }
        Incoming first = batch.messages().getFirst();
        switch (first.message().body()) {
          case PactEvent.Dissolution _ -> dissolved.accept(first, answer);
          case Invocation invocation -> invited(batch, first, invocation, arrived, answer);
          case PactEvent.Negotiating said -> {
            NegotiationRun run = byId.get(said.negotiation());
            if (run == null) {
              answer.complete(
                  refusal(0, PactFault.UNKNOWN_NEGOTIATION.name(), "no such negotiation here"));
            } else {
              take(run, batch, answer);
            }
          }
          case PactEvent.Unknown _ ->
              answer.complete(refusal(0, PactFault.UNKNOWN_TYPE.name(), "no such message"));
        }
      }
    }
  }

  /** A batch that only refuses. */
  static byte[] refusal(int index, String code, String detail) {
    return PactMessages.write(List.of(), Optional.of(new Refusal(index, code, detail)));
  }

  private void invited(
      Batch batch,
      Incoming first,
      Invocation invocation,
      PactLoop.Moment arrived,
      CompletableFuture<byte[]> answer) {
    Optional<NegotiationRun.Fault> fault = unfit(first, invocation, arrived);
    if (fault.isPresent()) {
      answer.complete(refusal(0, fault.get().code(), fault.get().detail()));
      return;
    }
    context.onLoop(
        context.templates().ensure(invocation.templates()),
        _ -> {
          Optional<NegotiationRun.Fault> still =
              unfit(first, invocation, arrived)
                  .or(() -> stale(first.offer().orElseThrow(), invocation));
          if (still.isPresent()) {
            answer.complete(refusal(0, still.get().code(), still.get().detail()));
            return;
          }
          begin(batch, first, invocation, arrived, answer);
        });
  }

  private Optional<NegotiationRun.Fault> unfit(
      Incoming first, Invocation said, PactLoop.Moment arrived) {
    PactRules rules = context.rules().get();
    String from = first.message().from();
    if (!said.target().equals(context.party())
        || !said.source().equals(from)
        || from.equals(context.party())) {
      return fault(PactFault.BAD_PARTIES.name(), "expected an invitation for " + context.party());
    }
    long apartMs = first.message().atMs() - arrived.wallMs();
    if (Math.abs(apartMs) > rules.clockSkewMs()) {
      return fault(
          NegotiationRun.CLOCKS_APART,
          "the clocks are %d ms apart, expected at most %d"
              .formatted(apartMs, rules.clockSkewMs()));
    }
    if (first.offer().isEmpty() || first.offer().get().validityMs() < 1) {
      return fault(PactFault.BAD_LIMITS.name(), "expected a pact and how long it shall hold");
    }
    String pact = first.offer().get().pact();
    if (byId.containsKey(said.negotiation())
        || byPact.containsKey(pact)
        || context.table().of(pact).isPresent()) {
      return fault(PactFault.OUT_OF_STATE.name(), "this was negotiated before");
    }
    if (byId.size() >= MAX_RUNS) {
      return fault("too_many_negotiations", MAX_RUNS + " are under way");
    }
    return context.table().active() >= rules.maxActive()
        ? fault("too_many_pacts", context.table().active() + " pacts hold")
        : Optional.empty();
  }

  private static Optional<NegotiationRun.Fault> fault(String code, String detail) {
    return Optional.of(new NegotiationRun.Fault(code, detail));
  }

  /** A version of a template has one text; who has another one agrees to something else. */
  private Optional<NegotiationRun.Fault> stale(Offer offer, Invocation said) {
    Map<String, String> here = context.templates().digests(said.templates());
    for (Map.Entry<String, String> one : here.entrySet()) {
      if (!one.getValue().equals(offer.templates().get(one.getKey()))) {
        return fault(PactFault.TEMPLATE_UNKNOWN.name(), one.getKey() + " has another text here");
      }
    }
    return Optional.empty();
  }

  private void begin(
      Batch batch,
      Incoming first,
      Invocation said,
      PactLoop.Moment arrived,
      CompletableFuture<byte[]> answer) {
    PactRules rules = context.rules().get();
    Offer offer = first.offer().orElseThrow();
    Map<String, PactTemplate> templates = context.templates().of(said.templates());
    NegotiationRun run =
        new NegotiationRun(
            context.loop(),
            new NegotiationRun.About(
                context.party(),
                first.message().from(),
                said.negotiation(),
                offer.pact(),
                offer.validityMs()),
            templates,
            first.message().atMs(),
            arrived,
            rules.clockSkewMs());
    byId.put(run.negotiation(), run);
    byPact.put(run.pact(), run);
    context.keysOf(run.peer(), _ -> {});
    // As long as an invitation like this would be in time, its ids stay used.
    long keptMs = Math.min(said.timeoutMs(), rules.timeoutMs()) + 2 * rules.clockSkewMs();
    context
        .loop()
        .later(
            keptMs,
            () -> {
              run.pass();
              byId.remove(run.negotiation(), run);
              byPact.remove(run.pact(), run);
            });
    take(run, batch, answer);
  }

  private void take(NegotiationRun run, Batch batch, CompletableFuture<byte[]> answer) {
    boolean signed =
        batch.messages().stream()
            .anyMatch(one -> one.message().body() instanceof PactEvent.Ratification);
    if (!signed) {
      take(run, batch, List.of(), answer);
      return;
    }
    context.keysOf(
        run.peer(),
        keys -> {
          switch (keys) {
            case Result.Done<List<VerifierKey>>(List<VerifierKey> its) ->
                take(run, batch, its, answer);
            case Result.Refused<List<VerifierKey>>(Result.Kind _, String reason, String detail) ->
                answer.complete(refusal(0, reason, detail));
          }
        });
  }

  private void take(
      NegotiationRun run, Batch batch, List<VerifierKey> keys, CompletableFuture<byte[]> answer) {
    for (int i = 0; i < batch.messages().size(); i++) {
      Incoming one = batch.messages().get(i);
      boolean converged = run.state().phase() == Phase.CONVERGED;
      Optional<NegotiationRun.Fault> fault =
          run.take(one, keys, context.key().current().verifier());
      boolean left = converged && one.message().body() instanceof PactEvent.Walkaway;
      if (left || (fault.isPresent() && run.isOver())) {
        reports.badFaith(run.negotiation(), run.peer());
      }
      if (fault.isPresent()) {
        answer.complete(
            run.drain(Optional.of(new Refusal(i, fault.get().code(), fault.get().detail()))));
        return;
      }
    }
    int last = batch.messages().size() - 1;
    Optional<NegotiationRun.Fault> fault = reply(run);
    answer.complete(run.drain(fault.map(why -> new Refusal(last, why.code(), why.detail()))));
  }

  /** Says what the policy says next, and signs in the same batch what is agreed. */
  private Optional<NegotiationRun.Fault> reply(NegotiationRun run) {
    PactRules rules = context.rules().get();
    while (!run.isOver() && run.state().phase() != Phase.ACTIVE) {
      Phase before = run.state().phase();
      switch (rules.moves().next(run.state(), run.negotiation(), context.party(), run.peer())) {
        case PactMoves.Move.Say(List<PactEvent.Body> bodies) -> {
          for (PactEvent.Body body : bodies) {
            Optional<NegotiationRun.Fault> fault = run.say(body);
            if (fault.isPresent()) {
              return fault;
            }
          }
          if (bodies.isEmpty() || run.state().phase() != Phase.CONVERGED) {
            return Optional.empty();
          }
        }
        case PactMoves.Move.Sign _ -> {
          Optional<NegotiationRun.Fault> fault =
              run.sign(context.key().current(), rules.maxDurationMs());
          if (fault.isPresent()) {
            Optional<NegotiationRun.Fault> _ =
                run.say(new PactEvent.Walkaway(run.negotiation(), "incompatible_pacts"));
            return fault;
          }
          if (before == run.state().phase() || run.state().phase() == Phase.RATIFYING) {
            return Optional.empty();
          }
        }
        case PactMoves.Move.Leave(String reason, var details) -> {
          reports.incompatible(run.negotiation(), run.peer(), details);
          return run.say(new PactEvent.Walkaway(run.negotiation(), reason));
        }
        case PactMoves.Move.Wait _ -> {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }
}
