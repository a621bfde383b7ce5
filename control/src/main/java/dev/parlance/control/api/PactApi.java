package dev.parlance.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.control.pact.PactCases.OpenCase;
import dev.parlance.control.pact.PactCases.Standing;
import dev.parlance.control.pact.PactRegistry;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.PactRecord;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.proto.v1.AttestRequest;
import dev.parlance.proto.v1.Case;
import dev.parlance.proto.v1.DecideRequest;
import dev.parlance.proto.v1.DissolveRequest;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.GetPartyRequest;
import dev.parlance.proto.v1.ListCasesRequest;
import dev.parlance.proto.v1.ListCasesResponse;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.ListPactsResponse;
import dev.parlance.proto.v1.ListTemplatesRequest;
import dev.parlance.proto.v1.ListTemplatesResponse;
import dev.parlance.proto.v1.Observation;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PactServiceGrpc;
import dev.parlance.proto.v1.Party;
import dev.parlance.proto.v1.PartyScore;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.ReportRequest;
import dev.parlance.proto.v1.ReportResponse;
import dev.parlance.proto.v1.ScorePartiesRequest;
import dev.parlance.proto.v1.ScorePartiesResponse;
import dev.parlance.proto.v1.Template;
import dev.parlance.proto.v1.WatchPactsRequest;
import dev.parlance.service.Result;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Pacts for sidecars, arbiters and operators. */
final class PactApi extends PactServiceGrpc.PactServiceImplBase {
  /** Most bytes of a request: a note with room around it. */
  static final int MAX_REQUEST_BYTES = 131_072;

  private static final int MOST = 1_000;
  private static final int MOST_WATCHED = 10_000;

  /** Calls that watch for one party with its proof; and those of all who show no such proof. */
  private static final int MOST_WATCHES = 1_000;

  private static final String STRANGERS = "";

  private final PactRegistry pacts;
  private final OperatorToken operator;
  private final AgentTokens agents;
  private final ScheduledExecutorService timer;
  private final int watchMs;

  /** How many calls watch, by the party that has proven itself. */
  private final Map<String, Integer> watches = new ConcurrentHashMap<>();

  PactApi(
      PactRegistry pacts,
      OperatorToken operator,
      AgentTokens agents,
      ScheduledExecutorService timer,
      int watchMs) {
    this.pacts = pacts;
    this.operator = operator;
    this.agents = agents;
    this.timer = timer;
    this.watchMs = watchMs;
  }

  // ---- calls that write ----

  @Override
  public void registerKey(RegisterKeyRequest request, StreamObserver<Party> response) {
    asParty(
        request.getParty(),
        response,
        () ->
            pacts
                .parties()
                .registerKey(
                    request.getParty(),
                    request.getVkey(),
                    Integer.toUnsignedLong(request.getOverlapMs()),
                    request.getFirst())
                .then(keys -> Result.done(party(request.getParty(), keys))));
  }

  @Override
  public void putTemplate(PutTemplateRequest request, StreamObserver<Template> response) {
    asAnyone(
        response,
        PactRegistry.author(request.getNote().toByteArray()),
        caller ->
            pacts
                .parties()
                .putTemplate(request.getNote().toByteArray(), caller)
                .then(one -> Result.done(template(one))));
  }

  @Override
  public void attest(AttestRequest request, StreamObserver<Pact> response) {
    asParty(
        request.getParty(),
        response,
        () ->
            pacts
                .attest(request.getNote().toByteArray(), request.getParty())
                .then(pact -> Result.done(pact(pact))));
  }

  @Override
  public void report(ReportRequest request, StreamObserver<ReportResponse> response) {
    asParty(
        request.getParty(),
        response,
        () ->
            pacts
                .report(request.getNote().toByteArray(), request.getParty())
                .then(written ->
                    Result.done(
                        ReportResponse.newBuilder()
                            .setResult(written.name().toLowerCase(Locale.ROOT))
                            .build())));
  }

  @Override
  public void dissolve(DissolveRequest request, StreamObserver<Pact> response) {
    asParty(
        request.getParty(),
        response,
        () ->
            pacts
                .dissolve(request.getNote().toByteArray(), request.getParty())
                .then(pact -> Result.done(pact(pact))));
  }

  @Override
  public void decide(DecideRequest request, StreamObserver<Pact> response) {
    read(
        response,
        () -> pacts.decide(request.getNote().toByteArray()).then(pact -> Result.done(pact(pact))));
  }

  // ---- calls that read ----

  @Override
  public void getParty(GetPartyRequest request, StreamObserver<Party> response) {
    read(
        response,
        () ->
            pacts
                .parties()
                .keys(request.getParty())
                .then(keys -> Result.done(party(request.getParty(), keys))));
  }

  @Override
  public void listTemplates(
      ListTemplatesRequest request, StreamObserver<ListTemplatesResponse> response) {
    read(
        response,
        () ->
            CertificationApi.limit(request.getLimit())
                .then(limit ->
                    pacts
                        .parties()
                        .templates()
                        .then(all ->
                            Result.done(
                                ListTemplatesResponse.newBuilder()
                                    .addAllTemplates(
                                        all.stream()
                                            .filter(one -> isWanted(request, one))
                                            .limit(limit)
                                            .map(this::template)
                                            .toList())
                                    .build()))));
  }

  private static boolean isWanted(ListTemplatesRequest request, PactEntry.TemplatePut one) {
    return request.getReferencesList().isEmpty()
        || request.getReferencesList().contains(one.reference());
  }

  @Override
  public void getPact(GetPactRequest request, StreamObserver<Pact> response) {
    read(response, () -> pacts.find(request.getPact()).then(pact -> Result.done(pact(pact))));
  }

  @Override
  public void listPacts(ListPactsRequest request, StreamObserver<ListPactsResponse> response) {
    read(
        response,
        () ->
            CertificationApi.limit(request.getLimit())
                .then(limit -> pacts.list(request.getParty(), request.getUnfinished(), limit))
                .then(found ->
                    Result.done(
                        ListPactsResponse.newBuilder()
                            .addAllPacts(found.stream().map(PactApi::pact).toList())
                            .build())));
  }

  @Override
  public void listCases(ListCasesRequest request, StreamObserver<ListCasesResponse> response) {
    read(
        response,
        () ->
            CertificationApi.limit(request.getLimit())
                .then(limit -> pacts.cases().list(one -> isWanted(request, one), limit))
                .then(found ->
                    Result.done(
                        ListCasesResponse.newBuilder()
                            .addAllCases(found.stream().map(PactApi::shown).toList())
                            .build())));
  }

  private static boolean isWanted(ListCasesRequest request, OpenCase one) {
    PactCase handed = one.handed().handed();
    return isAny(request.getInitiator(), handed.initiator())
        && isAny(request.getResponder(), handed.responder())
        && isAny(request.getArbiter(), handed.arbiter())
        && isAny(request.getNegotiation(), handed.negotiation())
        && (!request.getWaiting() || one.standing() == Standing.WAITING);
  }

  private static boolean isAny(String wanted, String name) {
    return wanted.isEmpty() || wanted.equals(name);
  }

  @Override
  public void scoreParties(
      ScorePartiesRequest request, StreamObserver<ScorePartiesResponse> response) {
    read(
        response,
        () ->
            pacts
                .scores()
                .then(scores -> {
                  ScorePartiesResponse.Builder all = ScorePartiesResponse.newBuilder();
                  scores.forEach((party, score) -> {
                    if (request.getPartiesList().isEmpty()
                        || request.getPartiesList().contains(party)) {
                      all.addScores(score(party, score));
                    }
                  });
                  return Result.done(all.build());
                }));
  }

  @Override
  public void watchPacts(WatchPactsRequest request, StreamObserver<Pact> response) {
    String party = request.getParty();
    boolean isOwn = RoundNames.isName(party) && agents.accepts(party, BearerAuth.proof());
    String by = isOwn ? party : STRANGERS;
    if (watches.merge(by, 1, Integer::sum) > MOST_WATCHES) {
      watchEnded(by);
      response.onError(
          GrpcErrors.of(
              Status.Code.RESOURCE_EXHAUSTED,
              "too_many_watchers",
              MOST_WATCHES + " calls of such callers watch pacts at this replica"));
      return;
    }
    new Watch(party, by, (ServerCallStreamObserver<Pact>) response).turn();
  }

  private void watchEnded(String by) {
    watches.computeIfPresent(by, (_, before) -> before > 1 ? before - 1 : null);
  }

  /** One call that watches the pacts of a party: looks again and again, and tells what is new. */
  private final class Watch {
    private final String party;
    private final String by;
    private final ServerCallStreamObserver<Pact> out;
    private final Map<String, PactRecord> told = new HashMap<>();
    private long lookedUpTo = -1;

    Watch(String party, String by, ServerCallStreamObserver<Pact> out) {
      this.party = party;
      this.by = by;
      this.out = out;
      // Without a handler a cancelled call would throw at the next thing that is told.
      out.setOnCancelHandler(() -> {});
    }

    void turn() {
      if (out.isCancelled()) {
        watchEnded(by);
        return;
      }
      try {
        if (out.isReady() && look() instanceof Result.Refused<List<PactRecord>> refused) {
          end(GrpcErrors.of(refused));
          return;
        }
        Future<?> _ = timer.schedule(this::turn, watchMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException _) {
        end(GrpcErrors.of(Status.Code.UNAVAILABLE, "draining", "this replica stops"));
      } catch (RuntimeException e) {
        end(GrpcErrors.of(e));
      }
    }

    private void end(Throwable why) {
      watchEnded(by);
      out.onError(why);
    }

    /** Those that are new are asked for first: some may have ended since the last look. */
    private Result<List<PactRecord>> look() {
      return pacts
          .attestedSince(lookedUpTo, MOST)
          .then(begun ->
              pacts
                  .list(party, true, MOST_WATCHED)
                  .then(open -> {
                    if (!begun.isEmpty()) {
                      lookedUpTo = begun.getFirst().attestedAt();
                    }
                    tell(begun, open);
                    return Result.done(open);
                  }));
    }

    private void tell(List<PactRecord> begun, List<PactRecord> open) {
      Set<String> gone = new HashSet<>(told.keySet());
      begun.stream().filter(pact -> pact.isParty(party)).forEach(pact -> gone.add(pact.id()));
      for (PactRecord pact : open.reversed()) {
        gone.remove(pact.id());
        if (!pact.equals(told.put(pact.id(), pact))) {
          out.onNext(pact(pact));
        }
      }
      for (String id : gone) {
        told.remove(id);
        if (pacts.find(id) instanceof Result.Done<PactRecord>(PactRecord ended)) {
          out.onNext(pact(ended));
        }
      }
    }
  }

  // ---- messages ----

  private static Party party(String party, List<VerifierKey> keys) {
    return Party.newBuilder()
        .setParty(party)
        .addAllVkeys(keys.stream().map(VerifierKey::format).toList())
        .build();
  }

  private Template template(PactEntry.TemplatePut template) {
    return Template.newBuilder()
        .setName(template.name())
        .setVersion(template.version())
        .setAuthor(template.author())
        .setSha256(template.sha256())
        .setNote(note(template.note()))
        .addAllVkeys(
            pacts.parties().templateKeys(template).stream().map(VerifierKey::format).toList())
        .build();
  }

  private static ByteString note(String base64) {
    return ByteString.copyFrom(Base64.getDecoder().decode(base64));
  }

  private static Pact pact(PactRecord pact) {
    Pact.Builder shown =
        Pact.newBuilder()
            .setPact(pact.id())
            .setNegotiation(pact.document().negotiation())
            .addAllParties(pact.parties())
            .setState(pact.status())
            .setStartMs(pact.document().startMs())
            .setEndMs(pact.document().endMs())
            .setSha256(pact.attested().sha256())
            .setNote(note(pact.attested().note()))
            .addAllCompleting(
                pact.isOpen()
                    ? pact.state().talks().completing().stream().sorted().toList()
                    : List.of())
            .setAttestedAtMs(pact.attested().atMs())
            .setLedgerIndex(pact.attestedAt());
    pact.decided()
        .or(pact::ended)
        .ifPresent(end -> {
          shown.setReason(end.reason()).setEndedIndex(end.index());
          end.responsible().ifPresent(shown::setResponsible);
        });
    pact.observed()
        .values()
        .forEach(seen -> {
          Observation.Builder one =
              Observation.newBuilder()
                  .setParty(seen.party())
                  .setObserver(seen.observer())
                  .setMessages(seen.messages());
          seen.violations().forEach((category, count) -> one.putViolations(category.code(), count));
          shown.addObservations(one);
        });
    return shown.build();
  }

  private static Case shown(OpenCase one) {
    PactCase handed = one.handed().handed();
    return Case.newBuilder()
        .setNegotiation(handed.negotiation())
        .setInitiator(handed.initiator())
        .setResponder(handed.responder())
        .setArbiter(handed.arbiter())
        .setPact(handed.pact())
        .setUntilMs(handed.untilMs())
        .setNote(note(one.handed().note()))
        .setState(one.standing().code())
        .setTemplate(handed.reference())
        .setEscalatedAtMs(one.handed().atMs())
        .build();
  }

  private static PartyScore score(String party, PactScore score) {
    PartyScore.Builder shown =
        PartyScore.newBuilder()
            .setParty(party)
            .setCounted(score.counted())
            .addAllBadFaithReporters(score.reporters());
    score.scopeHonesty().ifPresent(shown::setScopeHonesty);
    score.reliability().ifPresent(shown::setReliability);
    return shown.build();
  }

  // ---- who calls ----

  private <T> void asParty(String party, StreamObserver<T> response, Supplier<Result<T>> work) {
    if (!RoundNames.isName(party)) {
      response.onError(
          GrpcErrors.of(Status.Code.INVALID_ARGUMENT, "bad_party", "expected the id of an agent"));
    } else if (!agents.accepts(party, BearerAuth.proof())) {
      response.onError(
          GrpcErrors.of(
              Status.Code.PERMISSION_DENIED,
              "token_of_another_agent",
              "the token is not the one of agent " + party));
    } else {
      CertificationApi.answer(response, work);
    }
  }

  private interface Work<T> {
    Result<T> of(Optional<String> agent);
  }

  /** For whoever has a token: the ledger says the same to everybody. */
  private static <T> void read(StreamObserver<T> response, Supplier<Result<T>> work) {
    CertificationApi.answer(response, work);
  }

  /** For an operator (no agent) or for any agent whose token is known. */
  private <T> void asAnyone(StreamObserver<T> response, List<String> likely, Work<T> work) {
    CertificationApi.answer(
        response,
        () -> {
          if (operator.accepts(BearerAuth.token())) {
            return work.of(Optional.empty());
          }
          Optional<String> agent = agent(likely);
          if (agent.isEmpty()) {
            throw wrongToken();
          }
          return work.of(agent);
        });
  }

  /** The agent of the token, if it is one of these or was attached here. */
  private Optional<String> agent(List<String> likely) {
    return agents.agent(BearerAuth.proof(), likely.stream().filter(RoundNames::isName).toList());
  }

  private static io.grpc.StatusRuntimeException wrongToken() {
    return GrpcErrors.of(
        Status.Code.UNAUTHENTICATED,
        "token_wrong",
        "the token is neither the operators' nor that of an agent whose sidecar was attached here");
  }
}
