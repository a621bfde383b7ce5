package dev.parlance.proxy.control;

import com.google.protobuf.ByteString;
import dev.parlance.proto.v1.Answer;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.WitnessQuestion;
import dev.parlance.proxy.control.AgentQuestion.Event;
import dev.parlance.proxy.control.AgentQuestion.Example;
import dev.parlance.proxy.control.AgentQuestion.Kind;
import java.util.Optional;

/** Questions and answers between the wire's form and ours. */
final class QuestionReader {
  private static final int MAX_ID = 256;

  private QuestionReader() {}

  /** True if an answer could carry the id back. */
  static boolean isId(String id) {
    return !id.isEmpty() && id.length() <= MAX_ID && id.chars().allMatch(c -> c > ' ' && c <= '~');
  }

  /** The question; empty if it is none that may be put to an agent. */
  static Optional<AgentQuestion> read(Question question) {
    try {
      return switch (question.getBodyCase()) {
        case WITNESS -> Optional.of(witness(question.getWitness()));
        case OFFER -> Optional.of(offer(question.getOffer()));
        case BODY_NOT_SET -> Optional.empty();
      };
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the records say what a question is
    }
  }

  private static AgentQuestion witness(WitnessQuestion witness) {
    return new AgentQuestion.Witness(
        witness.getDomain(),
        witness.getTerm(),
        gloss(witness.getGloss()),
        event(witness.getEvent()));
  }

  private static AgentQuestion offer(PolicyOffer offer) {
    return new AgentQuestion.Offer(
        offer.getDomain(),
        offer.getTerm(),
        gloss(offer.getGloss()),
        offer.getFromAgent(),
        offer.getExamplesList().stream()
            .map(example -> new Example(event(example.getEvent()), example.getVerdict()))
            .toList());
  }

  private static Event event(AuditEvent event) {
    return new Event(event.getPei(), event.getText());
  }

  private static Optional<String> gloss(String text) {
    return Optional.of(text).filter(given -> !given.isEmpty());
  }

  /** The answer to carry back. */
  static Answer answer(String id, Kind kind, AgentAnswer answer) {
    Answer.Builder out =
        Answer.newBuilder()
            .setQuestionId(id)
            .setTookMs((int) Math.min(answer.tookMs(), Integer.MAX_VALUE));
    switch (answer) {
      case AgentAnswer.Failed failed -> out.setFailure(failed.failure().code());
      case AgentAnswer.Said said -> {
        switch (kind) {
          case WITNESS -> out.setVerdict(said.word());
          case OFFER -> out.setReply(said.word());
        }
        out.setForm(said.form().code()).setAnswerSha256(ByteString.fromHex(said.sha256()));
      }
    }
    return out.build();
  }
}
