package dev.parlance.demo;

import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.CertificationServiceGrpc.CertificationServiceBlockingStub;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.StartAuditRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The operator's calls to the control plane. */
final class ControlCalls implements AutoCloseable {
  private static final long CALL_SECONDS = 30;
  private static final long AUDIT_SECONDS = 180;

  private final ManagedChannel channel;
  private final CertificationServiceBlockingStub certification;

  private ControlCalls(ManagedChannel channel, CertificationServiceBlockingStub certification) {
    this.channel = channel;
    this.certification = certification;
  }

  static ControlCalls to(ControlProcess control) throws IOException {
    int colon = control.grpc().lastIndexOf(':');
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(
                    control.grpc().substring(0, colon),
                    Integer.parseInt(control.grpc().substring(colon + 1))))
            // The operator's calls are no agents' traffic: whatever proxy is set, they go straight.
            .proxyDetector(address -> null)
            .usePlaintext()
            .build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + control.operatorToken());
    return new ControlCalls(
        channel,
        CertificationServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)));
  }

  private CertificationServiceBlockingStub within(long seconds) {
    return certification.withDeadlineAfter(seconds, TimeUnit.SECONDS);
  }

  /** Puts a plan, and returns it as it is stored. */
  Plan put(Plan plan) throws IOException {
    try {
      return within(CALL_SECONDS).putPlan(PutPlanRequest.newBuilder().setPlan(plan).build());
    } catch (StatusRuntimeException e) {
      throw failed("put the plan", e);
    }
  }

  /** Ids of the agents that have an attached sidecar. */
  List<String> attachedAgents() throws IOException {
    try {
      return within(CALL_SECONDS)
          .listSidecars(ListSidecarsRequest.getDefaultInstance())
          .getSidecarsList()
          .stream()
          .filter(Sidecar::getAttached)
          .map(Sidecar::getAgent)
          .toList();
    } catch (StatusRuntimeException e) {
      throw failed("list the sidecars", e);
    }
  }

  /**
   * Starts an audit and follows it to its end.
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
    try {
      Audit last = within(CALL_SECONDS).startAudit(request);
      Iterator<Audit> changes =
          within(AUDIT_SECONDS)
              .watchAudit(GetAuditRequest.newBuilder().setId(last.getId()).build());
      while (changes.hasNext()) {
        last = changes.next();
        progress.accept(last);
      }
      if (last.getState() != AuditState.AUDIT_STATE_COMPLETED) {
        throw new IOException("the audit ended as " + last.getState() + ": " + last.getFailure());
      }
      return last;
    } catch (StatusRuntimeException e) {
      throw failed("audit", e);
    }
  }

  private static IOException failed(String what, StatusRuntimeException cause) {
    return new IOException("the control plane did not " + what + ": " + cause.getMessage(), cause);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
