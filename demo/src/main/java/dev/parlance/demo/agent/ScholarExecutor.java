package dev.parlance.demo.agent;

import dev.parlance.demo.agent.Scholar.Draft;
import io.a2a.A2A;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.spec.Artifact;
import io.a2a.spec.Event;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import io.a2a.spec.Task;
import io.a2a.spec.TaskNotCancelableError;
import io.a2a.spec.TaskState;
import io.a2a.spec.TaskStatus;
import io.a2a.spec.TextPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Agent A on the wire: what was asked in, a draft with its evidence out.
 *
 * <p>Within one conversation it remembers how often it was asked to repair an answer, and when the
 * same question comes again without such a request, it stands by what it said last.
 */
final class ScholarExecutor implements AgentExecutor {
  private static final int CONVERSATIONS_MAX = 4096;

  private final Scholar scholar;
  private final Map<String, Said> memory =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Said> eldest) {
          return size() > CONVERSATIONS_MAX;
        }
      };

  private record Said(int repairs, Draft draft) {}

  ScholarExecutor(Scholar scholar) {
    this.scholar = scholar;
  }

  @Override
  public void execute(RequestContext context, EventQueue queue) throws JSONRPCError {
    Asked asked = Asked.of(context.getMessage());
    if (asked.question().isEmpty()) {
      throw new InvalidParamsError("expected a text part with a question");
    }
    queue.enqueueEvent(event(context, asked, draft(context.getContextId(), asked)));
  }

  @Override
  public void cancel(RequestContext context, EventQueue queue) throws JSONRPCError {
    throw new TaskNotCancelableError("answers are complete when they are sent");
  }

  private synchronized Draft draft(String conversation, Asked asked) {
    String key = conversation + "\n" + asked.question();
    Said before = memory.get(key);
    if (before != null && !asked.repairRequested()) {
      return before.draft();
    }
    int repairs = asked.repairRequested() ? (before == null ? 0 : before.repairs()) + 1 : 0;
    Draft draft = scholar.answer(asked.question(), repairs, asked.namedPassages());
    memory.put(key, new Said(repairs, draft));
    return draft;
  }

  private static Event event(RequestContext context, Asked asked, Draft draft) {
    TextPart text = new TextPart(draft.text());
    Map<String, Object> metadata = evidence(asked, draft);
    List<String> extensions = List.copyOf(metadata.keySet());
    return switch (draft.shape()) {
      case MESSAGE -> {
        Message.Builder message =
            new Message.Builder(A2A.toAgentMessage(draft.text()))
                .contextId(context.getContextId())
                .parts(List.of(text));
        if (!metadata.isEmpty()) {
          message.metadata(metadata).extensions(extensions);
        }
        yield message.build();
      }
      case TASK -> {
        Artifact.Builder artifact =
            new Artifact.Builder()
                .artifactId(UUID.randomUUID().toString())
                .name("answer")
                .parts(List.of(text));
        if (!metadata.isEmpty()) {
          artifact.metadata(metadata).extensions(extensions);
        }
        yield new Task.Builder()
            .id(context.getTaskId())
            .contextId(context.getContextId())
            .status(new TaskStatus(TaskState.COMPLETED))
            .artifacts(List.of(artifact.build()))
            .build();
      }
    };
  }

  private static Map<String, Object> evidence(Asked asked, Draft draft) {
    if (draft.context().isEmpty()) {
      return Map.of();
    }
    Map<String, Object> evidence = new LinkedHashMap<>();
    evidence.put("question", asked.question());
    evidence.put("context", draft.context());
    if (!draft.citations().isEmpty()) {
      evidence.put("citations", draft.citations());
    }
    return Map.of(Extensions.EVIDENCE, evidence);
  }
}
