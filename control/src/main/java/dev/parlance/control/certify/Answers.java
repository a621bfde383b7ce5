package dev.parlance.control.certify;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.control.store.Store.AnswerRow;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.proto.v1.Answer;
import dev.parlance.proto.v1.Question;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/** Reads answers of sidecars: what is not exactly right is no answer. */
final class Answers {
  static final String UNREADABLE = "unreadable_answer";
  static final String TIMEOUT = "timeout";

  private static final int DIGEST_BYTES = 32;
  private static final Set<String> FAILURES =
      Set.of("agent_unreachable", "agent_refused", UNREADABLE, TIMEOUT, "no_agent");

  private Answers() {}

  /** What came of a question. */
  sealed interface Reading {
    /** A verdict on an event. */
    record Verdict(TermVerdict verdict, Entry.Form form, String answerSha256) implements Reading {}

    /** A reply to an offer: adopt or decline. */
    record Reply(String reply) implements Reading {}

    /** No answer that counts; the reason is a stable code. */
    record Failure(String reason) implements Reading {}
  }

  /** An answered question. */
  record Answered(String questionId, Ask ask, Reading reading) {}

  /** Reads a row of the store. */
  static Answered read(AnswerRow row) {
    Question question;
    try {
      question = Question.parseFrom(row.question().document());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the store holds no question " + row.question().id(), e);
    }
    return new Answered(
        row.question().id(), Ask.of(row.question().agent(), question), reading(question, row));
  }

  private static Reading reading(Question question, AnswerRow row) {
    Answer answer;
    try {
      answer = Answer.parseFrom(row.answer());
    } catch (InvalidProtocolBufferException _) {
      return new Reading.Failure(UNREADABLE);
    }
    return switch (answer.getOutcomeCase()) {
      case VERDICT -> question.hasWitness() ? verdict(answer) : new Reading.Failure(UNREADABLE);
      case REPLY -> question.hasOffer() ? reply(answer) : new Reading.Failure(UNREADABLE);
      case FAILURE ->
          new Reading.Failure(
              FAILURES.contains(answer.getFailure()) ? answer.getFailure() : UNREADABLE);
      case OUTCOME_NOT_SET -> new Reading.Failure(UNREADABLE);
    };
  }

  private static Reading verdict(Answer answer) {
    Optional<TermVerdict> verdict = TermVerdict.ofCode(answer.getVerdict());
    Optional<Entry.Form> form =
        Entry.Form.ofCode(answer.getForm()).filter(given -> given != Entry.Form.SIMULATED);
    if (verdict.isEmpty() || form.isEmpty() || answer.getAnswerSha256().size() != DIGEST_BYTES) {
      return new Reading.Failure(UNREADABLE);
    }
    return new Reading.Verdict(
        verdict.get(),
        form.get(),
        HexFormat.of().formatHex(answer.getAnswerSha256().toByteArray()));
  }

  private static Reading reply(Answer answer) {
    String reply = answer.getReply();
    return reply.equals("adopt") || reply.equals("decline")
        ? new Reading.Reply(reply)
        : new Reading.Failure(UNREADABLE);
  }
}
