package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
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
import java.util.function.BiConsumer;
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
  private final PactJournal journal;
  private final LedgerOutbox outbox;
  private final PolicyInitiator initiator;
  private final PolicySpeaker policy;
  private final AgentSpeaker agents;
  private final Admission admission;
  private final PactSchemas schemas;

  private final Dissolutions dissolutions;

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
    PeerKeys peerKeys = new PeerKeys(() -> rules.get().peerKeys(), Optional.of(control), loop);
    this.context =
        new PactContext(
            place.party(),
            rules,
            key,
            peerKeys,
            new TemplateCache(() -> rules.get().templatesDir(), control, peerKeys, loop),
            new PactTable(),
            control,
            loop,
            events);
    this.schemas = new PactSchemas(() -> rules.get().schemasDir(), () -> rules.get().schemas());
    schemas.refresh();
    this.journal = PactJournal.open(place.dataDir());
    this.outbox = new LedgerOutbox(journal, control, loop, this::settled);
    this.dissolutions = new Dissolutions(context, journal, outbox);
    FailureReports reports = new FailureReports(place.party(), key, control, loop);
    Negotiations invited = new Negotiations(context, Negotiation.Speaker.POLICY);
    this.policy = new PolicySpeaker(context, invited, reports, dissolutions);
    this.initiator = new PolicyInitiator(context, policy, reports, dissolutions);
    this.agents = new AgentSpeaker(context, invited, reports, dissolutions);
    this.admission = new Admission(context, invited, dissolutions);
  }

  /** Takes up what an earlier run has left, registers the key, and listens to the ledger. */
  public void start() {
    context
        .loop()
        .run(() -> {
          restore();
          outbox.resume();
          register(context.key().current(), 1);
          context
              .control()
              .watch(
                  view -> context.loop().run(() -> dissolutions.seen(view)),
                  () -> context.loop().run(() -> register(context.key().current(), 1)));
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
          && context.loop().wallMs() < document.endMs()
          && journal.owed(PactJournal.Kind.DISSOLVE, id).isEmpty()) {
        if (document.initiator().equals(context.party())) {
          dissolutions.begun(context.adopted(document, note), Optional.empty());
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
              if (context.table().of(id).isEmpty()) {
                ActivePact pact = context.adopted(document, note);
                if (!view.state().equals("active")) {
                  pact.disputed(); // nobody gets under it before it is known how it ended
                }
                dissolutions.begun(pact, Optional.empty());
              }
              dissolutions.seen(view);
            }
            case Result.Refused<PactControl.View> refused -> {
              if (context.table().of(id).isPresent()) {
                return; // its attestation is owed, or somebody has asked since
              }
              if (refused.kind() == Result.Kind.NOT_FOUND
                  || context.loop().wallMs() >= document.endMs()) {
                forgotten(id);
              } else {
                context
                    .loop()
                    .later(
                        context.loop().pauseMs(attempt), () -> takeUp(document, note, attempt + 1));
              }
            }
          }
        });
  }

  private void forgotten(String id) {
    journal.paid(PactJournal.Kind.OPEN, id);
    journal.paid(PactJournal.Kind.COUNTS, id);
  }

  private void sweep() {
    dissolutions.sweep();
    context.loop().later(Dissolutions.SWEEP_MS, this::sweep);
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
    context.loop().later(KEY_MS, this::watchKey);
  }

  private void register(SignerKey key, int attempt) {
    VerifierKey verifier = key.verifier();
    context.onLoop(
        context.control().registerKey(verifier, OVERLAP_MS),
        answer -> {
          if (answer instanceof Result.Refused<Boolean> refused) {
            if (refused.kind() != Result.Kind.UNAVAILABLE
                && refused.kind() != Result.Kind.EXHAUSTED) {
              log.atWarn()
                  .addKeyValue("reason", refused.reason())
                  .log("the control plane does not take the party key");
            }
            context.loop().later(context.loop().pauseMs(attempt), () -> register(key, attempt + 1));
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
    return context.table().with(peer).map(pact -> pact);
  }

  @Override
  public Optional<Held> of(String id) {
    return context.table().of(id).map(pact -> pact);
  }

  @Override
  public Optional<Held> ofFlow(String flow) {
    return context.table().ofFlow(flow);
  }

  @Override
  public void working(Held pact, String flow) {
    context.table().of(pact.id()).ifPresent(known -> context.table().working(known, flow));
  }

  @Override
  public void done(Held pact, String flow) {
    context.table().of(pact.id()).ifPresent(known -> context.table().done(known, flow));
  }

  @Override
  public CompletableFuture<Outcome> obtain(String peer, Channel channel) {
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    context
        .loop()
        .run(() -> {
          CompletableFuture<?> _ = initiator.obtain(peer, channel).thenAccept(result::complete);
        });
    long mostMs = context.rules().get().timeoutMs() + Dissolutions.SWEEP_MS;
    context
        .loop()
        .later(
            mostMs,
            () -> result.complete(new Outcome.Unavailable("no pact within " + mostMs + " ms")));
    return result;
  }

  @Override
  public CompletableFuture<Outcome> admit(Named named) {
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    context
        .loop()
        .run(() -> {
          CompletableFuture<?> _ = admission.admit(named).thenAccept(result::complete);
        });
    return result;
  }

  @Override
  public CompletableFuture<byte[]> negotiate(byte[] body) {
    CompletableFuture<byte[]> result = new CompletableFuture<>();
    // What it waits for from here on is no difference of clocks.
    PactLoop.Moment arrived = context.loop().now();
    context.loop().run(() -> policy.answer(body, arrived, result));
    return result;
  }

  @Override
  public AnswerSchemas schemas() {
    return schemas;
  }

  @Override
  public CompletableFuture<MessageResult> fromOwnAgent(
      byte[] json, Optional<String> peer, Optional<Channel> channel) {
    return onLoop((arrived, result) -> agents.own(json, arrived, peer, channel, result));
  }

  @Override
  public CompletableFuture<MessageResult> fromPeerAgent(
      byte[] json, Optional<String> signature, Optional<Channel> channel) {
    return onLoop((arrived, result) -> agents.others(json, arrived, signature, channel, result));
  }

  @Override
  public void retract(MessageResult.Accepted accepted) {
    context.loop().run(() -> agents.retract(accepted));
  }

  private CompletableFuture<MessageResult> onLoop(
      BiConsumer<PactLoop.Moment, CompletableFuture<MessageResult>> ask) {
    CompletableFuture<MessageResult> result = new CompletableFuture<>();
    PactLoop.Moment arrived = context.loop().now();
    context.loop().run(() -> ask.accept(arrived, result));
    long mostMs = context.rules().get().timeoutMs() + Dissolutions.SWEEP_MS;
    context
        .loop()
        .later(
            mostMs,
            () ->
                result.complete(
                    new MessageResult.Unavailable("no answer within " + mostMs + " ms")));
    return result;
  }

  /** The negotiation that agents lead under this id, for tests. */
  Optional<PactState> talk(String negotiation) {
    return agents.state(negotiation);
  }

  @Override
  public void forget(Held pact) {
    context.loop().run(() -> context.table().of(pact.id()).ifPresent(context.table()::unused));
  }

  @Override
  public void end(Held pact, Ending reason, Optional<String> responsible) {
    context
        .loop()
        .run(() ->
            context
                .table()
                .of(pact.id())
                .ifPresent(one -> dissolutions.end(one, reason, responsible)));
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
    return context.table().all().stream()
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
   * @return refused NOT_FOUND pact_unknown, PRECONDITION pact_ended, wrong_reason
   */
  public CompletableFuture<Result<Shown>> dissolve(String id, Ending reason) {
    CompletableFuture<Result<Shown>> result = new CompletableFuture<>();
    context
        .loop()
        .run(() ->
            result.complete(
                context
                    .table()
                    .of(id)
                    .map(pact -> dissolved(pact, reason))
                    .orElseGet(() ->
                        Result.refused(Result.Kind.NOT_FOUND, "pact_unknown", "no pact " + id))));
    return result;
  }

  private Result<Shown> dissolved(ActivePact pact, Ending reason) {
    if (pact.endReason().isPresent()) {
      return Result.refused(
          Result.Kind.PRECONDITION, "pact_ended", "it has ended: " + pact.endReason().get());
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
    return context.table().active();
  }

  /** Stops; what is owed is brought to the ledger by the next run. */
  @Override
  public void close() {
    context.loop().close();
    journal.close();
  }
}
