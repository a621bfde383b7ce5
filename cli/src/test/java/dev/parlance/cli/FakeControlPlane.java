package dev.parlance.cli;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.GetCoreRequest;
import dev.parlance.proto.v1.GetPlanRequest;
import dev.parlance.proto.v1.ListAuditsRequest;
import dev.parlance.proto.v1.ListAuditsResponse;
import dev.parlance.proto.v1.ListCoresRequest;
import dev.parlance.proto.v1.ListCoresResponse;
import dev.parlance.proto.v1.ListPlansRequest;
import dev.parlance.proto.v1.ListPlansResponse;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.ListSidecarsResponse;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.StartAuditRequest;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A control plane that says what a test tells it to, over a real socket. */
public final class FakeControlPlane extends CertificationServiceGrpc.CertificationServiceImplBase {
  static final String TOKEN = "operators-token";

  public final SignerKey coreKey = SignerKey.generate("test/core", KeyType.ED25519);
  public final List<SignedCore> cores = new CopyOnWriteArrayList<>();
  public final List<Plan> plans = new CopyOnWriteArrayList<>();
  public final List<Audit> audits = new CopyOnWriteArrayList<>();
  public final List<Audit> watched = new CopyOnWriteArrayList<>();
  public final List<Sidecar> sidecars = new CopyOnWriteArrayList<>();
  public final List<StartAuditRequest> started = new CopyOnWriteArrayList<>();
  public volatile Optional<Status> refusal = Optional.empty();

  private final Server server;

  private FakeControlPlane(List<BindableService> others) throws IOException {
    var builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(io.grpc.ServerInterceptors.intercept(this, new TokenCheck()));
    others.forEach(builder::addService);
    this.server = builder.build();
  }

  public static FakeControlPlane start(BindableService... others) throws IOException {
    var plane = new FakeControlPlane(List.of(others));
    plane.server.start();
    return plane;
  }

  /** Leaves address and token in a folder, as a control plane on this machine does. */
  public FakeControlPlane leaveFilesIn(Path folder) throws IOException {
    Files.writeString(folder.resolve("control.json"), "{\"grpc\":\"" + address() + "\"}");
    Files.writeString(folder.resolve("operator.token"), TOKEN + "\n");
    return this;
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** Adds a core between alice and bob in the domain license. */
  public CertifiedCore publish(long version, GovernedTerm... terms) {
    var core =
        new CertifiedCore(
            List.of("alice", "bob"),
            "license",
            version,
            1_700_000_000_000L,
            CertificationParams.DEFAULT,
            List.of(terms),
            42);
    cores.add(
        SignedCore.newBuilder()
            .setId(id())
            .setVersion(version)
            .setNote(ByteString.copyFrom(CoreNote.sign(core, coreKey)))
            .build());
    return core;
  }

  public static CoreId id() {
    return CoreId.newBuilder().addAgents("alice").addAgents("bob").setDomain("license").build();
  }

  private <T> void answer(StreamObserver<T> to, T value) {
    if (refusal.isPresent()) {
      to.onError(refusal.get().asRuntimeException());
    } else {
      to.onNext(value);
      to.onCompleted();
    }
  }

  private static <T> void notFound(StreamObserver<T> to, String what) {
    to.onError(Status.NOT_FOUND.withDescription(what).asRuntimeException());
  }

  @Override
  public void putPlan(PutPlanRequest request, StreamObserver<Plan> to) {
    Plan plan = request.getPlan();
    long present =
        plans.stream()
            .filter(one -> one.getName().equals(plan.getName()))
            .mapToLong(Plan::getRevision)
            .findFirst()
            .orElse(0);
    if (present != plan.getRevision()) {
      to.onError(
          Status.ABORTED
              .withDescription("conflict: the present revision is " + present)
              .asRuntimeException());
      return;
    }
    Plan stored = plan.toBuilder().setRevision(present + 1).build();
    plans.removeIf(one -> one.getName().equals(plan.getName()));
    plans.add(stored);
    answer(to, stored);
  }

  @Override
  public void getPlan(GetPlanRequest request, StreamObserver<Plan> to) {
    plans.stream()
        .filter(plan -> plan.getName().equals(request.getName()))
        .findFirst()
        .ifPresentOrElse(plan -> answer(to, plan), () -> notFound(to, "no such plan"));
  }

  @Override
  public void listPlans(ListPlansRequest request, StreamObserver<ListPlansResponse> to) {
    answer(to, ListPlansResponse.newBuilder().addAllPlans(plans).build());
  }

  @Override
  public void startAudit(StartAuditRequest request, StreamObserver<Audit> to) {
    started.add(request);
    answer(to, watched.getFirst());
  }

  @Override
  public void getAudit(GetAuditRequest request, StreamObserver<Audit> to) {
    audits.stream()
        .filter(audit -> audit.getId().equals(request.getId()))
        .findFirst()
        .ifPresentOrElse(audit -> answer(to, audit), () -> notFound(to, "no such audit"));
  }

  @Override
  public void listAudits(ListAuditsRequest request, StreamObserver<ListAuditsResponse> to) {
    answer(
        to,
        ListAuditsResponse.newBuilder()
            .addAllAudits(audits.stream().limit(request.getLimit()).toList())
            .build());
  }

  @Override
  public void watchAudit(GetAuditRequest request, StreamObserver<Audit> to) {
    watched.forEach(to::onNext);
    to.onCompleted();
  }

  @Override
  public void listCores(ListCoresRequest request, StreamObserver<ListCoresResponse> to) {
    answer(to, ListCoresResponse.newBuilder().addAllCores(cores).build());
  }

  @Override
  public void getCore(GetCoreRequest request, StreamObserver<SignedCore> to) {
    List<SignedCore> found = new ArrayList<>(cores);
    found.removeIf(core ->
        !core.getId().equals(request.getId())
            || (request.getVersion() > 0 && core.getVersion() != request.getVersion()));
    if (found.isEmpty()) {
      notFound(to, "no such core");
    } else {
      answer(to, found.getLast());
    }
  }

  @Override
  public void listSidecars(ListSidecarsRequest request, StreamObserver<ListSidecarsResponse> to) {
    answer(to, ListSidecarsResponse.newBuilder().addAllSidecars(sidecars).build());
  }

  public void close() throws InterruptedException {
    server.shutdownNow();
    server.awaitTermination(10, TimeUnit.SECONDS);
  }

  /** Refuses every call without the operators' token. */
  private static final class TokenCheck implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
      if (!("Bearer " + TOKEN).equals(headers.get(AUTHORIZATION))) {
        call.close(Status.UNAUTHENTICATED, new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return next.startCall(call, headers);
    }
  }
}
