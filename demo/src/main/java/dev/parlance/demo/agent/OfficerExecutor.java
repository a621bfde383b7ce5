package dev.parlance.demo.agent;

import io.a2a.A2A;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import io.a2a.spec.TaskNotCancelableError;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Agent B on the wire: {@code ask: <question>} in, its decision with the receipt out. */
final class OfficerExecutor implements AgentExecutor {
  private static final String ASK = "ask:";

  private final AgentCaller scholar;
  private final Consumer<Receipt> log;

  OfficerExecutor(AgentCaller scholar, Consumer<Receipt> log) {
    this.scholar = scholar;
    this.log = log;
  }

  @Override
  public void execute(RequestContext context, EventQueue queue) throws JSONRPCError {
    String order = context.getUserInput("\n").strip();
    if (!order.toLowerCase(Locale.ROOT).startsWith(ASK)) {
      throw new InvalidParamsError("expected a text part \"ask: <question>\"");
    }
    String question = order.substring(ASK.length()).strip();
    Receipt receipt = ask(question, context.getContextId());
    log.accept(receipt);
    Message message =
        new Message.Builder(A2A.toAgentMessage(receipt.decision()))
            .contextId(context.getContextId())
            .metadata(Map.of(Extensions.RECEIPT, receipt.toMap()))
            .extensions(List.of(Extensions.RECEIPT))
            .build();
    queue.enqueueEvent(message);
  }

  @Override
  public void cancel(RequestContext context, EventQueue queue) throws JSONRPCError {
    throw new TaskNotCancelableError("decisions are complete when they are sent");
  }

  private Receipt ask(String question, String conversation) {
    Reply reply = scholar.send(question, conversation);
    String decision = Officer.decide(reply);
    return switch (reply) {
      case Reply.Answered a ->
          new Receipt(question, a.text(), a.taskState(), true, a.verdict(), decision);
      case Reply.Withheld w ->
          new Receipt(question, w.why(), w.taskState(), false, w.verdict(), decision);
      case Reply.Failed f -> new Receipt(question, f.why(), "error", false, Verdict.NONE, decision);
    };
  }
}
