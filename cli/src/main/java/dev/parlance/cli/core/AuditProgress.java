package dev.parlance.cli.core;

import dev.parlance.cli.ProgressLine;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.GetAuditRequest;
import io.grpc.Status;
import java.io.PrintStream;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;

/**
 * Follows an audit until it has ended: a moving line on a terminal, else a line for each state. A
 * replica that goes away in between is waited for, because another one takes the audit over.
 */
final class AuditProgress {
  private static final int RETRIES_MAX = 60;
  private static final long RETRY_MS = 500;
  private static final int BAR_WIDTH = 30;

  private final Terminal terminal;
  private final PrintStream err;
  private String lastState = "";
  private int failures;

  AuditProgress(Terminal terminal) {
    this.terminal = terminal;
    this.err = terminal.err();
  }

  /** The audit as it ended. */
  ControlReply<Audit> follow(ControlClient client, String id) {
    try (var progress = new ProgressLine(terminal)) {
      while (true) {
        ControlReply<Optional<Audit>> reply =
            client.watch(stub -> {
              Iterator<Audit> changes =
                  stub.watchAudit(GetAuditRequest.newBuilder().setId(id).build());
              Optional<Audit> last = Optional.empty();
              while (changes.hasNext()) {
                Audit audit = changes.next();
                failures = 0;
                show(audit, progress);
                last = Optional.of(audit);
              }
              return last;
            });
        switch (reply) {
          case ControlReply.Answered<Optional<Audit>>(var last) -> {
            if (last.isPresent() && AuditNames.hasEnded(last.get().getState())) {
              return new ControlReply.Answered<>(last.get());
            }
          }
          case ControlReply.Failed<Optional<Audit>>(Status.Code code, String message) -> {
            if (code != Status.Code.UNAVAILABLE || failures >= RETRIES_MAX) {
              return new ControlReply.Failed<>(code, message);
            }
          }
        }
        failures++;
        if (failures > RETRIES_MAX) {
          return new ControlReply.Failed<>(
              Status.Code.UNAVAILABLE, "the control plane does not say how the audit goes on");
        }
        try {
          Thread.sleep(RETRY_MS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return new ControlReply.Failed<>(Status.Code.CANCELLED, "interrupted");
        }
      }
    }
  }

  private void show(Audit audit, ProgressLine progress) {
    String state = AuditNames.of(audit.getState());
    if (terminal.showsProgress()) {
      int done = audit.getAnswered() + audit.getUnanswered();
      int filled =
          audit.getQuestions() == 0
              ? 0
              : (int) Math.min(BAR_WIDTH, (long) BAR_WIDTH * done / audit.getQuestions());
      progress.show(
          String.format(
              Locale.ROOT,
              "%-9s [%s%s] %s",
              state,
              "#".repeat(Math.max(0, filled)),
              ".".repeat(BAR_WIDTH - Math.max(0, filled)),
              AuditText.answered(audit)));
    } else if (!state.equals(lastState)) {
      err.println("  " + state + ", " + AuditText.answered(audit));
    }
    lastState = state;
  }
}
