package dev.parlance.demo.agent;

import dev.parlance.demo.license.Usage;
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
final class WitnessExecutor implements AnsweringAgent {
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
    if (question(context.getMessage()).isPresent()
        || context.getUserInput("\n").strip().startsWith(ORDER)) {
      queue.enqueueEvent(answer(context));
    } else {
      own.execute(context, queue);
    }
  }

  private Optional<AuditQuestion> question(Message message) {
    return switch (form) {
      case EXTENSION -> AuditQuestion.inExtension(message);
      case PLAIN -> AuditQuestion.inWords(message);
    };
  }

  @Override
  public Message answer(RequestContext context) {
    return question(context.getMessage())
        .map(question ->
            switch (question) {
              case AuditQuestion.Witness(String term, String text) ->
                  answer(context, "verdict", usage.answer(term, text).word());
              case AuditQuestion.Offer(String term, List<Usage.Example> examples) ->
                  answer(
                      context,
                      "reply",
                      usage.adopt(term, examples).isPresent() ? "adopt" : "decline");
            })
        .orElseGet(() -> AnsweringAgent.message(context, "Noted, and done as ordered.", Map.of()));
  }

  private Message answer(RequestContext context, String member, String word) {
    return AnsweringAgent.message(
        context,
        word,
        switch (form) {
          case EXTENSION -> Map.of(Extensions.AUDIT, Map.of(member, word));
          case PLAIN -> Map.of();
        });
  }
}
