package dev.parlance.control.api;

import com.google.protobuf.UnsafeByteOperations;
import dev.parlance.control.certify.Audits;
import dev.parlance.control.certify.api.AuditRows;
import dev.parlance.control.certify.api.Plans;
import dev.parlance.control.publish.api.SidecarDocument;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.SidecarRow;
import dev.parlance.policy.core.CoreId;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.CertificationServiceGrpc;
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
import dev.parlance.proto.v1.SidecarCore;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.StartAuditRequest;
import dev.parlance.service.Result;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Plans, audits and cores for operators. */
final class CertificationApi extends CertificationServiceGrpc.CertificationServiceImplBase {
  private static final int DEFAULT_LISTED = 100;
  private static final int MAX_LISTED = 1_000;

  private final Store store;
  private final Plans plans;
  private final Audits audits;
  private final Duration aliveFor;
  private final ScheduledExecutorService timer;
  private final int watchMs;

  CertificationApi(
      Store store,
      Plans plans,
      Audits audits,
      Duration aliveFor,
      ScheduledExecutorService timer,
      int watchMs) {
    this.store = store;
    this.plans = plans;
    this.audits = audits;
    this.aliveFor = aliveFor;
    this.timer = timer;
    this.watchMs = watchMs;
  }

  @Override
  public void putPlan(PutPlanRequest request, StreamObserver<Plan> response) {
    answer(response, () -> plans.put(request.getPlan()));
  }

  @Override
  public void getPlan(GetPlanRequest request, StreamObserver<Plan> response) {
    answer(response, () -> plans.get(request.getName()));
  }

  @Override
  public void listPlans(ListPlansRequest request, StreamObserver<ListPlansResponse> response) {
    answer(
        response,
        () -> Result.done(ListPlansResponse.newBuilder().addAllPlans(plans.list()).build()));
  }

  @Override
  public void startAudit(StartAuditRequest request, StreamObserver<Audit> response) {
    answer(
        response,
        () ->
            audits
                .start(
                    request.getPlan(),
                    AuditRows.ledgerKind(request.getKind()),
                    request.getTermsList())
                .then(CertificationApi::shown));
  }

  @Override
  public void getAudit(GetAuditRequest request, StreamObserver<Audit> response) {
    answer(response, () -> audits.get(request.getId()).then(CertificationApi::shown));
  }

  @Override
  public void listAudits(ListAuditsRequest request, StreamObserver<ListAuditsResponse> response) {
    answer(
        response,
        () -> {
          Optional<String> plan = Optional.of(request.getPlan()).filter(name -> !name.isEmpty());
          return limit(request.getLimit())
              .then(limit ->
                  Result.done(
                      ListAuditsResponse.newBuilder()
                          .addAllAudits(
                              audits.list(plan, limit).stream().map(AuditRows::shown).toList())
                          .build()));
        });
  }

  /** How many a list may have. */
  static Result<Integer> limit(int asked) {
    int limit = asked == 0 ? DEFAULT_LISTED : asked;
    return limit < 1 || limit > MAX_LISTED
        ? Result.refused(
            Result.Kind.INVALID,
            "limit_out_of_range",
            "got limit " + Integer.toUnsignedString(limit) + ", expected 1 to " + MAX_LISTED)
        : Result.done(limit);
  }

  @Override
  public void watchAudit(GetAuditRequest request, StreamObserver<Audit> response) {
    AuditWatch.begin(
        () -> audits.get(request.getId()).then(CertificationApi::shown),
        (ServerCallStreamObserver<Audit>) response,
        timer,
        watchMs);
  }

  @Override
  public void listCores(ListCoresRequest request, StreamObserver<ListCoresResponse> response) {
    answer(
        response,
        () -> {
          ListCoresResponse.Builder cores = ListCoresResponse.newBuilder();
          for (CoreRow row : store.cores()) {
            boolean isWanted =
                (request.getDomain().isEmpty() || request.getDomain().equals(row.domain()))
                    && new HashSet<>(row.agents()).containsAll(request.getAgentsList());
            if (isWanted && request.getHistory()) {
              store.coreHistory(row.coreKey()).forEach(each -> cores.addCores(signed(each)));
            } else if (isWanted) {
              cores.addCores(signed(row));
            }
          }
          return Result.done(cores.build());
        });
  }

  @Override
  public void getCore(GetCoreRequest request, StreamObserver<SignedCore> response) {
    answer(
        response,
        () -> {
          String key =
              CoreKey.of(new CoreId(request.getId().getAgentsList(), request.getId().getDomain()));
          Optional<CoreRow> row =
              request.getVersion() == 0 ? store.core(key) : store.core(key, request.getVersion());
          return row.map(found -> Result.done(signed(found)))
              .orElseGet(() ->
                  Result.refused(
                      Result.Kind.NOT_FOUND,
                      "core_unknown",
                      "there is no such version of core " + key));
        });
  }

  @Override
  public void listSidecars(
      ListSidecarsRequest request, StreamObserver<ListSidecarsResponse> response) {
    answer(response, () -> Result.done(SidecarList.of(store, aliveFor)));
  }

  private static Result<Audit> shown(AuditRow row) {
    return Result.done(AuditRows.shown(row));
  }

  static SignedCore signed(CoreRow row) {
    return SignedCore.newBuilder()
        .setId(
            dev.parlance.proto.v1.CoreId.newBuilder()
                .addAllAgents(row.agents())
                .setDomain(row.domain()))
        .setVersion(row.version())
        .setNote(UnsafeByteOperations.unsafeWrap(row.note()))
        .build();
  }

  /** Answers a call with what comes of it. */
  static <T> void answer(StreamObserver<T> response, Supplier<Result<T>> work) {
    Result<T> attempt;
    try {
      attempt = work.get();
    } catch (RuntimeException e) {
      response.onError(GrpcErrors.of(e));
      return;
    }
    switch (attempt) {
      case Result.Done<T>(T value) -> {
        response.onNext(value);
        response.onCompleted();
      }
      case Result.Refused<T> refused -> response.onError(GrpcErrors.of(refused));
    }
  }

  /** States of audits after which nothing changes. */
  static boolean isFinal(Audit audit) {
    return switch (audit.getState()) {
      case AUDIT_STATE_COMPLETED, AUDIT_STATE_ABANDONED -> true;
      case AUDIT_STATE_UNSPECIFIED, AUDIT_STATE_OPEN, AUDIT_STATE_RUNNING, UNRECOGNIZED -> false;
    };
  }

  /** Sends an audit whenever it has changed, whichever replica runs it, until it has ended. */
  static final class AuditWatch {
    private final Supplier<Result<Audit>> look;
    private final ServerCallStreamObserver<Audit> out;
    private Optional<Audit> last = Optional.empty();
    private Optional<Future<?>> turns = Optional.empty();
    private boolean ended;

    private AuditWatch(Supplier<Result<Audit>> look, ServerCallStreamObserver<Audit> out) {
      this.look = look;
      this.out = out;
    }

    static void begin(
        Supplier<Result<Audit>> look,
        ServerCallStreamObserver<Audit> out,
        ScheduledExecutorService timer,
        int everyMs) {
      AuditWatch watch = new AuditWatch(look, out);
      out.setOnCancelHandler(watch::stop);
      watch.turn();
      watch.keep(
          timer.scheduleWithFixedDelay(watch::turn, everyMs, everyMs, TimeUnit.MILLISECONDS));
    }

    private synchronized void keep(Future<?> future) {
      turns = Optional.of(future);
      if (ended) {
        future.cancel(false);
      }
    }

    private synchronized void stop() {
      ended = true;
      turns.ifPresent(future -> future.cancel(false));
    }

    private synchronized void turn() {
      if (ended || (last.isPresent() && !out.isReady())) {
        return; // a slow reader gets the newest state when it is ready, not every state
      }
      Result<Audit> now;
      try {
        now = look.get();
      } catch (RuntimeException e) {
        stop();
        out.onError(GrpcErrors.of(e));
        return;
      }
      switch (now) {
        case Result.Done<Audit>(Audit audit) -> {
          if (!last.equals(Optional.of(audit))) {
            last = Optional.of(audit);
            out.onNext(audit);
          }
          if (CertificationApi.isFinal(audit)) {
            stop();
            out.onCompleted();
          }
        }
        case Result.Refused<Audit> refused -> {
          stop();
          out.onError(GrpcErrors.of(refused));
        }
      }
    }
  }

  /** Sidecars with their cores, compared with what the control plane has. */
  static final class SidecarList {
    private static final String STALE = "stale";

    private SidecarList() {}

    static ListSidecarsResponse of(Store store, Duration aliveFor) {
      List<CoreRow> newest = store.cores();
      ListSidecarsResponse.Builder all = ListSidecarsResponse.newBuilder();
      for (SidecarRow row : store.sidecars(aliveFor)) {
        all.addSidecars(sidecar(row, newest));
      }
      return all.build();
    }

    private static Sidecar sidecar(SidecarRow row, List<CoreRow> newest) {
      Sidecar said = SidecarDocument.decode(row.document()).sidecar();
      Sidecar.Builder sidecar =
          said.toBuilder()
              .setAttached(row.attached())
              .setReplica(row.replica())
              .setLastSeenMs(row.lastSeenMs())
              .clearCores();
      Set<String> held = new HashSet<>();
      for (SidecarCore core : said.getCoresList()) {
        String key = CoreKey.of(new CoreId(core.getId().getAgentsList(), core.getId().getDomain()));
        held.add(key);
        long latest =
            newest.stream()
                .filter(each -> each.coreKey().equals(key))
                .mapToLong(CoreRow::version)
                .findFirst()
                .orElse(0);
        sidecar.addCores(core.toBuilder().setLatestVersion(latest).setState(state(core, latest)));
      }
      for (CoreRow core : newest) {
        if (core.agents().contains(row.agent()) && !held.contains(core.coreKey())) {
          sidecar.addCores(
              SidecarCore.newBuilder()
                  .setId(
                      dev.parlance.proto.v1.CoreId.newBuilder()
                          .addAllAgents(core.agents())
                          .setDomain(core.domain()))
                  .setLatestVersion(core.version())
                  .setState("behind"));
        }
      }
      return sidecar.build();
    }

    private static String state(SidecarCore core, long latest) {
      if (!core.getNackReason().isEmpty() && core.getVersion() < latest) {
        return "refused";
      }
      if (core.getVersion() < latest) {
        return "behind";
      }
      return core.getState().equals(STALE) ? STALE : "synced";
    }
  }
}
