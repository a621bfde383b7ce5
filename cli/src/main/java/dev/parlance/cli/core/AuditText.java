package dev.parlance.cli.core;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.offline.TableText;
import dev.parlance.policy.core.SampleSize;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.TermResult;
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

  void printList(List<Audit> audits, long nowMs) {
    if (audits.isEmpty()) {
      out.println("no audits");
      return;
    }
    var table =
        new TextTable(
            "", "id", "plan", "kind", "state", ">started", "questions", "core", "failure");
    for (Audit audit : audits) {
      table.add(
          TextTable.Cell.of(audit.getId()),
          TextTable.Cell.of(audit.getPlan() + " r" + audit.getPlanRevision()),
          TextTable.Cell.of(AuditNames.of(audit.getKind())),
          state(audit),
          TextTable.Cell.of(TimeText.since(audit.getStartedAtMs(), nowMs)),
          TextTable.Cell.of(answered(audit)),
          TextTable.Cell.of(audit.getCoreVersion() == 0 ? "" : "v" + audit.getCoreVersion()),
          TextTable.Cell.of(audit.getFailure()));
    }
    table.print(out);
  }

  void print(Audit audit) {
    fact("audit", audit.getId());
    fact("plan", audit.getPlan() + ", revision " + audit.getPlanRevision());
    fact("kind", AuditNames.of(audit.getKind()));
    TextTable.Cell state = state(audit);
    out.println("state      " + state.paint().apply(state.text()));
    fact("failure", audit.getFailure());
    fact("questions", answered(audit));
    fact("started", TimeText.time(audit.getStartedAtMs()));
    fact("ended", TimeText.time(audit.getEndedAtMs()));
    fact(
        "replica",
        audit.getReplica()
            + (audit.getEpoch() > 1 ? ", taken over " + (audit.getEpoch() - 1) + " times" : ""));
    fact("core", audit.getCoreVersion() == 0 ? "" : "version " + audit.getCoreVersion());
    printResults(audit.getResultsList());
  }

  private void fact(String name, String value) {
    if (!value.isBlank()) {
      out.println(TerminalEscaper.line(name + " ".repeat(Math.max(1, 11 - name.length())) + value));
    }
  }

  void printResults(List<TermResult> results) {
    if (results.isEmpty()) {
      return;
    }
    out.println();
    boolean many = results.stream().map(TermResult::getAgentsList).distinct().count() > 1;
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
    for (TermResult result : results) {
      table.add(
          TextTable.Cell.of(result.getTerm()),
          TextTable.Cell.of(many ? String.join("+", result.getAgentsList()) : ""),
          TextTable.Cell.of(result.getAudited()),
          TextTable.Cell.of(result.getEligible()),
          TextTable.Cell.of(result.getContradictions()),
          TextTable.Cell.of(result.getUnanswered()),
          TextTable.Cell.of(TableText.fixed(result.getCoverage(), 3)),
          TextTable.Cell.of(TableText.fixed(result.getUpper(), 4)),
          new TextTable.Cell(result.getOutcome(), colour(result.getOutcome())),
          TextTable.Cell.of(result.getReason()),
          TextTable.Cell.of(needed(result)));
    }
    table.print(out);
  }

  /** Further comparisons without contradiction that would certify the term. */
  static String needed(TermResult result) {
    return Integer.compareUnsigned(result.getNeeded(), SampleSize.MAX) >= 0
        ? "never"
        : TableText.needed(result.getNeeded());
  }

  /** The colour of an outcome or of a status. */
  UnaryOperator<String> colour(String outcome) {
    return switch (outcome) {
      case "certified", "kept", "restored" -> paint::good;
      case "refused", "revoked" -> paint::bad;
      default -> paint::faint;
    };
  }

  private TextTable.Cell state(Audit audit) {
    UnaryOperator<String> colour =
        audit.getState() == AuditState.AUDIT_STATE_COMPLETED
            ? paint::good
            : audit.getState() == AuditState.AUDIT_STATE_ABANDONED ? paint::bad : paint::warning;
    return new TextTable.Cell(AuditNames.of(audit.getState()), colour);
  }

  /** How many questions were answered, in words. */
  static String answered(Audit audit) {
    return audit.getAnswered()
        + " of "
        + audit.getQuestions()
        + " answered"
        + (audit.getUnanswered() == 0 ? "" : ", " + audit.getUnanswered() + " without an answer");
  }
}
