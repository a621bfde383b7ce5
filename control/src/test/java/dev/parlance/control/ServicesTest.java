package dev.parlance.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.api.GrpcErrors;
import dev.parlance.control.testing.Client;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.Checkpoint;
import dev.parlance.proto.v1.ConsistencyProof;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.GetConsistencyProofRequest;
import dev.parlance.proto.v1.GetCoreRequest;
import dev.parlance.proto.v1.GetEntriesRequest;
import dev.parlance.proto.v1.GetInclusionProofRequest;
import dev.parlance.proto.v1.GetPlanRequest;
import dev.parlance.proto.v1.InclusionProof;
import dev.parlance.proto.v1.ListAuditsRequest;
import dev.parlance.proto.v1.ListPlansRequest;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators, readers of the ledger and probes see. */
final class ServicesTest {
  @TempDir Path data;
  private Kit kit;

  @BeforeEach
  void open() throws IOException {
    kit = Kit.start(data);
  }

  @AfterEach
  void close() {
    kit.close();
  }

  private static void assertFails(Status.Code code, String reason, ThrowingCallable call) {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(e).isNotNull();
    assertThat(e.getStatus().getCode()).isEqualTo(code);
    assertThat(e.getStatus().getDescription()).startsWith(reason + ": ");
    assertThat(Status.trailersFromThrowable(e))
        .isNotNull()
        .extracting(trailers -> trailers.get(GrpcErrors.REASON))
        .isEqualTo(reason);
  }

  private void runAudit() {
    kit.attach("alice", Minds.plain());
    kit.attach("bob", Minds.plain());
    kit.awaitAttached("alice", "bob");
    kit.put(Kit.plan("p", List.of("alice", "bob"), List.of("notice")));
    kit.audit("p", AuditKind.AUDIT_KIND_CERTIFY);
  }

  @Test
  void everyRefusal_hasACode_andAStableReason() {
    kit.put(Kit.plan("p", List.of("alice", "bob"), List.of("notice")));
    try (Client stranger = new Client(kit.port(), "not-the-token")) {
      assertFails(
          Status.Code.UNAUTHENTICATED,
          "token_wrong",
          () -> stranger.operator.listPlans(ListPlansRequest.getDefaultInstance()));
      assertThat(stranger.ledger.getCheckpoint(GetCheckpointRequest.getDefaultInstance()))
          .isNotNull();
    }
    assertFails(
        Status.Code.NOT_FOUND,
        "plan_unknown",
        () -> kit.operator.getPlan(GetPlanRequest.newBuilder().setName("q").build()));
    assertFails(
        Status.Code.NOT_FOUND,
        "audit_unknown",
        () -> kit.operator.getAudit(GetAuditRequest.newBuilder().setId("q").build()));
    assertFails(
        Status.Code.NOT_FOUND,
        "core_unknown",
        () ->
            kit.operator.getCore(
                GetCoreRequest.newBuilder().setId(CoreId.getDefaultInstance()).build()));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        "plan_invalid",
        () -> kit.put(Kit.plan("p q", List.of("alice", "bob"), List.of("notice"))));
    assertFails(
        Status.Code.ABORTED,
        "revision_conflict",
        () -> kit.put(Kit.plan("p", List.of("alice", "bob"), List.of("notice"))));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        "kind_missing",
        () -> kit.begin("p", AuditKind.AUDIT_KIND_UNSPECIFIED));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        "term_unknown",
        () -> kit.begin("p", AuditKind.AUDIT_KIND_CERTIFY, "liability"));
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "no_sidecar",
        () -> kit.begin("p", AuditKind.AUDIT_KIND_CERTIFY));
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "nothing_to_audit",
        () -> kit.begin("p", AuditKind.AUDIT_KIND_RECERTIFY));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        "limit_out_of_range",
        () -> kit.operator.listAudits(ListAuditsRequest.newBuilder().setLimit(1_001).build()));
    assertFails(
        Status.Code.OUT_OF_RANGE,
        "beyond_the_ledger",
        () ->
            kit.ledger
                .getEntries(GetEntriesRequest.newBuilder().setFirst(1_000_000).build())
                .hasNext());
    assertFails(
        Status.Code.OUT_OF_RANGE,
        "beyond_the_ledger",
        () ->
            kit.ledger.getInclusionProof(
                GetInclusionProofRequest.newBuilder().setIndex(1_000_000).build()));
  }

  @Test
  void secondAuditOfAPlan_waitsForTheFirst() {
    kit.attach("alice", Minds.plain());
    kit.attach("bob", Minds.plain());
    kit.awaitAttached("alice", "bob");
    kit.put(Kit.plan("p", List.of("alice", "bob"), List.of("notice")).setPauseMs(100));
    kit.begin("p", AuditKind.AUDIT_KIND_CERTIFY);
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        "audit_running",
        () -> kit.begin("p", AuditKind.AUDIT_KIND_CERTIFY));
  }

  @Test
  void watchedAudit_isSeenFromItsBeginningToItsEnd() {
    kit.attach("alice", Minds.plain());
    kit.attach("bob", Minds.plain());
    kit.awaitAttached("alice", "bob");
    kit.put(Kit.plan("p", List.of("alice", "bob"), List.of("notice")).setPauseMs(50));
    Audit begun = kit.begin("p", AuditKind.AUDIT_KIND_CERTIFY);
    Iterator<Audit> seen =
        kit.operator.watchAudit(GetAuditRequest.newBuilder().setId(begun.getId()).build());
    List<Audit> all = new ArrayList<>();
    seen.forEachRemaining(all::add);
    assertThat(all.getLast().getState()).isEqualTo(AuditState.AUDIT_STATE_COMPLETED);
    assertThat(all.size()).isGreaterThan(1);
    assertThat(all).extracting(Audit::getAnswered).isSorted();
  }

  @Test
  void proofs_leadToTheSignedRoot() {
    runAudit();
    Checkpoint checkpoint = kit.ledger.getCheckpoint(GetCheckpointRequest.getDefaultInstance());
    VerifierKey key = VerifierKey.parse(checkpoint.getVkey()).orThrow();
    assertThat(key).isEqualTo(kit.plane.ledgerKey());
    SignedCheckpoint head =
        SignedCheckpoint.open(checkpoint.getNote().toByteArray(), key).orThrow();
    InclusionProof inclusion =
        kit.ledger.getInclusionProof(
            GetInclusionProofRequest.newBuilder().setIndex(7).setTreeSize(head.size()).build());
    assertThat(
            new dev.parlance.ledger.tree.InclusionProof(
                    7, head.size(), hashes(inclusion.getPathList()))
                .verifies(Hash.of(inclusion.getLeafHash().toByteArray()), head.checkpoint().root()))
        .isTrue();
    InclusionProof older =
        kit.ledger.getInclusionProof(
            GetInclusionProofRequest.newBuilder().setIndex(7).setTreeSize(11).build());
    ConsistencyProof consistency =
        kit.ledger.getConsistencyProof(
            GetConsistencyProofRequest.newBuilder().setOldSize(11).setNewSize(head.size()).build());
    assertThat(
            new dev.parlance.ledger.tree.ConsistencyProof(
                    11, head.size(), hashes(consistency.getPathList()))
                .verifies(Hash.of(older.getRootHash().toByteArray()), head.checkpoint().root()))
        .isTrue();
  }

  private static List<Hash> hashes(List<com.google.protobuf.ByteString> path) {
    return path.stream().map(bytes -> Hash.of(bytes.toByteArray())).toList();
  }

  /** The bundle of the ledger's files once these have so many entries. */
  private Optional<byte[]> filesOf(long atLeast) throws IOException {
    Path folder = data.resolve("ledger");
    byte[] head = Files.readAllBytes(folder.resolve("checkpoint"));
    long size = SignedCheckpoint.open(head, kit.plane.ledgerKey()).orThrow().size();
    return size < atLeast
        ? Optional.empty()
        : Optional.of(Files.readAllBytes(folder.resolve("tile/entries/000.p/" + size)));
  }

  @Test
  void http_servesTheLedgersFiles_metricsAndProbes_andNothingElse() throws Exception {
    runAudit();
    HttpResponse<byte[]> checkpoint = get("/checkpoint");
    assertThat(checkpoint.statusCode()).isEqualTo(200);
    assertThat(SignedCheckpoint.open(checkpoint.body(), kit.plane.ledgerKey()))
        .isInstanceOf(Parsed.Ok.class);
    assertThat(checkpoint.headers().firstValue("cache-control")).contains("no-cache");
    long size = SignedCheckpoint.open(checkpoint.body(), kit.plane.ledgerKey()).orThrow().size();
    HttpResponse<byte[]> bundle = get("/tile/entries/000.p/" + size);
    assertThat(bundle.statusCode()).isEqualTo(200);
    await().atMost(Kit.PATIENCE).until(() -> filesOf(size).isPresent()); // they follow
    assertThat(bundle.body())
        .isEqualTo(Arrays.copyOf(filesOf(size).orElseThrow(), bundle.body().length));
    assertThat(bundle.headers().firstValue("cache-control").orElseThrow()).contains("immutable");
    assertThat(text("/healthz")).isEqualTo("200 ok\n");
    assertThat(text("/readyz")).isEqualTo("200 ready\n");
    assertThat(text("/metrics"))
        .contains(
            "parlance_control_attached_sidecars 2.0",
            "parlance_control_audits_ended_total{result=\"completed\"} 1.0",
            "parlance_control_questions_total{result=\"verdict\"} 24.0",
            "parlance_control_ledger_size " + (double) size,
            "parlance_control_build_info");
    for (String path :
        List.of(
            "/log.vkey", "/tile/../checkpoint", "/tile/entries/0", "/%2e%2e/store.db", "/", "//")) {
      assertThat(text(path)).as(path).startsWith("404");
    }
    assertThat(
            send(HttpRequest.newBuilder(uri("/checkpoint"))
                    .POST(HttpRequest.BodyPublishers.ofString("x")))
                .statusCode())
        .isEqualTo(405);
    HttpResponse<byte[]> head =
        send(
            HttpRequest.newBuilder(uri("/checkpoint"))
                .method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void http_bodyThatComesLaterThanItsHead_isAnswered() throws Exception {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), kit.plane.httpAddress().port())) {
      socket.setSoTimeout(60_000);
      String head = "POST /checkpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      Thread.sleep(50); // so that the server reads the head by itself
      socket.getOutputStream().write('x');
      byte[] answer = socket.getInputStream().readNBytes("HTTP/1.1 405".length());
      assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 405");
    }
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + kit.plane.httpAddress().port() + path);
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private HttpResponse<byte[]> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  private String text(String path) throws Exception {
    HttpResponse<byte[]> response = get(path);
    return response.statusCode() + " " + new String(response.body(), StandardCharsets.UTF_8);
  }

  @Test
  void health_saysServing_forEveryService() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", kit.port()).usePlaintext().build();
    try {
      for (String service : List.of("", "parlance.v1.AttachService", "parlance.v1.LedgerService")) {
        assertThat(
                HealthGrpc.newBlockingStub(channel)
                    .check(HealthCheckRequest.newBuilder().setService(service).build())
                    .getStatus())
            .isEqualTo(ServingStatus.SERVING);
      }
    } finally {
      channel.shutdownNow();
    }
  }
}
