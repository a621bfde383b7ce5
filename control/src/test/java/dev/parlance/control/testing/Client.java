package dev.parlance.control.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.ledger.record.Recomputation;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.Entry;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.GetEntriesRequest;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.StartAuditRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.Iterator;
import java.util.List;

/** Calls of one replica, as operators and readers make them. */
public final class Client implements AutoCloseable {
  private final ManagedChannel channel;

  /** For operators. */
  public final CertificationServiceGrpc.CertificationServiceBlockingStub operator;

  /** For readers of the ledger. */
  public final LedgerServiceGrpc.LedgerServiceBlockingStub ledger;

  /** Connects to a replica on this machine. */
  public Client(int port, String operatorToken) {
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .maxInboundMessageSize(64 << 20)
            .build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + operatorToken);
    operator =
        CertificationServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    ledger = LedgerServiceGrpc.newBlockingStub(channel);
  }

  /** Waits until the store knows that these agents have sidecars. */
  public void awaitAttached(String... agents) {
    await()
        .atMost(Kit.PATIENCE)
        .until(() ->
            operator
                .listSidecars(ListSidecarsRequest.getDefaultInstance())
                .getSidecarsList()
                .stream()
                .filter(dev.parlance.proto.v1.Sidecar::getAttached)
                .map(dev.parlance.proto.v1.Sidecar::getAgent)
                .toList()
                .containsAll(List.of(agents)));
  }

  /** Stores a plan. */
  public Plan put(Plan.Builder plan) {
    return operator.putPlan(PutPlanRequest.newBuilder().setPlan(plan).build());
  }

  /** Starts an audit. */
  public Audit begin(String plan, AuditKind kind, String... terms) {
    return operator.startAudit(
        StartAuditRequest.newBuilder()
            .setPlan(plan)
            .setKind(kind)
            .addAllTerms(List.of(terms))
            .build());
  }

  /** Waits for the end of an audit. */
  public Audit awaitEnd(String id) {
    return await()
        .atMost(Kit.PATIENCE)
        .until(
            () -> operator.getAudit(GetAuditRequest.newBuilder().setId(id).build()),
            audit ->
                audit.getState() == AuditState.AUDIT_STATE_COMPLETED
                    || audit.getState() == AuditState.AUDIT_STATE_ABANDONED);
  }

  /** What a stranger makes of the ledger, entry by entry over gRPC. */
  public RecomputationReport recomputed() {
    Recomputation recomputation = new Recomputation();
    long next = 0;
    while (true) {
      Iterator<Entry> page =
          ledger.getEntries(GetEntriesRequest.newBuilder().setFirst(next).setLimit(10_000).build());
      try {
        while (page.hasNext()) {
          Entry entry = page.next();
          recomputation.entry(entry.getIndex(), entry.getBytes().toByteArray());
          next = entry.getIndex() + 1;
        }
      } catch (StatusRuntimeException e) {
        assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
        return recomputation.report(System.currentTimeMillis());
      }
    }
  }

  /** Asserts that every decision on the ledger follows from its entries. */
  public RecomputationReport assertLedgerAgrees() {
    RecomputationReport report = recomputed();
    assertThat(report.agrees()).as(report.format()).isTrue();
    return report;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
