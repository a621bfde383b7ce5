package dev.parlance.control.certify;

import dev.parlance.control.certify.Answers.Reading;
import dev.parlance.ledger.record.Entry;
import dev.parlance.proto.v1.Question;
import java.util.Optional;

/** Witnessed tests (Definition 2): does the term apply to the event? */
record Witnessing(AuditContext context, String audit, long epoch, PlanTexts texts)
    implements Interview.Phrasing {

  @Override
  public Question question(Ask ask, int attempt) {
    return ask.witness(audit, attempt, context.settings().answerTimeoutMs(), texts);
  }

  @Override
  public Entry entry(Ask ask, Reading reading) {
    long now = AuditWriter.nowMs();
    return switch (reading) {
      case Reading.Verdict verdict ->
          new Entry.Test(
              audit,
              epoch,
              ask.agent(),
              ask.event(),
              ask.term(),
              verdict.verdict(),
              verdict.form(),
              Optional.of(verdict.answerSha256()),
              now);
      case Reading.Failure(String reason) -> unanswered(ask, reason, now);
      case Reading.Reply _ -> unanswered(ask, Answers.UNREADABLE, now);
    };
  }

  private Entry unanswered(Ask ask, String reason, long now) {
    return new Entry.Unanswered(audit, epoch, ask.agent(), ask.event(), ask.term(), reason, now);
  }
}
