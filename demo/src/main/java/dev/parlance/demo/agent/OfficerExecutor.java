package dev.parlance.demo.agent;

import io.a2a.A2A;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import io.a2a.spec.TaskNotCancelableError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Agent B on the wire: {@code ask: <question>} in, its decision with the receipt out.
 *
 * <p>An answer that a sidecar could not ask for again itself, because a part of the stream had left
 * already, comes back with what to change; B then asks again in the same conversation. When it is
 * told to ask the same question there once more, it does so in the words it used last.
 */
final class OfficerExecutor implements AgentExecutor {
  private static final String ASK = "ask:";

  /** A sidecar grants two repairs at most; what comes then is final. */
  private static final int ASK_AGAIN_MAX = 2;

  private static final int CONVERSATIONS_MAX = 4096;
  private final AgentCaller scholar;
  private final Consumer<Receipt> log;
  private final Map<String, String> wordings =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > CONVERSATIONS_MAX;
        }
      };

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
    String key = conversation + "\n" + question;
    List<Streamed> streams = new ArrayList<>();
    String wording = wording(key, question);
    Heard heard = scholar.ask(wording, conversation);
    heard.stream().ifPresent(streams::add);
    Optional<String> instruction = sentBack(heard.reply());
    for (int again = 0; again < ASK_AGAIN_MAX && instruction.isPresent(); again++) {
      wording = question + "\n\n" + instruction.get();
      heard = scholar.ask(wording, conversation);
      heard.stream().ifPresent(streams::add);
      instruction = sentBack(heard.reply());
    }
    remember(key, wording);
    return receipt(question, heard.reply()).streamed(streams);
  }

  private synchronized String wording(String key, String question) {
    return wordings.getOrDefault(key, question);
  }

  private synchronized void remember(String key, String wording) {
    wordings.put(key, wording);
  }

  /** What to change, if a better answer may be asked for. */
  private static Optional<String> sentBack(Reply reply) {
    return reply instanceof Reply.Withheld withheld ? withheld.repair() : Optional.empty();
  }

  private static Receipt receipt(String question, Reply reply) {
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
