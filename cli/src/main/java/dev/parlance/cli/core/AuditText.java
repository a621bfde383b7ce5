package dev.parlance.cli.core;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.AuditInfo;
import dev.parlance.cli.offline.TableText;
import dev.parlance.policy.core.SampleSize;
import java.util.List;
import java.util.function.UnaryOperator;

/** Audits, for people. */
final class AuditText {
  private final Terminal terminal;

  AuditText(Terminal terminal) {
    this.terminal = terminal;
  }

  void printList(List<AuditInfo> audits, long nowMs) {
    if (audits.isEmpty()) {
      terminal.println("no audits");
      return;
    }
    var table = new TextTable("", "id, plan, kind, state, >started, questions, core, failure");
    for (AuditInfo audit : audits) {
      table.add(
          audit.id(),
          audit.plan() + " r" + audit.planRevision(),
          audit.kind(),
          state(audit),
          TimeText.since(audit.startedAtMs(), nowMs),
          answered(audit),
          audit.coreVersion() == 0 ? "" : "v" + audit.coreVersion(),
          audit.failure());
    }
    table.print(terminal.out());
  }

  void print(AuditInfo audit) {
    terminal.fact("audit", audit.id());
    terminal.fact("plan", audit.plan() + ", revision " + audit.planRevision());
    terminal.fact("kind", audit.kind());
    TextTable.Cell state = state(audit);
    terminal.println("state      " + state.paint().apply(state.text()));
    terminal.fact("failure", audit.failure());
    terminal.fact("questions", answered(audit));
    terminal.fact("started", TimeText.time(audit.startedAtMs()));
    terminal.fact("ended", TimeText.time(audit.endedAtMs()));
    terminal.fact(
        "replica",
        audit.replica()
            + (audit.epoch() > 1 ? ", taken over " + (audit.epoch() - 1) + " times" : ""));
    terminal.fact("core", audit.coreVersion() == 0 ? "" : "version " + audit.coreVersion());
    printResults(audit.results());
  }

  void printResults(List<AuditInfo.Result> results) {
    if (results.isEmpty()) {
      return;
    }
    terminal.out().println();
    boolean many = results.stream().map(AuditInfo.Result::agents).distinct().count() > 1;
    var table =
        new TextTable(
            "  ",
            "term, pair, >n_aud, >k, >c, >unanswered, >coverage, >upper, outcome, reason, >needed");
    for (AuditInfo.Result result : results) {
      table.add(
          result.term(),
          many ? String.join("+", result.agents()) : "",
          result.audited(),
          result.eligible(),
          result.contradictions(),
          result.unanswered(),
          TableText.fixed(result.coverage(), 3),
          TableText.fixed(result.upper(), 4),
          new TextTable.Cell(result.outcome(), colour(result.outcome())),
          result.reason(),
          needed(result));
    }
    table.print(terminal.out());
  }

  /** Further comparisons without contradiction that would certify the term. */
  static String needed(AuditInfo.Result result) {
    return Integer.compareUnsigned(result.needed(), SampleSize.MAX) >= 0
        ? "never"
        : TableText.needed(result.needed());
  }

  /** The colour of an outcome or of a status. */
  UnaryOperator<String> colour(String outcome) {
    return switch (outcome) {
      case "certified", "kept", "restored" -> terminal::good;
      case "refused", "revoked" -> terminal::bad;
      default -> terminal::faint;
    };
  }

  private TextTable.Cell state(AuditInfo audit) {
    UnaryOperator<String> colour =
        switch (audit.state()) {
          case AuditInfo.COMPLETED -> terminal::good;
          case AuditInfo.ABANDONED -> terminal::bad;
          default -> terminal::warning;
        };
    return new TextTable.Cell(audit.state(), colour);
  }

  /** How many questions were answered, in words. */
  static String answered(AuditInfo audit) {
    return "%s of %s answered%s"
        .formatted(
            audit.answered(),
            audit.questions(),
            audit.unanswered() == 0 ? "" : ", " + audit.unanswered() + " without an answer");
  }
}
