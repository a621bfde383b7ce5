package dev.parlance.demo.agent;

import io.a2a.A2A;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.spec.Event;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import io.a2a.spec.Part;
import io.a2a.spec.TaskNotCancelableError;
import io.a2a.spec.TextPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An agent that answers a message with one event, which is complete when it is sent. */
@FunctionalInterface
public interface AnsweringAgent extends AgentExecutor {
  /** The answer to a message. */
  Event answer(RequestContext context) throws JSONRPCError;

  @Override
  default void execute(RequestContext context, EventQueue queue) throws JSONRPCError {
    queue.enqueueEvent(answer(context));
  }

  @Override
  default void cancel(RequestContext context, EventQueue queue) throws JSONRPCError {
    throw new TaskNotCancelableError("answers are complete when they are sent");
  }

  /** An answer with metadata, whose names are those of extensions. */
  static Message message(RequestContext context, String text, Map<String, Object> metadata) {
    Message.Builder message =
        new Message.Builder(A2A.toAgentMessage(text))
            .contextId(context.getContextId())
            .parts(List.of(new TextPart(text)));
    if (!metadata.isEmpty()) {
      message.metadata(metadata).extensions(List.copyOf(metadata.keySet()));
    }
    return message.build();
  }

  /** A memory of conversations that forgets the eldest. */
  static <T> Map<String, T> memory() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;
      private static final int CONVERSATIONS_MAX = 4096;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
        return size() > CONVERSATIONS_MAX;
      }
    };
  }

  /** The words of a message. */
  static String text(List<Part<?>> parts, String between) {
    return parts.stream()
        .filter(TextPart.class::isInstance)
        .map(part -> ((TextPart) part).getText())
        .collect(Collectors.joining(between));
  }
}
