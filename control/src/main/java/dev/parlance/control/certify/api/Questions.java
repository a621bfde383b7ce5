package dev.parlance.control.certify.api;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.control.store.Store.AnswerRow;
import dev.parlance.control.store.Store.QuestionRow;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.proto.v1.Answer;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.PolicyExample;
import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.WitnessQuestion;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Questions as sidecars get them, and their answers: what is not exactly right is no answer. */
public final class Questions {
  /** The failure of an answer that is none. */
  public static final String UNREADABLE = "unreadable_answer";

  /** The failure of a question without an answer. */
  public static final String TIMEOUT = "timeout";

  private static final int DIGEST_BYTES = 32;
  private static final Set<String> FAILURES =
      Set.of("agent_unreachable", "agent_refused", UNREADABLE, TIMEOUT, "no_agent");

  private Questions() {}

  /**
   * An event with an agent's verdict on a term, for an offer.
   *
   * @param event PEI(e)
   */
  public record Example(String event, String text, String verdict) {}

  /** Asks whether a term applies to an event. */
  public static QuestionRow witness(
      Ask ask, String audit, int attempt, int timeoutMs, PlanTexts texts) {
    WitnessQuestion.Builder witness =
        WitnessQuestion.newBuilder()
            .setDomain(texts.domain())
            .setTerm(ask.term())
            .setGloss(texts.gloss(ask.term()))
            .setEvent(event(ask.event(), texts.event(ask.event())));
    return row(ask, audit, question(ask, audit, attempt, timeoutMs).setWitness(witness));
  }

  /** Offers another agent's use of a term. */
  public static QuestionRow offer(
      Ask ask,
      String audit,
      int attempt,
      int timeoutMs,
      PlanTexts texts,
      String fromAgent,
      List<Example> examples) {
    PolicyOffer.Builder offer =
        PolicyOffer.newBuilder()
            .setDomain(texts.domain())
            .setTerm(ask.term())
            .setGloss(texts.gloss(ask.term()))
            .setFromAgent(fromAgent);
    for (Example example : examples) {
      offer.addExamples(
          PolicyExample.newBuilder()
              .setEvent(event(example.event(), example.text()))
              .setVerdict(example.verdict()));
    }
    return row(ask, audit, question(ask, audit, attempt, timeoutMs).setOffer(offer));
  }

  private static AuditEvent.Builder event(String pei, String text) {
    return AuditEvent.newBuilder().setPei(pei).setText(text);
  }

  private static Question.Builder question(Ask ask, String audit, int attempt, int timeoutMs) {
    return Question.newBuilder().setId(ask.questionId(audit, attempt)).setTimeoutMs(timeoutMs);
  }

  private static QuestionRow row(Ask ask, String audit, Question.Builder question) {
    return new QuestionRow(question.getId(), audit, ask.agent(), question.build().toByteArray());
  }

  /** What a question asks. */
  private static Ask ask(String agent, Question question) {
    return question.hasOffer()
        ? Ask.offer(agent, question.getOffer().getTerm())
        : new Ask(
            agent, question.getWitness().getTerm(), question.getWitness().getEvent().getPei());
  }

  /** What came of a question. */
  public sealed interface Reading {
    /** A verdict on an event. */
    record Verdict(TermVerdict verdict, Entry.Form form, String answerSha256) implements Reading {}

    /** A reply to an offer: adopt or decline. */
    record Reply(String reply) implements Reading {}

    /** No answer that counts; the reason is a stable code. */
    record Failure(String reason) implements Reading {}
  }

  /** An answered question. */
  public record Answered(String questionId, Ask ask, Reading reading) {}

  /** Reads a row of the store. */
  public static Answered read(AnswerRow row) {
    Question question;
    try {
      question = Question.parseFrom(row.question().document());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the store holds no question " + row.question().id(), e);
    }
    return new Answered(
        row.question().id(), ask(row.question().agent(), question), reading(question, row));
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
