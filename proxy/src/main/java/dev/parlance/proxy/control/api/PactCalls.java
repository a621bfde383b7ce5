package dev.parlance.proxy.control.api;

import static dev.parlance.proxy.control.api.ControlCalls.FIRST_PAUSE_MS;
import static dev.parlance.proxy.control.api.ControlCalls.LONGEST_PAUSE_MS;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.proto.v1.AttestRequest;
import dev.parlance.proto.v1.Case;
import dev.parlance.proto.v1.DissolveRequest;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.GetPartyRequest;
import dev.parlance.proto.v1.ListCasesRequest;
import dev.parlance.proto.v1.ListCasesResponse;
import dev.parlance.proto.v1.ListTemplatesRequest;
import dev.parlance.proto.v1.ListTemplatesResponse;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PactServiceGrpc;
import dev.parlance.proto.v1.PactServiceGrpc.PactServiceStub;
import dev.parlance.proto.v1.Party;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.ReportRequest;
import dev.parlance.proto.v1.ReportResponse;
import dev.parlance.proto.v1.WatchPactsRequest;
import dev.parlance.proxy.control.RoundFaults;
import dev.parlance.proxy.pact.PactControl;
import dev.parlance.service.Result;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Calls to the control plane's pacts, in the name of the local agent. */
final class PactCalls implements PactControl, AutoCloseable {
  /** Longest wait for an answer, in milliseconds: a write waits for the ledger. */
  static final int TIMEOUT_MS = 5_000;

  private static final int MAX_TEMPLATES = 1_000;

  private final String agent;
  private final ControlCalls<PactServiceStub> calls;

  /**
   * A client.
   *
   * @param agent id of the local agent
   */
  PactCalls(String agent, ControlCalls.Settings settings, RandomGenerator random) {
    this.agent = agent;
    this.calls = new ControlCalls<>("pacts", settings, PactServiceGrpc::newStub, random);
  }

  private <A, T> CompletableFuture<Result<T>> ask(
      ControlCalls.Unary<PactServiceStub, A> method, Function<A, T> read) {
    return calls.askBounded(method, TIMEOUT_MS, answer -> Result.done(read.apply(answer)));
  }

  @Override
  public CompletableFuture<Result<Boolean>> registerKey(VerifierKey key, int overlapMs) {
    RegisterKeyRequest request =
        RegisterKeyRequest.newBuilder()
            .setParty(agent)
            .setVkey(key.format())
            .setOverlapMs(overlapMs)
            .build();
    return ask(
        (PactServiceStub stub, StreamObserver<Party> out) -> stub.registerKey(request, out),
        party -> party.getVkeysList().contains(key.format()));
  }

  @Override
  public CompletableFuture<Result<List<VerifierKey>>> keys(String party) {
    GetPartyRequest request = GetPartyRequest.newBuilder().setParty(party).build();
    return ask(
        (PactServiceStub stub, StreamObserver<Party> out) -> stub.getParty(request, out),
        found -> keys(found.getVkeysList()).filter(key -> key.name().equals(party)).toList());
  }

  private static Stream<VerifierKey> keys(List<String> texts) {
    return texts.stream()
        .flatMap(text -> VerifierKey.parse(text).value().stream())
        .filter(key -> key.type() == KeyType.ED25519);
  }

  @Override
  public CompletableFuture<Result<List<Published>>> templates(Collection<String> references) {
    ListTemplatesRequest request =
        ListTemplatesRequest.newBuilder()
            .addAllReferences(references)
            .setLimit(MAX_TEMPLATES)
            .build();
    return ask(
        (PactServiceStub stub, StreamObserver<ListTemplatesResponse> out) ->
            stub.listTemplates(request, out),
        found ->
            found.getTemplatesList().stream()
                .map(one ->
                    new Published(one.getNote().toStringUtf8(), keys(one.getVkeysList()).toList()))
                .toList());
  }

  @Override
  public CompletableFuture<Result<Optional<HandedOver>>> handedOver(String peer) {
    ListCasesRequest request =
        ListCasesRequest.newBuilder().setInitiator(agent).setResponder(peer).setLimit(1).build();
    return ask(
        (PactServiceStub stub, StreamObserver<ListCasesResponse> out) ->
            stub.listCases(request, out),
        found -> found.getCasesList().stream().findFirst().flatMap(one -> handedOver(one, peer)));
  }

  /** Empty for one that cannot be: of others, or decided by one of its parties. */
  private Optional<HandedOver> handedOver(Case one, String peer) {
    boolean isOwn = one.getInitiator().equals(agent) && one.getResponder().equals(peer);
    if (!isOwn || Set.of(agent, peer).contains(one.getArbiter())) {
      return Optional.empty();
    }
    return Optional.of(
        new HandedOver(
            new PactCase(
                one.getNegotiation(),
                agent,
                peer,
                one.getArbiter(),
                one.getPact(),
                one.getUntilMs()),
            one.getState(),
            one.getNote().toStringUtf8()));
  }

  @Override
  public CompletableFuture<Result<View>> attest(String note) {
    AttestRequest request =
        AttestRequest.newBuilder().setParty(agent).setNote(ByteString.copyFromUtf8(note)).build();
    return ask(
        (PactServiceStub stub, StreamObserver<Pact> out) -> stub.attest(request, out),
        PactCalls::view);
  }

  @Override
  public CompletableFuture<Result<Boolean>> report(String note) {
    ReportRequest request =
        ReportRequest.newBuilder().setParty(agent).setNote(ByteString.copyFromUtf8(note)).build();
    return ask(
        (PactServiceStub stub, StreamObserver<ReportResponse> out) -> stub.report(request, out),
        answer -> answer.getResult().equals("accepted"));
  }

  @Override
  public CompletableFuture<Result<View>> dissolve(String note) {
    DissolveRequest request =
        DissolveRequest.newBuilder().setParty(agent).setNote(ByteString.copyFromUtf8(note)).build();
    return ask(
        (PactServiceStub stub, StreamObserver<Pact> out) -> stub.dissolve(request, out),
        PactCalls::view);
  }

  @Override
  public CompletableFuture<Result<View>> get(String pact) {
    GetPactRequest request = GetPactRequest.newBuilder().setPact(pact).build();
    return ask(
        (PactServiceStub stub, StreamObserver<Pact> out) -> stub.getPact(request, out),
        PactCalls::view);
  }

  private static View view(Pact pact) {
    return new View(
        pact.getPact(),
        pact.getPartiesList(),
        pact.getState(),
        pact.getSha256(),
        pact.getNote().toStringUtf8(),
        Optional.of(pact.getReason()).filter(reason -> !reason.isEmpty()),
        new HashSet<>(pact.getCompletingList()));
  }

  @Override
  public void watch(Consumer<View> each, Runnable opened) {
    calls.begin(
        new Watching(each, opened)::attempt, new CompletableFuture<Boolean>(), fault -> false);
  }

  /** A watch that never ends but with the sidecar. */
  private final class Watching implements ClientResponseObserver<WatchPactsRequest, Pact> {
    private final Consumer<View> each;
    private final Runnable opened;
    private Optional<ManagedChannel> used = Optional.empty();
    private int pauseMs = FIRST_PAUSE_MS;

    Watching(Consumer<View> each, Runnable opened) {
      this.each = each;
      this.opened = opened;
    }

    private void attempt() {
      try {
        PactServiceStub stub = calls.stub();
        used = calls.current();
        stub.watchPacts(WatchPactsRequest.newBuilder().setParty(agent).build(), this);
        opened.run();
      } catch (IOException e) {
        later();
      }
    }

    private void later() {
      Future<?> _ = calls.thread().schedule(this::attempt, pauseMs, TimeUnit.MILLISECONDS);
      pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchPactsRequest> stream) {
      // Ends with its channel.
    }

    @Override
    public void onNext(Pact pact) {
      calls.answered();
      pauseMs = FIRST_PAUSE_MS;
      each.accept(view(pact));
    }

    @Override
    public void onError(Throwable failure) {
      Status status = Status.fromThrowable(failure);
      Optional<Metadata> trailers = ControlCalls.trailers(failure);
      if (RoundFaults.isUnreached(status, trailers)) {
        calls.drop(used);
      }
      later();
    }

    @Override
    public void onCompleted() {
      later();
    }
  }

  /** Gives up what is under way, within about a second. */
  @Override
  public void close() {
    calls.close();
  }
}
