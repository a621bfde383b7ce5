package dev.parlance.demo.agent;

import dev.parlance.demo.usage.Usage;
import io.a2a.A2A;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An agent that besides its own work says how it uses words, and does what it is ordered: {@code
 * order: <text>} is noted and confirmed.
 */
final class WitnessExecutor implements AgentExecutor {
  private static final String ORDER = "order:";

  private final AgentExecutor own;
  private final Usage usage;
  private final Form form;

  /** How the agent reads and answers questions about words. */
  enum Form {
    /** In the audit extension's object. */
    EXTENSION,
    /** In plain words, like an agent that knows no extension. */
    PLAIN
  }

  WitnessExecutor(AgentExecutor own, Usage usage, Form form) {
    this.own = own;
    this.usage = usage;
    this.form = form;
  }

  @Override
  public void execute(RequestContext context, EventQueue queue) throws JSONRPCError {
    Message message = context.getMessage();
    Optional<AuditQuestion> question =
        switch (form) {
          case EXTENSION -> AuditQuestion.inExtension(message);
          case PLAIN -> AuditQuestion.inWords(message);
        };
    if (question.isPresent()) {
      queue.enqueueEvent(answer(context, question.get()));
    } else if (context.getUserInput("\n").strip().startsWith(ORDER)) {
      queue.enqueueEvent(message(context, "Noted, and done as ordered.").build());
    } else {
      own.execute(context, queue);
    }
  }

  private Message answer(RequestContext context, AuditQuestion question) {
    return switch (question) {
      case AuditQuestion.Witness(String term, String text) ->
          answer(context, "verdict", usage.answer(term, text).word());
      case AuditQuestion.Offer(String term, List<Usage.Example> examples) ->
          answer(context, "reply", usage.adopt(term, examples).isPresent() ? "adopt" : "decline");
    };
  }

  private Message answer(RequestContext context, String member, String word) {
    Message.Builder message = message(context, word);
    return switch (form) {
      case EXTENSION ->
          message
              .metadata(Map.of(Extensions.AUDIT, Map.of(member, word)))
              .extensions(List.of(Extensions.AUDIT))
              .build();
      case PLAIN -> message.build();
    };
  }

  private static Message.Builder message(RequestContext context, String text) {
    return new Message.Builder(A2A.toAgentMessage(text)).contextId(context.getContextId());
  }

  @Override
  public void cancel(RequestContext context, EventQueue queue) throws JSONRPCError {
    own.cancel(context, queue);
  }
}
