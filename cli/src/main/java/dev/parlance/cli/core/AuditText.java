package dev.parlance.cli.core;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.offline.TableText;
import dev.parlance.client.MessageSerializer;
import dev.parlance.policy.core.SampleSize;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.TermResult;
import java.util.List;
import java.util.function.UnaryOperator;

/** Audits, for people. */
record AuditText(Terminal terminal) {
  void print(Audit audit) {
    terminal.fact("audit", audit.getId());
    terminal.fact("plan", audit.getPlan() + ", revision " + audit.getPlanRevision());
    terminal.fact("kind", MessageSerializer.word(audit.getKind().name()));
    TextTable.Cell state = state(audit);
    terminal.println("state      " + state.paint().apply(state.text()));
    terminal.fact("failure", audit.getFailure());
    terminal.fact("questions", answered(audit));
    terminal.fact("started", TimeText.time(audit.getStartedAtMs()));
    terminal.fact("ended", TimeText.time(audit.getEndedAtMs()));
    terminal.fact(
        "replica",
        audit.getReplica()
            + (audit.getEpoch() > 1 ? ", taken over " + (audit.getEpoch() - 1) + " times" : ""));
    terminal.fact("core", audit.getCoreVersion() == 0 ? "" : "version " + audit.getCoreVersion());
    printResults(audit.getResultsList());
  }

  void printResults(List<TermResult> results) {
    if (results.isEmpty()) {
      return;
    }
    terminal.out().println();
    boolean many = results.stream().map(TermResult::getAgentsList).distinct().count() > 1;
    var table =
        new TextTable(
            "  ",
            "term, pair, >n_aud, >k, >c, >unanswered, >coverage, >upper, outcome, reason, >needed");
    for (TermResult result : results) {
      table.add(
          result.getTerm(),
          many ? String.join("+", result.getAgentsList()) : "",
          result.getAudited(),
          result.getEligible(),
          result.getContradictions(),
          result.getUnanswered(),
          TableText.fixed(result.getCoverage(), 3),
          TableText.fixed(result.getUpper(), 4),
          new TextTable.Cell(result.getOutcome(), colour(result.getOutcome())),
          result.getReason(),
          needed(result));
    }
    table.print(terminal.out());
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
      case "certified", "kept", "restored" -> terminal::good;
      case "refused", "revoked" -> terminal::bad;
      default -> terminal::faint;
    };
  }

  TextTable.Cell state(Audit audit) {
    UnaryOperator<String> colour =
        switch (audit.getState()) {
          case AUDIT_STATE_COMPLETED -> terminal::good;
          case AUDIT_STATE_ABANDONED -> terminal::bad;
          default -> terminal::warning;
        };
    return new TextTable.Cell(MessageSerializer.word(audit.getState().name()), colour);
  }

  /** True if nothing more comes of it. */
  static boolean hasEnded(Audit audit) {
    return audit.getState() == AuditState.AUDIT_STATE_COMPLETED
        || audit.getState() == AuditState.AUDIT_STATE_ABANDONED;
  }

  /** How many questions were answered, in words. */
  static String answered(Audit audit) {
    return "%s of %s answered%s"
        .formatted(
            audit.getAnswered(),
            audit.getQuestions(),
            audit.getUnanswered() == 0 ? "" : ", " + audit.getUnanswered() + " without an answer");
  }
}
