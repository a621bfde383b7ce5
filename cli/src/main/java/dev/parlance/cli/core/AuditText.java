package dev.parlance.cli.core;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.AuditInfo;
import dev.parlance.cli.offline.TableText;
import dev.parlance.policy.core.SampleSize;
import java.io.PrintStream;
import java.util.List;
import java.util.function.UnaryOperator;

/** Audits, for people. */
final class AuditText {
  private final PrintStream out;
  private final Colours paint;

  AuditText(Terminal terminal) {
    this.out = terminal.out();
    this.paint = new Colours(terminal);
  }

  void printList(List<AuditInfo> audits, long nowMs) {
    if (audits.isEmpty()) {
      out.println("no audits");
      return;
    }
    var table =
        new TextTable(
            "", "id", "plan", "kind", "state", ">started", "questions", "core", "failure");
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
    table.print(out);
  }

  void print(AuditInfo audit) {
    fact("audit", audit.id());
    fact("plan", audit.plan() + ", revision " + audit.planRevision());
    fact("kind", audit.kind());
    TextTable.Cell state = state(audit);
    out.println("state      " + state.paint().apply(state.text()));
    fact("failure", audit.failure());
    fact("questions", answered(audit));
    fact("started", TimeText.time(audit.startedAtMs()));
    fact("ended", TimeText.time(audit.endedAtMs()));
    fact(
        "replica",
        audit.replica()
            + (audit.epoch() > 1 ? ", taken over " + (audit.epoch() - 1) + " times" : ""));
    fact("core", audit.coreVersion() == 0 ? "" : "version " + audit.coreVersion());
    printResults(audit.results());
  }

  private void fact(String name, String value) {
    if (!value.isBlank()) {
      out.println(TerminalEscaper.line(name + " ".repeat(Math.max(1, 11 - name.length())) + value));
    }
  }

  void printResults(List<AuditInfo.Result> results) {
    if (results.isEmpty()) {
      return;
    }
    out.println();
    boolean many = results.stream().map(AuditInfo.Result::agents).distinct().count() > 1;
    var table =
        new TextTable(
            "  ",
            "term",
            "pair",
            ">n_aud",
            ">k",
            ">c",
            ">unanswered",
            ">coverage",
            ">upper",
            "outcome",
            "reason",
            ">needed");
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
    table.print(out);
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
      case "certified", "kept", "restored" -> paint::good;
      case "refused", "revoked" -> paint::bad;
      default -> paint::faint;
    };
  }

  private TextTable.Cell state(AuditInfo audit) {
    UnaryOperator<String> colour =
        switch (audit.state()) {
          case AuditInfo.COMPLETED -> paint::good;
          case AuditInfo.ABANDONED -> paint::bad;
          default -> paint::warning;
        };
    return new TextTable.Cell(audit.state(), colour);
  }

  /** How many questions were answered, in words. */
  static String answered(AuditInfo audit) {
    return audit.answered()
        + " of "
        + audit.questions()
        + " answered"
        + (audit.unanswered() == 0 ? "" : ", " + audit.unanswered() + " without an answer");
  }
}
