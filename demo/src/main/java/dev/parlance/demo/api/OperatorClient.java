package dev.parlance.demo.api;

import dev.parlance.demo.license.LicenseEvents;
import dev.parlance.demo.license.LicensePlan;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.CertificationParams;
import dev.parlance.proto.v1.CertificationServiceGrpc;
import dev.parlance.proto.v1.CertificationServiceGrpc.CertificationServiceBlockingStub;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.GetEncoderRequest;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.PactServiceGrpc;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.RoundServiceGrpc;
import dev.parlance.proto.v1.RoundServiceGrpc.RoundServiceBlockingStub;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.StartAuditRequest;
import dev.parlance.proto.v1.VocabularyTerm;
import io.grpc.ClientInterceptor;
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
import java.util.function.Supplier;

/** A client of the control plane with an operator's token. */
public final class OperatorClient implements AutoCloseable {
  static final long CALL_SECONDS = 30;
  private static final long AUDIT_SECONDS = 180;
  private static final long ROUND_SECONDS = 60;

  private final ManagedChannel channel;
  private final CertificationServiceBlockingStub certification;
  private final RoundServiceBlockingStub rounds;
  private final PactDesk pacts;
  private final LexiconDesk lexicon;

  /** A client of the control plane at {@code address}, {@code host:port}; to be closed. */
  public OperatorClient(String address, String operatorToken) {
    int colon = address.lastIndexOf(':');
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(
                    address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))))
            // The operator's calls are no agents' traffic: whatever proxy is set, they go straight.
            .proxyDetector(target -> null)
            .usePlaintext()
            .build();
    ClientInterceptor token = bearer(operatorToken);
    certification = CertificationServiceGrpc.newBlockingStub(channel).withInterceptors(token);
    rounds = RoundServiceGrpc.newBlockingStub(channel).withInterceptors(token);
    pacts = new PactDesk(PactServiceGrpc.newBlockingStub(channel), token);
    lexicon =
        new LexiconDesk(
            LexiconServiceGrpc.newBlockingStub(channel).withInterceptors(token),
            LexiconServiceGrpc.newStub(channel).withInterceptors(token));
  }

  static ClientInterceptor bearer(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  /** The operator's side of pacts. */
  public PactDesk pacts() {
    return pacts;
  }

  /** The operator's side of coined terms. */
  public LexiconDesk lexicon() {
    return lexicon;
  }

  private CertificationServiceBlockingStub certification(long seconds) {
    return certification.withDeadlineAfter(seconds, TimeUnit.SECONDS);
  }

  private RoundServiceBlockingStub rounds(long seconds) {
    return rounds.withDeadlineAfter(seconds, TimeUnit.SECONDS);
  }

  /** Calls the control plane; {@code what} says what it is asked for. */
  static <T> T call(String what, Supplier<T> rpc) throws IOException {
    try {
      return rpc.get();
    } catch (StatusRuntimeException e) {
      throw new IOException("the control plane did not " + what + ": " + e.getMessage(), e);
    }
  }

  /** Ids of the agents that have an attached sidecar. */
  public List<String> attachedAgents() throws IOException {
    return call(
            "list the sidecars",
            () ->
                certification(CALL_SECONDS).listSidecars(ListSidecarsRequest.getDefaultInstance()))
        .getSidecarsList()
        .stream()
        .filter(Sidecar::getAttached)
        .map(Sidecar::getAgent)
        .toList();
  }

  /** Puts the plan of the license domain. */
  public void putPlan() throws IOException {
    putPlan(LicenseTerms.words(), LicenseEvents.pool(), LicensePlan.EVENTS_PER_TERM);
  }

  /** Puts it with other words and events. */
  public void putPlan(
      List<LicenseTerms.Word> words, List<LicenseEvents.Event> events, int eventsPerTerm)
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
    call("put the plan", () -> certification(CALL_SECONDS).putPlan(request));
  }

  /**
   * Starts an audit of the plan and follows it to its end.
   *
   * @param terms only these; empty: all that the kind is about
   * @param progress hears of every change
   */
  public AuditResult audit(
      AuditResult.Kind kind, Collection<String> terms, Consumer<AuditResult> progress)
      throws IOException {
    StartAuditRequest request =
        StartAuditRequest.newBuilder()
            .setPlan(LicensePlan.NAME)
            .setKind(
                switch (kind) {
                  case CERTIFY -> AuditKind.AUDIT_KIND_CERTIFY;
                  case RECERTIFY -> AuditKind.AUDIT_KIND_RECERTIFY;
                  case RENEGOTIATE -> AuditKind.AUDIT_KIND_RENEGOTIATE;
                })
            .addAllTerms(terms)
            .build();
    Audit ended =
        call(
            "audit",
            () -> {
              Audit last = certification(CALL_SECONDS).startAudit(request);
              Iterator<Audit> changes =
                  certification(AUDIT_SECONDS)
                      .watchAudit(GetAuditRequest.newBuilder().setId(last.getId()).build());
              while (changes.hasNext()) {
                last = changes.next();
                progress.accept(AuditResult.of(last));
              }
              return last;
            });
    if (ended.getState() != AuditState.AUDIT_STATE_COMPLETED) {
      throw new IOException("the audit ended as " + ended.getState() + ": " + ended.getFailure());
    }
    return AuditResult.of(ended);
  }

  /**
   * The encoder that new rounds get.
   *
   * @param id empty without an encoder
   * @param state {@code ready} when it can be used
   * @param dim length of its vectors
   * @param cosMin least cosine of texts that mean the same
   */
  public record EncoderInfo(String id, String state, int dim, double cosMin) {}

  /** Which encoder new rounds get. */
  public EncoderInfo encoder() throws IOException {
    Encoder encoder =
        call(
            "name its encoder",
            () -> rounds(CALL_SECONDS).getEncoder(GetEncoderRequest.getDefaultInstance()));
    return new EncoderInfo(
        encoder.getId(), encoder.getState(), encoder.getDim(), encoder.getCosMin());
  }

  /**
   * Opens a round about a claim.
   *
   * @return its epoch
   */
  public long openRound(
      String round, List<String> members, int faults, int deadlineMs, String claim)
      throws IOException {
    OpenRoundRequest request =
        OpenRoundRequest.newBuilder()
            .setRound(round)
            .addAllMembers(members)
            .setFaults(faults)
            .setDeadlineMs(deadlineMs)
            .setSubject(claim)
            .build();
    return call("open round " + round, () -> rounds(CALL_SECONDS).openRound(request)).getEpoch();
  }

  /** Follows a round to its end. */
  public EndedRound awaitEnd(String round, long epoch) throws IOException {
    GetRoundRequest.Builder which = GetRoundRequest.newBuilder().setRound(round).setEpoch(epoch);
    return call(
        "end round " + round,
        () -> {
          // The last change has the outcome, and then the stream ends.
          rounds(ROUND_SECONDS).watchRound(which.build()).forEachRemaining(_ -> {});
          return EndedRound.of(rounds(CALL_SECONDS).getRound(which.setTexts(true).build()));
        });
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
