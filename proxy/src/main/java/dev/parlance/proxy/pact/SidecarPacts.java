package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState;
import dev.parlance.proxy.gate.AnswerSchemas;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.service.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pacts of the local agent: negotiated with the sidecars of other agents, on the ledger of the
 * own control plane, taken up again after a restart.
 */
public final class SidecarPacts implements Pacts, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SidecarPacts.class);

  /** For so long the key before a new one goes on counting, in milliseconds: an hour. */
  static final int OVERLAP_MS = 3_600_000;

  private static final long KEY_MS = 5_000;

  private final PactContext context;
  private final PactLoop loop;
  private final PactTable table = new PactTable();
  private final PactJournal journal;
  private final LedgerOutbox outbox;
  private final PolicyInitiator initiator;
  private final PolicySpeaker policy;
  private final AgentSpeaker agents;
  private final PactSchemas schemas;

  private final Dissolutions dissolutions;
  private final long beganMs;

  /**
   * Where the sidecar's part is kept, and as whom it speaks.
   *
   * @param party id of the local agent
   * @param keyFile file of its key; empty for the one in the data folder
   * @param dataDir folder of key and journal
   */
  public record Place(String party, Optional<Path> keyFile, Path dataDir) {}

  /**
   * Opens what is kept; nothing is asked or said before {@link #start}.
   *
   * @throws IOException if key or journal cannot be used
   */
  public static SidecarPacts open(
      Place place, Supplier<PactRules> rules, PactControl control, Events events)
      throws IOException {
    return new SidecarPacts(place, rules, control, events, PactLoop.start());
  }

  SidecarPacts(
      Place place, Supplier<PactRules> rules, PactControl control, Events events, PactLoop loop)
      throws IOException {
    PartyKey key =
        PartyKey.open(
            place.keyFile().orElse(place.dataDir().resolve(PartyKey.FILE_NAME)), place.party());
    PeerKeys peerKeys = new PeerKeys(() -> rules.get().peerKeys(), control, loop);
    this.loop = loop;
    this.beganMs = loop.elapsedMs();
    this.context =
        new PactContext(
            place.party(),
            rules,
            key,
            peerKeys,
            new TemplateCache(rules, control, peerKeys, loop),
            table,
            control,
            loop,
            events);
    this.schemas = new PactSchemas(() -> rules.get().schemasDir(), () -> rules.get().schemas());
    schemas.refresh();
    this.journal = PactJournal.open(place.dataDir());
    this.outbox = new LedgerOutbox(journal, control, loop, this::settled);
    this.dissolutions = new Dissolutions(context, journal, outbox);
    FailureReports reports = new FailureReports(context);
    CaseHandover cases = new CaseHandover(context);
    Negotiations invited = new Negotiations(context, PactNegotiation.Speaker.POLICY, cases);
    Negotiations ofAgents = new Negotiations(context, PactNegotiation.Speaker.AGENT, cases);
    this.policy = new PolicySpeaker(context, invited, ofAgents, reports, dissolutions, cases);
    this.initiator = new PolicyInitiator(context, policy, reports, dissolutions, cases);
    this.agents = new AgentSpeaker(context, ofAgents, invited, reports, dissolutions, cases);
  }

  /** The keys of the local agent that were in use since the start, the current one first. */
  public List<SignerKey> keys() {
    return context.key().all();
  }

  /** Takes up what an earlier run has left, registers the key, and listens to the ledger. */
  public void start() {
    loop.run(() -> {
      restore();
      outbox.resume();
      register(context.key().current(), 1);
      context
          .control()
          .watch(
              view -> loop.run(() -> dissolutions.seen(view)),
              () -> loop.run(() -> register(context.key().current(), 1)));
      sweep();
      watchKey();
    });
  }

  /**
   * A pact that the local agent has asked for holds at once: the other side checks what it sends.
   * One that others ask under holds when the ledger has said that it has not ended meanwhile; who
   * names it before that makes the sidecar ask.
   */
  private void restore() {
    Map<String, String> notes = new LinkedHashMap<>(journal.owed(PactJournal.Kind.OPEN));
    notes.putAll(journal.owed(PactJournal.Kind.ATTEST));
    notes.forEach((id, note) -> {
      if (PactNote.unverified(note.getBytes(StandardCharsets.UTF_8))
              instanceof PactNote.Reading.Good(PactDocument document, String _, var _)
          && document.isParty(context.party())
          && loop.wallMs() < document.endMs()
          && journal.owed(PactJournal.Kind.DISSOLVE, id).isEmpty()) {
        if (document.initiator().equals(context.party())) {
          context
              .adopted(document, note, journal.hidden(id))
              .ifPresent(pact -> dissolutions.begun(pact, Optional.empty()));
        }
        takeUp(document, note, 1);
      } else {
        forgotten(id);
      }
    });
  }

  private void takeUp(PactDocument document, String note, int attempt) {
    String id = document.pact();
    context.onLoop(
        context.control().get(id),
        answer -> {
          switch (answer) {
            case Result.Done<PactControl.View>(PactControl.View view) -> {
              Optional<ActivePact> known =
                  table.of(id).isPresent()
                      ? Optional.empty()
                      : context.adopted(document, note, journal.hidden(id));
              if (known.isPresent()) {
                ActivePact pact = known.get();
                if (!view.state().equals("active")) {
                  pact.disputed(); // nobody gets under it before it is known how it ended
                }
                dissolutions.begun(pact, Optional.empty());
              }
              dissolutions.seen(view);
            }
            case Result.Refused<PactControl.View> refused -> {
              if (table.of(id).isPresent()) {
                return; // its attestation is owed, or somebody has asked since
              }
              if (refused.kind() == Result.Kind.NOT_FOUND || loop.wallMs() >= document.endMs()) {
                forgotten(id);
              } else {
                loop.later(loop.pauseMs(attempt), () -> takeUp(document, note, attempt + 1));
              }
            }
          }
        });
  }

  private void forgotten(String id) {
    journal.closed(id);
  }

  private void sweep() {
    dissolutions.sweep();
    loop.later(Dissolutions.SWEEP_MS, this::sweep);
  }

  /** Others must know a key before anything is signed with it. */
  private void watchKey() {
    Optional<SignerKey> next = context.key().replacement();
    if (next.isPresent()) {
      context.onLoop(
          context.control().registerKey(next.get().verifier(), OVERLAP_MS),
          answer -> {
            if (answer instanceof Result.Done<Boolean>(Boolean counts) && counts) {
              context.key().adopt(next.get());
              log.atInfo().addKeyValue("key", next.get().verifier()).log("the party key is new");
            }
          });
    }
    schemas.refresh();
    loop.later(KEY_MS, this::watchKey);
  }

  private void register(SignerKey key, int attempt) {
    context.onLoop(
        context.control().registerKey(key.verifier(), OVERLAP_MS),
        answer -> {
          context.key().offered().complete(true);
          if (answer instanceof Result.Refused<Boolean> refused) {
            if (!PactContext.isAway(refused)) {
              log.atWarn()
                  .addKeyValue("reason", refused.reason())
                  .log("the control plane does not take the party key");
            }
            loop.later(loop.pauseMs(attempt), () -> register(key, attempt + 1));
          }
        });
  }

  private void settled(PactJournal.Key key, Result<?> result) {
    if (key.kind() == PactJournal.Kind.ATTEST) {
      context
          .events()
          .transition("attestation", result instanceof Result.Done<?> ? "attested" : "refused");
    }
    if (result instanceof Result.Done<?>(PactControl.View view)) {
      dissolutions.seen(view);
    }
  }

  // ---- the message path ----

  @Override
  public Optional<Held> with(String peer) {
    return table.with(peer).map(pact -> pact);
  }

  @Override
  public Optional<Held> of(String id) {
    return table.of(id).map(pact -> pact);
  }

  @Override
  public List<Held> works(String flow) {
    return table.works(flow);
  }

  @Override
  public boolean isAtWork() {
    return table.isAtWork();
  }

  @Override
  public Optional<Held> ofTask(String task) {
    return table.ofTask(task).map(pact -> pact);
  }

  @Override
  public void began(Held pact, String task) {
    table.of(pact.id()).ifPresent(known -> table.began(known, task));
  }

  @Override
  public void working(Held pact, String flow) {
    table.of(pact.id()).ifPresent(known -> table.working(known, flow));
  }

  @Override
  public void done(Held pact, String flow) {
    table.of(pact.id()).ifPresent(known -> table.done(known, flow));
  }

  @Override
  public CompletableFuture<Outcome> obtain(String peer, Channel channel) {
    return inTime(
        result -> forward(initiator.obtain(peer, Optional.empty(), channel), result),
        limit -> new Outcome.Unavailable("no pact " + limit));
  }

  @Override
  public CompletableFuture<Outcome> show(Held pact, Channel channel) {
    return inTime(
        result ->
            table
                .of(pact.id())
                .ifPresentOrElse(
                    known ->
                        forward(initiator.obtain(pact.peer(), Optional.of(known), channel), result),
                    () -> result.complete(new Outcome.Refused("pact_ended", pact.id()))),
        limit -> new Outcome.Unavailable("nobody has shown a key " + limit));
  }

  @Override
  public CompletableFuture<Outcome> admit(Named named) {
    return onLoop(result -> forward(policy.admit(named), result));
  }

  @Override
  public Optional<String> refuse(String pact, String code, String proof) {
    return Optional.of(PartyProof.refuse(pact, code, proof, context.key().current()));
  }

  @Override
  public long upMs() {
    return loop.elapsedMs() - beganMs;
  }

  @Override
  public CompletableFuture<byte[]> negotiate(byte[] body) {
    // What it waits for from here on is no difference of clocks.
    PactLoop.Moment arrived = loop.now();
    return onLoop(result -> policy.answer(body, arrived, result));
  }

  @Override
  public CompletableFuture<MessageResult> fromOwnAgent(
      byte[] json, Optional<String> peer, Optional<Channel> channel) {
    return said(json, true, peer, Optional.empty(), channel);
  }

  @Override
  public CompletableFuture<MessageResult> fromPeerAgent(
      byte[] json, Optional<String> signature, Optional<Channel> channel) {
    return said(json, false, Optional.empty(), signature, channel);
  }

  private CompletableFuture<MessageResult> said(
      byte[] json,
      boolean own,
      Optional<String> peer,
      Optional<String> beside,
      Optional<Channel> channel) {
    PactLoop.Moment arrived = loop.now();
    return inTime(
        result -> agents.say(json, own, arrived, peer, beside, channel, result),
        limit -> new MessageResult.Unavailable("no answer " + limit));
  }

  @Override
  public void retract(MessageResult.Accepted accepted) {
    loop.run(() -> agents.retract(accepted));
  }

  private static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
    CompletableFuture<?> _ = from.thenAccept(to::complete);
  }

  private <T> CompletableFuture<T> onLoop(Consumer<CompletableFuture<T>> ask) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.run(() -> ask.accept(result));
    return result;
  }

  private <T> CompletableFuture<T> inTime(
      Consumer<CompletableFuture<T>> ask, Function<String, T> late) {
    CompletableFuture<T> result = onLoop(ask);
    long mostMs = context.rules().get().timeoutMs() + Dissolutions.SWEEP_MS;
    loop.later(mostMs, () -> result.complete(late.apply("within " + mostMs + " ms")));
    return result;
  }

  @Override
  public AnswerSchemas schemas() {
    return schemas;
  }

  /** The negotiation that agents lead under this id, for tests. */
  Optional<PactState> talk(String negotiation) {
    return agents.state(negotiation);
  }

  @Override
  public void forget(Held pact) {
    loop.run(() -> table.of(pact.id()).ifPresent(table::unused));
  }

  @Override
  public void usedUp(Held pact) {
    loop.run(() -> table.of(pact.id()).ifPresent(table::usedUp));
  }

  @Override
  public void end(Held pact, Ending reason, Optional<String> responsible) {
    loop.run(
        () -> table.of(pact.id()).ifPresent(one -> dissolutions.end(one, reason, responsible)));
  }

  /**
   * A pact for people.
   *
   * @param reason why it has ended; empty while it holds
   */
  public record Shown(
      String pact,
      String peer,
      boolean initiator,
      String standing,
      long endMs,
      Optional<String> reason) {
    static Shown of(ActivePact pact) {
      return new Shown(
          pact.id(),
          pact.peer(),
          pact.isInitiator(),
          pact.standing().name().toLowerCase(Locale.ROOT),
          pact.terms().endMs(),
          pact.endReason());
    }
  }

  /** The pacts that are known here, those that end last first. */
  public List<Shown> shown(int limit) {
    return table.all().stream()
        .map(Shown::of)
        .sorted(Comparator.comparingLong(Shown::endMs).reversed())
        .limit(limit)
        .toList();
  }

  /**
   * Ends a pact in the local agent's name; its word is on disk when this completes, and goes on to
   * the ledger.
   *
   * @param reason what a party says
   * @return refused NOT_FOUND pact_unknown, PRECONDITION pact_ended, pact_disputed, wrong_reason
   */
  public CompletableFuture<Result<Shown>> dissolve(String id, Ending reason) {
    return onLoop(result ->
        result.complete(
            table
                .of(id)
                .map(pact -> dissolved(pact, reason))
                .orElseGet(
                    () -> Result.refused(Result.Kind.NOT_FOUND, "pact_unknown", "no pact " + id))));
  }

  private Result<Shown> dissolved(ActivePact pact, Ending reason) {
    if (pact.endReason().isPresent()) {
      return Result.refused(
          Result.Kind.PRECONDITION, "pact_ended", "it has ended: " + pact.endReason().get());
    }
    if (pact.standing() == Standing.DISPUTED) {
      return Result.refused(
          Result.Kind.PRECONDITION, "pact_disputed", "it is in dispute: its arbiter decides");
    }
    return dissolutions.end(pact, reason, Optional.empty())
        ? Result.done(Shown.of(pact))
        : Result.refused(
            Result.Kind.PRECONDITION,
            "wrong_reason",
            "its clauses do not provide for it, or it was said already");
  }

  @Override
  public int active() {
    return table.active();
  }

  /** Stops; what is owed is brought to the ledger by the next run. */
  @Override
  public void close() {
    loop.close();
    journal.close();
  }
}
