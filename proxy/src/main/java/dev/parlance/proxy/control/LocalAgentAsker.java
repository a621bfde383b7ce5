package dev.parlance.proxy.control;

import dev.parlance.policy.text.Sha256;
import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.control.A2aAnswer.Reading;
import dev.parlance.proxy.control.AgentAnswer.Failed;
import dev.parlance.proxy.control.AgentAnswer.Failure;
import dev.parlance.proxy.control.AgentAnswer.Said;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts questions to the local agent over A2A JSON-RPC, v0.3 or v1.0. A client of its own, not the
 * message path's: audit questions are judged by nobody, and may take neither connections nor event
 * loops from messages. At most {@value #CONCURRENT} are under way at a time; redirects are not
 * followed.
 */
public final class LocalAgentAsker implements AgentAnswer.AgentAsker {
  static final int CONCURRENT = 4;

  /** Questions that wait or are under way; a further one is given up at once. */
  static final int MAX_WAITING = 256;

  /** Largest response that is read, in bytes. */
  static final int MAX_ANSWER_BYTES = 1 << 20;

  private static final int CONNECT_MS = 2_000;
  private static final int FIRST_LOOK_MS = 100;
  private static final int LAST_LOOK_MS = 2_000;
  private static final int MAX_LOOKS = 64;
  private static final int NS_PER_MS = 1_000_000;

  private final LocalAgent agent;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("parlance-ask-", 0).factory());
  private final ExecutorService exchanges = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client;
  private final Semaphore underWay = new Semaphore(CONCURRENT);
  private final Semaphore room = new Semaphore(MAX_WAITING);
  private final AtomicReference<Optional<A2aDialect>> known;

  public LocalAgentAsker(LocalAgent agent) {
    this.agent = agent;
    this.known = new AtomicReference<>(configured(agent));
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(Duration.ofMillis(CONNECT_MS))
            .executor(exchanges)
            .build();
  }

  private static Optional<A2aDialect> configured(LocalAgent agent) {
    return switch (agent.protocol()) {
      case AUTO -> Optional.empty();
      case V0_3 -> Optional.of(A2aDialect.V0_3);
      case V1_0 -> Optional.of(A2aDialect.V1_0);
    };
  }

  @Override
  public CompletableFuture<AgentAnswer> ask(String id, AgentQuestion question, long timeoutMs) {
    Deadline deadline = new Deadline(Math.min(timeoutMs, agent.timeoutMs()));
    if (!room.tryAcquire()) {
      return CompletableFuture.completedFuture(
          deadline.failed(Failure.TIMEOUT, MAX_WAITING + " questions wait already"));
    }
    Supplier<AgentAnswer> work =
        () -> {
          try {
            return inTurn(id, question, deadline);
          } finally {
            room.release();
          }
        };
    try {
      return CompletableFuture.supplyAsync(work, threads);
    } catch (RejectedExecutionException e) {
      room.release();
      return CompletableFuture.completedFuture(deadline.failed(Failure.TIMEOUT, "closing"));
    }
  }

  /** Time that is left, from the moment the question came. */
  private static final class Deadline {
    private final long beganNs = System.nanoTime();
    private final long timeoutMs;

    Deadline(long timeoutMs) {
      this.timeoutMs = timeoutMs;
    }

    long tookMs() {
      return (System.nanoTime() - beganNs) / NS_PER_MS;
    }

    long leftMs() {
      return Math.max(0, timeoutMs - tookMs());
    }

    Failed failed(Failure failure, String detail) {
      return new Failed(failure, detail, tookMs());
    }
  }

  private AgentAnswer inTurn(String id, AgentQuestion question, Deadline deadline) {
    try {
      if (!underWay.tryAcquire(deadline.leftMs(), TimeUnit.MILLISECONDS)) {
        return deadline.failed(Failure.TIMEOUT, "waited for other questions");
      }
      try {
        return put(id, question, deadline);
      } finally {
        underWay.release();
      }
    } catch (TimeoutException e) {
      return deadline.failed(Failure.TIMEOUT, "no answer in " + deadline.timeoutMs + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return deadline.failed(Failure.TIMEOUT, "closing");
    } catch (IOException e) {
      return deadline.failed(Failure.AGENT_UNREACHABLE, String.valueOf(e.getMessage()));
    }
  }

  private AgentAnswer put(String id, AgentQuestion question, Deadline deadline)
      throws IOException, InterruptedException, TimeoutException {
    Optional<A2aDialect> dialect = dialect(deadline);
    if (dialect.isEmpty()) {
      return deadline.failed(
          Failure.AGENT_UNREACHABLE, "its card offers no JSON-RPC of A2A 1.0 or 0.3");
    }
    A2aDialect spoken = dialect.get();
    A2aAnswer reader = new A2aAnswer(spoken, question.kind());
    String messageId = UUID.randomUUID().toString();
    Response response = post(spoken, spoken.ask(id, messageId, question), deadline);
    Reading reading = response.read(body -> reader.asked(body, id));
    int waitMs = FIRST_LOOK_MS;
    for (int looks = 0; reading instanceof Reading.Working(String taskId); looks++) {
      if (looks == MAX_LOOKS || waitMs >= deadline.leftMs()) {
        return deadline.failed(Failure.TIMEOUT, "the task was not finished in time");
      }
      TimeUnit.MILLISECONDS.sleep(waitMs);
      waitMs = Math.min(2 * waitMs, LAST_LOOK_MS);
      String lookId = id + "#" + (looks + 1);
      response = post(spoken, spoken.look(lookId, taskId), deadline);
      reading = response.read(body -> reader.looked(body, lookId));
    }
    return answer(reading, response, deadline);
  }

  private AgentAnswer answer(Reading reading, Response response, Deadline deadline) {
    return switch (reading) {
      case Reading.Word(String word, AgentAnswer.Form form) ->
          new Said(word, form, Sha256.hex(response.body().orElseThrow()), deadline.tookMs());
      case Reading.Refused(String detail, boolean wrongDialect) -> {
        if (wrongDialect) {
          forgetCard();
        }
        yield deadline.failed(Failure.AGENT_REFUSED, detail);
      }
      case Reading.Unreadable(String detail) ->
          deadline.failed(
              response.status() >= 500 ? Failure.AGENT_UNREACHABLE : Failure.UNREADABLE_ANSWER,
              detail);
      case Reading.Working(String taskId) ->
          throw new IllegalStateException("task " + taskId + " is still looked at");
    };
  }

  private Optional<A2aDialect> dialect(Deadline deadline)
      throws IOException, InterruptedException, TimeoutException {
    Optional<A2aDialect> before = known.get();
    if (before.isPresent()) {
      return before;
    }
    Response card =
        send(
            HttpRequest.newBuilder(AgentCard.at(agent.url()))
                .header("Accept", "application/json")
                .GET(),
            deadline);
    Optional<A2aDialect> read =
        card.status() == 200 ? card.body().flatMap(AgentCard::dialect) : Optional.empty();
    read.ifPresent(_ -> known.set(read));
    return read;
  }

  private void forgetCard() {
    known.set(configured(agent));
  }

  private Response post(A2aDialect dialect, ObjectNode body, Deadline deadline)
      throws IOException, InterruptedException, TimeoutException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(agent.url())
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(StrictJson.write(body)));
    for (Map.Entry<String, String> field : dialect.fields().entrySet()) {
      request.header(field.getKey(), field.getValue());
    }
    Response response = send(request, deadline);
    if (response.status() == 404 || response.status() == 405) {
      forgetCard();
    }
    return response;
  }

  /**
   * A response.
   *
   * @param status its HTTP status
   * @param body empty if it was too large
   */
  private record Response(int status, Optional<byte[]> body) {
    Reading read(Function<byte[], Reading> reader) {
      if (body.isEmpty()) {
        return new Reading.Unreadable("more than " + MAX_ANSWER_BYTES + " bytes");
      }
      if (status == 200) {
        return reader.apply(body.get());
      }
      return status >= 500
          ? new Reading.Unreadable("HTTP status " + status)
          : new Reading.Refused("HTTP status " + status, false);
    }
  }

  private Response send(HttpRequest.Builder request, Deadline deadline)
      throws IOException, InterruptedException, TimeoutException {
    CompletableFuture<HttpResponse<Optional<byte[]>>> sent =
        client.sendAsync(request.build(), _ -> new BoundedBody(MAX_ANSWER_BYTES));
    try {
      HttpResponse<Optional<byte[]>> response = sent.get(deadline.leftMs(), TimeUnit.MILLISECONDS);
      return new Response(response.statusCode(), response.body());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException("the request failed", e.getCause());
    } finally {
      sent.cancel(true);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow(); // whoever waits is interrupted and cancels its exchange
    threads.close();
    client.shutdownNow();
    client.close();
    exchanges.close();
  }

  /**
   * Which version of A2A an agent's card offers over JSON-RPC. Only the version is read: the
   * addresses in a card are those that others use, which lead to the sidecar itself.
   */
  static final class AgentCard {
    private static final String JSONRPC = "JSONRPC";

    private AgentCard() {}

    /** Where the card of an agent is: at the origin of its endpoint. */
    static URI at(URI endpoint) {
      return endpoint.resolve("/.well-known/agent-card.json");
    }

    /** The newest version that the card offers and we speak. */
    static Optional<A2aDialect> dialect(byte[] body) {
      Optional<JsonNode> json = StrictJson.read(body);
      if (json.isEmpty()) {
        return Optional.empty();
      }
      JsonNode card = json.get();
      Set<String> versions = new HashSet<>();
      for (JsonNode offered : card.path("supportedInterfaces")) {
        if (offered.path("protocolBinding").asString("").equals(JSONRPC)) {
          versions.add(major(offered.path("protocolVersion").asString("")));
        }
      }
      if (card.path("preferredTransport").asString(JSONRPC).equals(JSONRPC)) {
        versions.add(major(card.path("protocolVersion").asString("")));
      }
      for (JsonNode offered : card.path("additionalInterfaces")) {
        if (offered.path("transport").asString("").equals(JSONRPC)) {
          versions.add(major(card.path("protocolVersion").asString("")));
        }
      }
      for (A2aDialect dialect : A2aDialect.newestFirst()) {
        if (versions.contains(
            switch (dialect) {
              case V0_3 -> "0.3";
              case V1_0 -> "1.0";
            })) {
          return Optional.of(dialect);
        }
      }
      return Optional.empty();
    }

    /** The first two numbers: 0.3.0 is spoken as 0.3. */
    private static String major(String version) {
      String[] numbers = version.split("\\.", -1);
      return numbers.length < 2 ? version : numbers[0] + "." + numbers[1];
    }
  }

  /** Collects a response body up to a limit; past it there is none, and the rest is not read. */
  static final class BoundedBody implements HttpResponse.BodySubscriber<Optional<byte[]>> {
    private final int maxBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<Optional<byte[]>> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    BoundedBody(int maxBytes) {
      this.maxBytes = maxBytes;
    }

    @Override
    public CompletionStage<Optional<byte[]>> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        if (body.isDone()) {
          return;
        }
        if (bytes.size() + buffer.remaining() > maxBytes) {
          if (subscription != null) {
            subscription.cancel();
          }
          body.complete(Optional.empty());
          return;
        }
        byte[] chunk = new byte[buffer.remaining()];
        buffer.get(chunk);
        bytes.writeBytes(chunk);
      }
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      body.complete(Optional.of(bytes.toByteArray()));
    }
  }
}
