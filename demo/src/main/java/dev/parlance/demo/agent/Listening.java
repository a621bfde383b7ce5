package dev.parlance.demo.agent;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.parlance.demo.agent.AgentCaller.Heard;
import dev.parlance.demo.agent.AgentReply.ReceivedVerdict;
import dev.parlance.demo.agent.Talk.Delivery;
import io.a2a.client.ClientEvent;
import io.a2a.client.MessageEvent;
import io.a2a.client.TaskEvent;
import io.a2a.client.TaskUpdateEvent;
import io.a2a.spec.Artifact;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import io.a2a.spec.Task;
import io.a2a.spec.TaskArtifactUpdateEvent;
import io.a2a.spec.TaskState;
import io.a2a.spec.TaskStatusUpdateEvent;
import io.a2a.spec.UpdateEvent;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Hears the events of one call until its answer is whole. Events come one after the other. */
final class Listening {
  private static final String PLAIN_INSTRUCTION =
      "Answer again, only from the given material, and cite it.";

  private final Delivery delivery;
  private final long beganNs = System.nanoTime();
  private final CompletableFuture<AgentReply> reply = new CompletableFuture<>();
  private final Map<String, Object> metadata = new HashMap<>();
  private Optional<Receipt.StreamTiming> stream = Optional.empty();

  Listening(Delivery delivery) {
    this.delivery = delivery;
  }

  synchronized void event(ClientEvent event) {
    switch (event) {
      case MessageEvent message -> {
        note(true);
        reply.complete(reply(message.getMessage()));
      }
      case TaskEvent task -> {
        note(hasWords(task.getTask()));
        gather(task.getTask());
        if (delivery == Delivery.WHOLE || isSettled(task.getTask())) {
          reply.complete(reply(task.getTask()));
        }
      }
      case TaskUpdateEvent update -> update(update.getTask(), update.getUpdateEvent());
      default -> failed(new IllegalStateException("unknown event " + event.getClass()));
    }
  }

  private void update(Task task, UpdateEvent event) {
    switch (event) {
      case TaskArtifactUpdateEvent chunk -> {
        note(true);
        gather(chunk.getArtifact().metadata());
        gather(chunk.getMetadata());
      }
      case TaskStatusUpdateEvent status -> {
        note(false);
        Message why = status.getStatus().message();
        gather(why == null ? null : why.getMetadata());
        gather(status.getMetadata());
        if (status.isFinal() || isSettled(task)) {
          reply.complete(reply(task));
        }
      }
      default -> failed(new IllegalStateException("unknown update " + event.getClass()));
    }
  }

  /** A held answer works on until a person has decided, which nobody here waits for. */
  private boolean isSettled(Task task) {
    TaskState state = task.getStatus().state();
    return state.isFinal()
        || state == TaskState.INPUT_REQUIRED
        || state == TaskState.AUTH_REQUIRED
        || metadata.containsKey(Extensions.REVIEW_ID);
  }

  private static boolean hasWords(Task task) {
    return task.getArtifacts() != null && !task.getArtifacts().isEmpty();
  }

  private void note(boolean words) {
    if (delivery == Delivery.WHOLE) {
      return;
    }
    long nowMs = (System.nanoTime() - beganNs) / 1_000_000;
    OptionalLong wordsMs = words ? OptionalLong.of(nowMs) : OptionalLong.empty();
    stream =
        Optional.of(
            stream
                .map(so ->
                    new Receipt.StreamTiming(
                        so.events() + 1,
                        so.firstMs(),
                        so.wordsMs().isPresent() ? so.wordsMs() : wordsMs,
                        nowMs))
                .orElseGet(() -> new Receipt.StreamTiming(1, nowMs, wordsMs, nowMs)));
  }

  /** The call failed; the SDK says {@code null} where a stream simply ended. */
  synchronized void failed(@Nullable Throwable failure) {
    reply.completeExceptionally(
        failure == null
            ? new IllegalStateException("the stream ended before the answer was whole")
            : failure);
  }

  /** Waits for the answer. */
  Heard await(long timeoutMs) {
    AgentReply came = awaitReply(timeoutMs);
    synchronized (this) {
      return new Heard(came, stream);
    }
  }

  private AgentReply awaitReply(long timeoutMs) {
    try {
      return reply.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      Optional<AgentReply> refused = SentBack.in(e);
      return refused.orElseGet(() -> new AgentReply.Failed(describe(e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new AgentReply.Failed("interrupted");
    }
  }

  private static AgentReply reply(Message message) {
    Map<String, Object> metadata = message.getMetadata() == null ? Map.of() : message.getMetadata();
    return new AgentReply.Answered(
        AnsweringAgent.text(message.getParts(), "\n"),
        "message",
        ReceivedVerdict.in(metadata),
        metadata);
  }

  /** Verdicts stand on the task, the artifact or an event; the last one counts. */
  private void gather(Task task) {
    if (task.getArtifacts() != null) {
      task.getArtifacts().forEach(artifact -> gather(artifact.metadata()));
    }
    Message why = task.getStatus().message();
    gather(why == null ? null : why.getMetadata());
    gather(task.getMetadata());
  }

  private void gather(@Nullable Map<String, Object> found) {
    if (found != null) {
      metadata.putAll(found);
    }
  }

  private AgentReply reply(Task task) {
    String state = task.getStatus().state().asString();
    ReceivedVerdict verdict = ReceivedVerdict.in(metadata);
    if (task.getStatus().state() == TaskState.COMPLETED) {
      String said =
          task.getArtifacts().stream()
              .map(Artifact::parts)
              // The chunks of an artifact follow each other without a break.
              .map(parts -> AnsweringAgent.text(parts, ""))
              .collect(Collectors.joining("\n"));
      return new AgentReply.Answered(said, state, verdict, metadata);
    }
    Message why = task.getStatus().message();
    return new AgentReply.Withheld(
        why == null ? "" : AnsweringAgent.text(why.getParts(), "\n"),
        state,
        verdict,
        repair(task.getStatus().state()));
  }

  /**
   * What to change. A task that a sidecar has made fail may be asked for again; its verdict may be
   * that of another sidecar on the way, so the reason beside it counts.
   */
  private Optional<String> repair(TaskState state) {
    if (metadata.get(Extensions.REPAIR) instanceof String repair) {
      return Optional.of(repair);
    }
    return state == TaskState.FAILED && metadata.containsKey(Extensions.CODE)
        ? Optional.of(PLAIN_INSTRUCTION)
        : Optional.empty();
  }

  static String describe(Exception e) {
    if (e instanceof TimeoutException) {
      return "no answer in time";
    }
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }

  /**
   * A message that a sidecar sent back to its author: an error whose details hold the verdict and
   * what to change. JSON-RPC has them in the error's data, gRPC in a trailer.
   */
  static final class SentBack {
    private static final Metadata.Key<byte[]> DETAILS =
        Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private SentBack() {}

    /** What the sidecar said; empty if the call failed for another reason. */
    static Optional<AgentReply> in(Exception failure) {
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        if (cause instanceof JSONRPCError error && error.getData() instanceof List<?> details) {
          return details.stream().flatMap(detail -> in(error, detail).stream()).findFirst();
        }
        if (cause instanceof StatusRuntimeException error && error.getTrailers() != null) {
          byte[] details = error.getTrailers().get(DETAILS);
          return details == null ? Optional.empty() : in(details);
        }
      }
      return Optional.empty();
    }

    private static Optional<AgentReply> in(JSONRPCError error, Object detail) {
      return detail instanceof Map<?, ?> struct
              && struct.get("value") instanceof Map<?, ?> value
              && value.get("verdict") instanceof Map<?, ?> verdict
          ? Optional.of(
              new AgentReply.Withheld(
                  String.valueOf(error.getMessage()),
                  "error",
                  ReceivedVerdict.of(verdict, Optional.empty()),
                  Optional.ofNullable(value.get("repair")).map(Object::toString)))
          : Optional.empty();
    }

    private static Optional<AgentReply> in(byte[] details) {
      try {
        Status status = Status.parseFrom(details);
        for (Any detail : status.getDetailsList()) {
          if (detail.is(ErrorInfo.class)) {
            return in(status.getMessage(), detail.unpack(ErrorInfo.class).getMetadataMap());
          }
        }
      } catch (InvalidProtocolBufferException e) {
        // Details of another kind say nothing here; the caller goes by the error itself.
      }
      return Optional.empty();
    }

    private static Optional<AgentReply> in(String message, Map<String, String> info) {
      if (!info.containsKey("route")) {
        return Optional.empty();
      }
      Map<String, Object> verdict = new HashMap<>(info);
      verdict.put("reasons", Optional.ofNullable(info.get("code")).map(List::of).orElse(List.of()));
      return Optional.of(
          new AgentReply.Withheld(
              message,
              "error",
              ReceivedVerdict.of(verdict, Optional.ofNullable(info.get("reviewId"))),
              Optional.ofNullable(info.get("repair"))));
    }
  }
}
