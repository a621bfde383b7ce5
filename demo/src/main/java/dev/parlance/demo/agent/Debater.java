package dev.parlance.demo.agent;

import dev.parlance.demo.debate.ClauseMind;
import dev.parlance.demo.debate.ShownTerms;
import dev.parlance.demo.debate.Transcript;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.spec.Event;
import java.util.Map;
import java.util.Optional;

/**
 * An agent that decides claims together with others, on the wire. What it thinks is its mind's; it
 * does what it is ordered, and says in plain words how it uses terms. It knows nothing of boards:
 * what it is shown stands in the messages that it gets.
 */
public final class Debater implements AnsweringAgent {
  private final String name;
  private final ClauseMind mind;
  private final Transcript transcript;
  private final Directory others;

  /** An agent that notes in {@code transcript} what it asks, hears and is shown. */
  public Debater(String name, Transcript transcript, Directory others) {
    this.name = name;
    this.mind = new ClauseMind(name);
    this.transcript = transcript;
    this.others = others;
  }

  /** How it reaches another agent in a conversation. */
  @FunctionalInterface
  public interface Directory {
    /** Sends to an agent; empty if it has no address for it. */
    Optional<AgentCaller> caller(String conversation, String agent);
  }

  @Override
  public Event answer(RequestContext context) {
    String heard = AnsweringAgent.text(context.getMessage().getParts(), "\n");
    String answer =
        AuditQuestion.inWords(context.getMessage())
            .map(asked ->
                asked
                    .event()
                    .map(event -> mind.witness(asked.term(), event).word())
                    .orElse("decline"))
            .orElseGet(() ->
                heard.startsWith("order:")
                    ? "Noted, and done as ordered."
                    : decide(context.getContextId(), ShownTerms.in(heard)));
    return AnsweringAgent.message(context, answer, Map.of());
  }

  private String decide(String conversation, ShownTerms heard) {
    if (!heard.block().isEmpty()) {
      transcript.shown(new Transcript.Block(conversation, name, heard.block()));
    }
    return mind.answer(
        conversation,
        heard,
        (agent, text) ->
            others
                .caller(conversation, agent)
                .map(caller ->
                    ask(
                        transcript,
                        new Transcript.Message(conversation, name, agent, text),
                        caller))
                .filter(AgentReply::answered)
                .map(AgentReply::text));
  }

  /** Says something and waits for the answer; both are noted. */
  public static AgentReply ask(
      Transcript transcript, Transcript.Message question, AgentCaller caller) {
    transcript.said(question);
    AgentReply reply = caller.send(question.text(), question.conversation());
    transcript.said(question.answered(reply.said()));
    return reply;
  }
}
