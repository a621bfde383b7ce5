package dev.parlance.demo.agent;

import dev.parlance.demo.agent.AuditQuestion.Offer;
import dev.parlance.demo.agent.AuditQuestion.Witness;
import dev.parlance.demo.debate.ClauseMind;
import dev.parlance.demo.debate.ShownTerms;
import dev.parlance.demo.debate.Transcript;
import dev.parlance.demo.license.LicenseTerms.TermReading.Answer;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.spec.Event;
import io.a2a.spec.Message;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * An agent that decides claims together with others, on the wire. What it thinks is its mind's; it
 * does what it is ordered, and says in plain words how it uses terms. It knows nothing of boards:
 * what it is shown stands in the messages that it gets.
 */
public final class Debater extends HostedAgent {
  private static final String ORDER = "order:";

  private final ClauseMind mind;
  private final Transcript transcript;

  private Debater(String name, Transcript transcript) throws IOException {
    super(name);
    this.mind = new ClauseMind(name);
    this.transcript = transcript;
  }

  /**
   * Takes a free loopback port; it answers nothing before {@link #start}.
   *
   * @param transcript where it notes what it asks, hears and is shown
   */
  public static Debater bind(String name, Transcript transcript) throws IOException {
    return new Debater(name, transcript);
  }

  /** How it reaches another agent in a conversation. */
  @FunctionalInterface
  public interface Directory {
    /** Sends to an agent; empty if it has no address for it. */
    Optional<AgentCaller> caller(String conversation, String agent);
  }

  /**
   * Begins to answer.
   *
   * @param advertisedUrl where others are to send
   */
  public void start(String advertisedUrl, Directory others) throws IOException {
    begin(
        "Decides what follows from clauses of the Apache License 2.0.",
        advertisedUrl,
        context -> answer(context, others));
  }

  private Event answer(RequestContext context, Directory others) {
    String heard = AnsweringAgent.text(context.getMessage().getParts(), "\n");
    return AnsweringAgent.message(
        context,
        audited(context.getMessage())
            .orElseGet(() ->
                heard.startsWith(ORDER)
                    ? "Noted, and done as ordered."
                    : decide(context.getContextId(), ShownTerms.in(heard), others)),
        Map.of());
  }

  private Optional<String> audited(Message message) {
    return AuditQuestion.inWords(message)
        .map(question ->
            switch (question) {
              case Witness(String term, String text) -> mind.witness(term, text).word();
              case Offer _ -> "decline";
            });
  }

  private String decide(String conversation, ShownTerms heard, Directory others) {
    if (!heard.block().isEmpty()) {
      transcript.shown(new Transcript.Block(conversation, name(), heard.block()));
    }
    return mind.answer(
        conversation,
        heard,
        (agent, text) ->
            others
                .caller(conversation, agent)
                .flatMap(caller ->
                    ask(
                                transcript,
                                new Transcript.Message(conversation, name(), agent, text),
                                caller)
                            instanceof AgentReply.Answered answered
                        ? Optional.of(answered.text())
                        : Optional.empty()));
  }

  /** Says something and waits for the answer; both are noted. */
  public static AgentReply ask(
      Transcript transcript, Transcript.Message question, AgentCaller caller) {
    transcript.said(question);
    AgentReply reply = caller.send(question.text(), question.conversation());
    transcript.said(question.answered(reply.said()));
    return reply;
  }

  /** What it says of a term on an event. */
  public Answer witness(String term, String event) {
    return mind.witness(term, event);
  }
}
