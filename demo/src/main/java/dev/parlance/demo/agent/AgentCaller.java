package dev.parlance.demo.agent;

import io.a2a.A2A;
import io.a2a.client.Client;
import io.a2a.client.ClientEvent;
import io.a2a.client.MessageEvent;
import io.a2a.client.TaskEvent;
import io.a2a.client.TaskUpdateEvent;
import io.a2a.client.config.ClientConfig;
import io.a2a.client.http.JdkA2AHttpClient;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransportConfig;
import io.a2a.spec.AgentCard;
import io.a2a.spec.Artifact;
import io.a2a.spec.Message;
import io.a2a.spec.Part;
import io.a2a.spec.Task;
import io.a2a.spec.TaskState;
import io.a2a.spec.TextPart;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends text to one agent with the SDK's own client and HTTP client. Where the JVM has a proxy
 * configured, the HTTP client uses it by itself; nothing here knows about sidecars.
 */
public final class AgentCaller implements AutoCloseable {
  private final Client client;
  private final long answerTimeoutMs;
  // The SDK's HTTP client sets no time limit of its own, so calls run on threads that can be left.
  private final ExecutorService threads;

  private AgentCaller(Client client, long answerTimeoutMs, ExecutorService threads) {
    this.client = client;
    this.answerTimeoutMs = answerTimeoutMs;
    this.threads = threads;
  }

  /** What came of looking an agent up. */
  public sealed interface Lookup {
    /**
     * Found.
     *
     * @param caller sends to it; to be closed
     */
    record Found(AgentCaller caller) implements Lookup {}

    /**
     * Not found.
     *
     * @param why what the client says
     */
    record Missing(String why) implements Lookup {}
  }

  /** Reads the card at {@code baseUrl} and follows it. */
  public static Lookup find(String baseUrl, long answerTimeoutMs) {
    return find(baseUrl, "", answerTimeoutMs);
  }

  /**
   * Reads the card at {@code baseUrl} and sends to {@code path} below the address that it names.
   */
  public static Lookup find(String baseUrl, String path, long answerTimeoutMs) {
    JdkA2AHttpClient http = new JdkA2AHttpClient();
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    Future<Client> client =
        threads.submit(() -> {
          AgentCard read = A2A.getAgentCard(http, baseUrl);
          AgentCard card = new AgentCard.Builder(read).url(read.url() + path).build();
          return Client.builder(card)
              .clientConfig(ClientConfig.builder().setStreaming(false).build())
              .withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig(http))
              .build();
        });
    try {
      return new Lookup.Found(
          new AgentCaller(
              client.get(answerTimeoutMs, TimeUnit.MILLISECONDS), answerTimeoutMs, threads));
    } catch (ExecutionException | TimeoutException e) {
      threads.shutdownNow();
      return new Lookup.Missing(describe(e));
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      return new Lookup.Missing("interrupted");
    }
  }

  /** Sends {@code text} within the conversation {@code contextId} and waits for what comes back. */
  public Reply send(String text, String contextId) {
    CompletableFuture<ClientEvent> event = new CompletableFuture<>();
    Future<?> call =
        threads.submit(() -> {
          try {
            client.sendMessage(
                A2A.createUserTextMessage(text, contextId, null),
                List.of((received, card) -> event.complete(received)),
                event::completeExceptionally,
                null);
          } catch (RuntimeException e) {
            event.completeExceptionally(e);
          }
        });
    try {
      return reply(event.get(answerTimeoutMs, TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException e) {
      Optional<Reply> refused = Refusal.in(e);
      return refused.orElseGet(() -> new Reply.Failed(describe(e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Failed("interrupted");
    } finally {
      call.cancel(true);
    }
  }

  private static Reply reply(ClientEvent event) {
    return switch (event) {
      case MessageEvent message -> reply(message.getMessage());
      case TaskEvent task -> reply(task.getTask());
      case TaskUpdateEvent update -> reply(update.getTask());
      default -> new Reply.Failed("unknown event " + event.getClass().getSimpleName());
    };
  }

  private static Reply reply(Message message) {
    Map<String, Object> metadata = orEmpty(message.getMetadata());
    return new Reply.Answered(text(message.getParts()), "message", Verdict.in(metadata), metadata);
  }

  private static Reply reply(Task task) {
    String state = task.getStatus().state().asString();
    Verdict verdict = Verdict.in(orEmpty(task.getMetadata()));
    if (task.getStatus().state() != TaskState.COMPLETED) {
      Message why = task.getStatus().message();
      if (why == null) {
        return new Reply.Withheld("", state, verdict);
      }
      return new Reply.Withheld(
          text(why.getParts()),
          state,
          verdict.isPresent() ? verdict : Verdict.in(orEmpty(why.getMetadata())));
    }
    Map<String, Object> metadata = orEmpty(task.getMetadata());
    StringBuilder text = new StringBuilder();
    for (Artifact artifact : task.getArtifacts()) {
      text.append(text(artifact.parts()));
      if (!verdict.isPresent()) {
        metadata = orEmpty(artifact.metadata());
        verdict = Verdict.in(metadata);
      }
    }
    return new Reply.Answered(text.toString(), state, verdict, metadata);
  }

  private static String text(List<Part<?>> parts) {
    return parts.stream()
        .filter(TextPart.class::isInstance)
        .map(part -> ((TextPart) part).getText())
        .collect(Collectors.joining("\n"));
  }

  private static Map<String, Object> orEmpty(@Nullable Map<String, Object> metadata) {
    return metadata == null ? Map.of() : metadata;
  }

  private static String describe(Exception e) {
    if (e instanceof TimeoutException) {
      return "no answer in time";
    }
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }

  @Override
  public void close() {
    client.close();
    threads.shutdownNow();
  }
}
