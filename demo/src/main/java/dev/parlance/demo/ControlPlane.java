package dev.parlance.demo;

import com.google.protobuf.ByteString;
import dev.parlance.client.ControlClient;
import dev.parlance.demo.license.LicenseEvents;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardSummary;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.CertificationParams;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.ListBoardsRequest;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.StartAuditRequest;
import dev.parlance.proto.v1.VocabularyTerm;
import dev.parlance.proto.v1.WatchBoardsRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;

/** A control plane process, and what the demonstration does with it with the operators' token. */
final class ControlPlane implements AutoCloseable {
  private static final Duration AUDIT = Duration.ofMinutes(3);

  private final Path dataDir;
  private final JsonNode state;
  private final ControlClient client;

  /**
   * The control plane with this data.
   *
   * @param state what it has written about itself: addresses and public keys
   */
  ControlPlane(Path dataDir, JsonNode state) throws IOException {
    this.dataDir = dataDir;
    this.state = state;
    this.client = client(Files.readString(dataDir.resolve("operator.token")).strip());
  }

  private ControlClient client(String token) throws IOException {
    return new ControlClient(ControlClient.Address.plain(grpc(), token));
  }

  ControlClient client() {
    return client;
  }

  /** Its store, ledger, keys and tokens. */
  Path dataDir() {
    return dataDir;
  }

  /** Where sidecars and tools connect, {@code host:port}. */
  String grpc() {
    return state.path("grpc").asString("");
  }

  /** The public key that checks its cores. */
  String coreKey() {
    return state.path("coreKey").asString("");
  }

  /** The public key that checks its ledger's checkpoints. */
  String ledgerKey() {
    return state.path("ledgerKey").asString("");
  }

  /** Where the ledger lies. */
  Path ledger() {
    return dataDir.resolve("ledger");
  }

  /** The token with which a sidecar of this agent attaches. */
  String attachToken(String agent) throws IOException {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(
          new SecretKeySpec(Files.readAllBytes(dataDir.resolve("attach.secret")), "HmacSHA256"));
      return HexFormat.of()
          .formatHex(mac.doFinal(("parlance-attach-1\n" + agent).getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  /**
   * Checks the ledger's files once they have all that there is now, and recomputes every decision
   * from its entries alone.
   */
  LedgerAudit.Report verifyLedger() throws IOException, InterruptedException {
    if (!(VerifierKey.parse(ledgerKey()) instanceof Parsed.Ok<VerifierKey>(var key))) {
      throw new IOException("the ledger's key cannot be read: " + ledgerKey());
    }
    var request = GetCheckpointRequest.getDefaultInstance();
    byte[] head = client.ledger().ask(stub -> stub.getCheckpoint(request)).getNote().toByteArray();
    long size = entries(head, key);
    var _ =
        DemoStage.until(
            () -> Files.readAllBytes(ledger().resolve("checkpoint")),
            bytes -> entries(bytes, key) >= size);
    return LedgerAudit.check(
        ledger(), key, List.of(), Optional.empty(), System.currentTimeMillis());
  }

  /** How many entries a checkpoint states; none where it is not signed. */
  private static long entries(byte[] checkpoint, VerifierKey key) {
    return SignedCheckpoint.open(checkpoint, key).value().map(SignedCheckpoint::size).orElse(0L);
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
            .setName(LicenseTerms.PLAN)
            .setCore(
                CoreId.newBuilder()
                    .addAllAgents(LicenseTerms.AGENTS)
                    .setDomain(LicenseTerms.DOMAIN))
            .setParams(
                CertificationParams.newBuilder()
                    .setTau(LicenseTerms.TAU)
                    .setDelta(LicenseTerms.DELTA)
                    .setRhoMin(LicenseTerms.RHO_MIN)
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
            .setPlan(LicenseTerms.PLAN)
            .setKind(kind)
            .addAllTerms(terms)
            .build();
    String id = client.certification().ask(stub -> stub.startAudit(request)).getId();
    GetAuditRequest named = GetAuditRequest.newBuilder().setId(id).build();
    Audit ended =
        client
            .certification()
            .ask(
                AUDIT,
                stub -> {
                  stub.watchAudit(named).forEachRemaining(progress);
                  return stub.getAudit(named);
                });
    if (ended.getState() != AuditState.AUDIT_STATE_COMPLETED) {
      throw new IOException("the audit ended as " + ended.getState() + ": " + ended.getFailure());
    }
    return ended;
  }

  /** True for outcomes after which a term is in the core. */
  static boolean inCore(String outcome) {
    return List.of("certified", "kept", "restored").contains(outcome);
  }

  /** Makes a key count, with the token of who has it; a statement signed with it. */
  ByteString signed(PactStatement said, SignerKey key) throws IOException {
    RegisterKeyRequest request =
        RegisterKeyRequest.newBuilder()
            .setParty(key.name())
            .setVkey(key.verifier().format())
            .build();
    try (ControlClient party = client(attachToken(key.name()))) {
      var _ = party.pacts().ask(stub -> stub.registerKey(request));
    }
    return ByteString.copyFrom(PactStatementNote.sign(said, key));
  }

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
