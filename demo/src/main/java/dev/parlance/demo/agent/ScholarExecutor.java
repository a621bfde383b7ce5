package dev.parlance.demo.agent;

import static java.util.stream.Collectors.toSet;

import dev.parlance.demo.agent.Role.Shape;
import dev.parlance.demo.agent.Scholar.Draft;
import dev.parlance.demo.agent.Talk.Delivery;
import dev.parlance.demo.license.DemoJson;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.spec.Artifact;
import io.a2a.spec.Event;
import io.a2a.spec.InternalError;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import io.a2a.spec.Task;
import io.a2a.spec.TaskArtifactUpdateEvent;
import io.a2a.spec.TaskState;
import io.a2a.spec.TaskStatus;
import io.a2a.spec.TaskStatusUpdateEvent;
import io.a2a.spec.TextPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Agent A on the wire: what was asked in, a draft with its evidence out.
 *
 * <p>Within one conversation it remembers how often it was asked to repair an answer, and when the
 * same question comes again without such a request, it stands by what it said last.
 *
 * <p>Streamed, an answer is an artifact in chunks of some words and the task's end. What would
 * leave whole as a task begins with that task, before a word is said; what would leave as a message
 * begins with its first words, so that nothing has left while a sidecar holds them. Both habits
 * occur in the field, and they differ in who can ask again: see decision 0008.
 */
final class ScholarExecutor implements AnsweringAgent {
  /** A pause between chunks: text that is generated takes its time. */
  private static final long CHUNK_PAUSE_MS = 10;

  private static final int MIN_CHUNK_CHARS = 24;

  private final Scholar scholar;
  private final Delivery delivery;
  private final Map<String, Said> memory = AnsweringAgent.memory();

  private record Said(int repairs, Draft draft) {}

  ScholarExecutor(Scholar scholar, Delivery delivery) {
    this.scholar = scholar;
    this.delivery = delivery;
  }

  @Override
  public void execute(RequestContext context, EventQueue queue) throws JSONRPCError {
    switch (delivery) {
      case WHOLE -> queue.enqueueEvent(answer(context));
      case STREAMED -> {
        LicenseQuestion asked = asked(context);
        stream(context, queue, asked, draft(context.getContextId(), asked));
      }
    }
  }

  @Override
  public Event answer(RequestContext context) throws JSONRPCError {
    LicenseQuestion asked = asked(context);
    return event(context, asked, draft(context.getContextId(), asked));
  }

  private static LicenseQuestion asked(RequestContext context) throws JSONRPCError {
    LicenseQuestion asked = LicenseQuestion.of(context.getMessage());
    if (asked.question().isEmpty()) {
      throw new InvalidParamsError("expected a text part with a question");
    }
    return asked;
  }

  private synchronized Draft draft(String conversation, LicenseQuestion asked) {
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

  private static Event event(RequestContext context, LicenseQuestion asked, Draft draft) {
    Map<String, Object> metadata = evidence(asked, draft);
    return switch (draft.shape()) {
      case MESSAGE -> AnsweringAgent.message(context, draft.text(), metadata);
      case TASK ->
          task(
              context,
              TaskState.COMPLETED,
              List.of(artifact(UUID.randomUUID().toString(), draft.text(), metadata)));
    };
  }

  private static void stream(
      RequestContext context, EventQueue queue, LicenseQuestion asked, Draft draft) {
    if (draft.shape() == Shape.TASK) {
      queue.enqueueEvent(task(context, TaskState.SUBMITTED, List.of()));
    }
    String artifactId = UUID.randomUUID().toString();
    List<String> chunks = chunks(draft.text());
    for (int i = 0; i < chunks.size(); i++) {
      boolean first = i == 0;
      if (!first) {
        pause();
      }
      queue.enqueueEvent(
          new TaskArtifactUpdateEvent.Builder()
              .taskId(context.getTaskId())
              .contextId(context.getContextId())
              .artifact(
                  artifact(artifactId, chunks.get(i), first ? evidence(asked, draft) : Map.of()))
              .append(!first)
              .lastChunk(i == chunks.size() - 1)
              .build());
    }
    queue.enqueueEvent(
        new TaskStatusUpdateEvent.Builder()
            .taskId(context.getTaskId())
            .contextId(context.getContextId())
            .status(new TaskStatus(TaskState.COMPLETED))
            .isFinal(true)
            .build());
  }

  private static void pause() throws JSONRPCError {
    try {
      Thread.sleep(CHUNK_PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InternalError("the agent is stopping");
    }
  }

  private static Task task(RequestContext context, TaskState state, List<Artifact> artifacts) {
    return new Task.Builder()
        .id(context.getTaskId())
        .contextId(context.getContextId())
        .status(new TaskStatus(state))
        .artifacts(artifacts)
        .build();
  }

  private static Artifact artifact(String id, String text, Map<String, Object> metadata) {
    Artifact.Builder artifact =
        new Artifact.Builder().artifactId(id).parts(List.of(new TextPart(text)));
    if (!metadata.isEmpty()) {
      artifact.metadata(metadata).extensions(List.copyOf(metadata.keySet()));
    }
    return artifact.build();
  }

  private static Map<String, Object> evidence(LicenseQuestion asked, Draft draft) {
    if (draft.context().isEmpty()) {
      return Map.of();
    }
    // In maps and strings only, because gRPC has no other objects.
    Map<String, Object> evidence = new LinkedHashMap<>();
    evidence.put("question", asked.question());
    evidence.put("context", draft.context().stream().map(DemoJson::members).toList());
    if (!draft.citations().isEmpty()) {
      evidence.put("citations", draft.citations());
    }
    return Map.of(Extensions.EVIDENCE, evidence);
  }

  /**
   * Pieces of {@value #MIN_CHUNK_CHARS} characters or a little more, cut behind blank space; one
   * after the other they are the text.
   */
  static List<String> chunks(String text) {
    List<String> chunks = new ArrayList<>();
    int from = 0;
    for (int at = 1; at < text.length(); at++) {
      if (at - from >= MIN_CHUNK_CHARS && Character.isWhitespace(text.charAt(at - 1))) {
        chunks.add(text.substring(from, at));
        from = at;
      }
    }
    chunks.add(text.substring(from));
    return chunks;
  }

  /**
   * What a message asks. The first line of the first text part is the question. Anything after it,
   * in that part or in further ones, is an instruction how to answer; it asks for a repair if it
   * speaks of citing or of keeping to the material.
   *
   * @param question the question, blank space folded; empty if there is no text
   * @param repairRequested true if the sender wants the last answer mended
   * @param namedPassages ids of pieces that the instruction names
   */
  record LicenseQuestion(String question, boolean repairRequested, Set<String> namedPassages) {
    private static final Pattern LINE_END = Pattern.compile("\\R");
    private static final Pattern PASSAGE_ID = Pattern.compile("\\bc\\d{2,4}\\b");
    private static final Pattern REPAIR =
        Pattern.compile("\\b(?:cite|cites|citing|citation|only|ground|grounded|unsupported)\\b");

    LicenseQuestion {
      namedPassages = Set.copyOf(namedPassages);
    }

    static LicenseQuestion of(Message message) {
      String all = AnsweringAgent.text(message.getParts(), "\n").strip();
      Matcher end = LINE_END.matcher(all);
      int questionEnd = end.find() ? end.start() : all.length();
      String question = all.substring(0, questionEnd).replaceAll("\\s+", " ").strip();
      String instruction = all.substring(questionEnd).toLowerCase(Locale.ROOT);
      Set<String> named =
          PASSAGE_ID.matcher(instruction).results().map(MatchResult::group).collect(toSet());
      boolean repair = !named.isEmpty() || REPAIR.matcher(instruction).find();
      return new LicenseQuestion(question, repair, named);
    }
  }
}
