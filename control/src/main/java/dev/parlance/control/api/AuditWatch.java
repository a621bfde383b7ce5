package dev.parlance.control.api;

import dev.parlance.control.certify.Attempt;
import dev.parlance.proto.v1.Audit;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sends an audit whenever it has changed, whichever replica runs it, until it has ended. */
final class AuditWatch {
  private final Supplier<Attempt<Audit>> look;
  private final ServerCallStreamObserver<Audit> out;
  private Optional<Audit> last = Optional.empty();
  private Optional<Future<?>> turns = Optional.empty();
  private boolean ended;

  private AuditWatch(Supplier<Attempt<Audit>> look, ServerCallStreamObserver<Audit> out) {
    this.look = look;
    this.out = out;
  }

  static void begin(
      Supplier<Attempt<Audit>> look,
      ServerCallStreamObserver<Audit> out,
      ScheduledExecutorService timer,
      int everyMs) {
    AuditWatch watch = new AuditWatch(look, out);
    out.setOnCancelHandler(watch::stop);
    watch.turn();
    watch.keep(timer.scheduleWithFixedDelay(watch::turn, everyMs, everyMs, TimeUnit.MILLISECONDS));
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
    Attempt<Audit> now;
    try {
      now = look.get();
    } catch (RuntimeException e) {
      stop();
      out.onError(GrpcErrors.of(e));
      return;
    }
    switch (now) {
      case Attempt.Done<Audit>(Audit audit) -> {
        if (!last.equals(Optional.of(audit))) {
          last = Optional.of(audit);
          out.onNext(audit);
        }
        if (CertificationApi.isFinal(audit)) {
          stop();
          out.onCompleted();
        }
      }
      case Attempt.Refused<Audit> refused -> {
        stop();
        out.onError(GrpcErrors.of(refused));
      }
    }
  }
}
