package dev.parlance.demo;

import com.google.protobuf.ByteString;
import dev.parlance.client.ControlClient;
import dev.parlance.demo.license.LicenseEvents;
import dev.parlance.demo.license.LicensePlan;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardSummary;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.CertificationParams;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.ListBoardsRequest;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.StartAuditRequest;
import dev.parlance.proto.v1.VocabularyTerm;
import dev.parlance.proto.v1.WatchBoardsRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What the demonstration does with a control plane, with the operators' token. */
final class Operator implements AutoCloseable {
  private static final Duration AUDIT = Duration.ofMinutes(3);

  private final ControlProcess control;
  private final ControlClient client;

  Operator(ControlProcess control) throws IOException {
    this.control = control;
    this.client =
        new ControlClient(ControlClient.Address.plain(control.grpc(), control.operatorToken()));
  }

  ControlClient client() {
    return client;
  }

  /** Ids of the agents that have an attached sidecar. */
  List<String> attachedAgents() throws IOException {
    var request = ListSidecarsRequest.getDefaultInstance();
    return client.certification().ask(stub -> stub.listSidecars(request)).getSidecarsList().stream()
        .filter(Sidecar::getAttached)
        .map(Sidecar::getAgent)
        .toList();
  }

  /** Puts the plan of the license domain. */
  void putPlan(List<LicenseTerms.Word> words, List<LicenseEvents.Event> events, int eventsPerTerm)
      throws IOException {
    Plan.Builder plan =
        Plan.newBuilder()
            .setName(LicensePlan.NAME)
            .setCore(
                CoreId.newBuilder().addAllAgents(LicensePlan.AGENTS).setDomain(LicenseTerms.DOMAIN))
            .setParams(
                CertificationParams.newBuilder()
                    .setTau(LicensePlan.TAU)
                    .setDelta(LicensePlan.DELTA)
                    .setRhoMin(LicensePlan.RHO_MIN)
                    .setBound("exact"))
            .setEventsPerTerm(eventsPerTerm);
    for (LicenseTerms.Word word : words) {
      plan.addTerms(
          VocabularyTerm.newBuilder()
              .setText(word.text())
              .setGloss(word.gloss())
              .setAlternative(word.alternative().orElse("")));
    }
    for (LicenseEvents.Event event : events) {
      plan.addEvents(AuditEvent.newBuilder().setPei(event.pei()).setText(event.text()));
    }
    PutPlanRequest request = PutPlanRequest.newBuilder().setPlan(plan).build();
    var _ = client.certification().ask(stub -> stub.putPlan(request));
  }

  /**
   * Starts an audit of the plan and follows it to its end.
   *
   * @param terms only these; empty: all that the kind is about
   * @param progress hears of every change
   */
  Audit audit(AuditKind kind, Collection<String> terms, Consumer<Audit> progress)
      throws IOException {
    StartAuditRequest request =
        StartAuditRequest.newBuilder()
            .setPlan(LicensePlan.NAME)
            .setKind(kind)
            .addAllTerms(terms)
            .build();
    String id = client.certification().ask(stub -> stub.startAudit(request)).getId();
    GetAuditRequest named = GetAuditRequest.newBuilder().setId(id).build();
    client
        .certification()
        .ask(
            AUDIT,
            stub -> {
              stub.watchAudit(named).forEachRemaining(progress);
              return id;
            });
    Audit ended = client.certification().ask(stub -> stub.getAudit(named));
    if (ended.getState() != AuditState.AUDIT_STATE_COMPLETED) {
      throw new IOException("the audit ended as " + ended.getState() + ": " + ended.getFailure());
    }
    return ended;
  }

  /** True for outcomes after which a term is in the core. */
  static boolean inCore(String outcome) {
    return List.of("certified", "kept", "restored").contains(outcome);
  }

  // ---- pacts ----

  /** Publishes a template, and its author's key before it. */
  void publish(PactStatement.Template template, SignerKey author) throws IOException {
    register(author);
    PutTemplateRequest put =
        PutTemplateRequest.newBuilder().setNote(note(template, author)).build();
    var _ = client.pacts().ask(stub -> stub.putTemplate(put));
  }

  private static ByteString note(PactStatement said, SignerKey key) {
    return ByteString.copyFrom(PactStatementNote.sign(said, key));
  }

  /** Makes a key count, with the token of who has it. */
  private void register(SignerKey key) throws IOException {
    RegisterKeyRequest request =
        RegisterKeyRequest.newBuilder()
            .setParty(key.name())
            .setVkey(key.verifier().format())
            .build();
    String token = control.attachToken(key.name());
    try (var party = new ControlClient(ControlClient.Address.plain(control.grpc(), token))) {
      var _ = party.pacts().ask(stub -> stub.registerKey(request));
    }
  }

  Pact pact(String id) throws IOException {
    GetPactRequest request = GetPactRequest.newBuilder().setPact(id).build();
    return client.pacts().ask(stub -> stub.getPact(request));
  }

  /** Decides a disputed pact, with the key of whom it names: one party has violated it. */
  Pact decide(String id, SignerKey arbiter, String responsible) throws IOException {
    register(arbiter);
    PactStatement.Decision said =
        new PactStatement.Decision(
            id,
            arbiter.name(),
            Ending.VIOLATED,
            Optional.of(responsible),
            System.currentTimeMillis());
    DecideRequest request = DecideRequest.newBuilder().setNote(note(said, arbiter)).build();
    return client.pacts().ask(stub -> stub.decide(request));
  }

  // ---- coined terms ----

  /** The board that has changed last; empty if there is none. */
  Optional<BoardView> lastBoard() throws IOException {
    var list = ListBoardsRequest.newBuilder().setLimit(1).build();
    List<BoardSummary> boards = client.lexicon().ask(stub -> stub.listBoards(list)).getBoardsList();
    if (boards.isEmpty()) {
      return Optional.empty();
    }
    var show = GetBoardRequest.newBuilder().setBoard(boards.getFirst().getBoard()).build();
    return Optional.of(client.lexicon().ask(stub -> stub.showBoard(show)));
  }

  /** Hears from now on what happens on boards, on a thread of its own, until this closes. */
  void watchBoards(Consumer<BoardChange> news) {
    Thread.ofVirtual()
        .name("boards")
        .start(() -> {
          try {
            client
                .lexicon()
                .<BoardChange>follow(
                    "boards",
                    (stub, _) -> stub.watchBoards(WatchBoardsRequest.getDefaultInstance()),
                    change -> {
                      news.accept(change);
                      return false;
                    });
          } catch (IOException e) {
            // This was closed, or what is missing then will be noticed.
          }
        });
  }

  @Override
  public void close() {
    client.close();
  }
}
