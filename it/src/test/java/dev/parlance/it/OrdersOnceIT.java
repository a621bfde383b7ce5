package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent that counts orders, behind a sidecar that enforces: whatever becomes of its reports, no
 * order reaches it twice. {@code -Dsoak=10000} makes as many exchanges, the default some hundred.
 */
class OrdersOnceIT {
  private static final int EXCHANGES = Math.max(200, Integer.getInteger("soak", 0));
  private static final long SEED = 36;
  private static final Pattern ORDER = Pattern.compile("order (\\d+)");
  private static final String REPORT = "The transfer was executed at the main bank by the clerk.";

  /** How the agent is spoken to. */
  private enum Binding {
    RPC_10,
    RPC_03,
    REST_10,
    REST_03,
    GRPC_10,
    GRPC_03;

    boolean isOld() {
      return name().endsWith("03");
    }

    boolean isRpc() {
      return name().startsWith("RPC");
    }
  }

  /** What the agent does with its connection. */
  private enum End {
    KEEPS,
    /** It closes without having said so. */
    CLOSES,
    /** It has carried the order out, and dies before it says so. */
    DIES,
    DIES_WITHIN
  }

  /** How the agent calls out for an order that it reports on in a mere message. */
  private enum Call {
    /** Not at all: it carries the order out in its own process. */
    NONE,
    UNDER_ITS_TRACE,
    UNDER_NO_TRACE,
    UNDER_ANOTHER_TRACE,
    TOO_LARGE_TO_READ
  }

  private static final List<String> STATES =
      List.of(
          "SUBMITTED",
          "WORKING",
          "COMPLETED",
          "FAILED",
          "CANCELED",
          "INPUT_REQUIRED",
          "REJECTED",
          "AUTH_REQUIRED");

  /**
   * One exchange.
   *
   * @param state of the task that reports; without, it is a message
   * @param call how the agent calls out, where it reports in a message; without, it is only asked
   *     about the order
   */
  private record Plan(
      int order,
      Binding binding,
      boolean streamed,
      boolean grounded,
      boolean traced,
      Optional<String> state,
      Optional<Call> call,
      int lateMs,
      End end) {
    static Plan of(int order, Binding binding, Random random) {
      boolean task = binding.name().startsWith("GRPC") || random.nextInt(4) > 0;
      return new Plan(
          order,
          binding,
          random.nextBoolean(),
          random.nextInt(4) == 0,
          random.nextInt(4) > 0,
          task ? Optional.of(STATES.get(random.nextInt(STATES.size()))) : Optional.empty(),
          task
              ? Optional.empty()
              : Optional.of(Call.values()[random.nextInt(Call.values().length)]),
          random.nextInt(4),
          End.values()[random.nextInt(12) / 3]);
    }

    String trace() {
      return "00-%032x-00000000000000aa-01".formatted(order + 1);
    }

    private String evidence() {
      return "\"metadata\":{\"%s\":{\"context\":[{\"id\":\"c1\",\"text\":\"%s\"}]}}"
          .formatted(A2a.EVIDENCE, grounded ? REPORT : "The plant in the north stored it.");
    }

    // ---- JSON ----

    byte[] request() {
      String asked =
          state.isEmpty() && call.isEmpty()
              ? "When was order " + order + " of 500 coins carried out?"
              : "Please carry out order " + order + " of 500 coins";
      String text = "\"text\":\"" + asked + "\"";
      String message =
          binding.isOld()
              ? binding.isRpc()
                  ? "{\"message\":{\"kind\":\"message\",\"messageId\":\"m\",\"role\":\"user\",\"parts\":[{\"kind\":\"text\",%s}]}}"
                  : "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"content\":[{%s}]}}"
              : "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{%s}]}}";
      String body = message.formatted(text);
      String path = "/";
      if (binding.isRpc()) {
        String method =
            binding.isOld()
                ? streamed ? "message/stream" : "message/send"
                : streamed ? "SendStreamingMessage" : "SendMessage";
        body =
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":%s}"
                .formatted(method, body);
      } else {
        path = (binding.isOld() ? "/v1" : "") + (streamed ? "/message:stream" : "/message:send");
      }
      String fields =
          (binding.isOld() ? "" : "A2A-Version: 1.0\r\n")
              + (traced ? "traceparent: " + trace() + "\r\n" : "");
      return ("POST %s HTTP/1.1\r\nHost: agent.test\r\nConnection: close\r\n%sContent-Type:"
              + " application/json\r\nContent-Length: %d\r\n\r\n%s")
          .formatted(path, fields, body.length(), body)
          .getBytes(ISO_8859_1);
    }

    private String state(String name) {
      return binding.isOld() && binding.isRpc()
          ? name.toLowerCase(java.util.Locale.ROOT).replace('_', '-')
          : "TASK_STATE_" + name;
    }

    private String kind(String name) {
      return binding.isOld() && binding.isRpc() ? "\"kind\":\"" + name + "\"," : "";
    }

    private String union(String name, String object) {
      String result =
          binding.isOld() && binding.isRpc() ? object : "{\"" + name + "\":" + object + "}";
      return binding.isRpc() ? "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + result + "}" : result;
    }

    private String message() {
      String parts = binding.isOld() && !binding.isRpc() ? "content" : "parts";
      String role = binding.isOld() && binding.isRpc() ? "agent" : "ROLE_AGENT";
      return "{%s\"messageId\":\"a\",\"role\":\"%s\",\"%s\":[{%s\"text\":\"%s\"}],%s}"
          .formatted(kind("message"), role, parts, kind("text"), REPORT, evidence());
    }

    private String artifact() {
      return "{\"artifactId\":\"a\",\"parts\":[{%s\"text\":\"%s\"}],%s}"
          .formatted(kind("text"), REPORT, evidence());
    }

    private String task(String state, String rest) {
      return "{%s\"id\":\"t%d\",\"contextId\":\"x%d\",\"status\":{\"state\":\"%s\"}%s}"
          .formatted(kind("task"), order, order, state(state), rest);
    }

    /** What the agent says, event by event where it streams. */
    List<String> answers() {
      if (state.isEmpty()) {
        return List.of(union(old03Rest() ? "msg" : "message", message()));
      }
      if (!streamed) {
        return List.of(union("task", task(state.get(), ",\"artifacts\":[" + artifact() + "]")));
      }
      String ids = "\"taskId\":\"t%d\",\"contextId\":\"x%d\"".formatted(order, order);
      return List.of(
          union("task", task("SUBMITTED", "")),
          union(
              "artifactUpdate",
              "{%s%s,\"artifact\":%s,\"lastChunk\":true}"
                  .formatted(kind("artifact-update"), ids, artifact())),
          union(
              "statusUpdate",
              "{%s%s,\"status\":{\"state\":\"%s\"}%s}"
                  .formatted(
                      kind("status-update"),
                      ids,
                      state(state.get()),
                      binding.isOld() ? ",\"final\":true" : "")));
    }

    private boolean old03Rest() {
      return binding == Binding.REST_03;
    }

    // ---- protobuf ----

    byte[] proto() {
      Proto text = new Proto().text(1, "Please carry out order " + order + " of 500 coins");
      Proto message = new Proto().text(1, "m").number(4, 1).message(5, text);
      return new Proto().message(binding.isOld() ? 1 : 2, message).bytes();
    }

    /** Without evidence, which the route asks for. */
    List<byte[]> protoAnswers() {
      int number = STATES.indexOf(state.orElseThrow()) + 1;
      Proto part = new Proto().text(1, REPORT);
      Proto artifact = new Proto().text(1, "a").message(binding.isOld() ? 5 : 4, part);
      Proto status = new Proto().number(1, number);
      Proto ids = new Proto().text(1, "t" + order).text(2, "x" + order);
      Proto task = ids.copy().message(3, status).message(4, artifact);
      return streamed
          ? List.of(
              new Proto().message(1, ids.copy().message(3, new Proto().number(1, 1))).bytes(),
              new Proto().message(4, ids.copy().message(3, artifact).number(5, 1)).bytes(),
              new Proto().message(3, ids.copy().message(3, status)).bytes())
          : List.of(new Proto().message(1, task).bytes());
    }
  }

  @TempDir Path folder = Path.of("");

  private final Map<Integer, Plan> plans = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> arrived = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ServerSocket agent;
  private StubAgent bank;
  private Server grpcAgent;
  private LocalSidecar sidecar;
  private LocalSidecar grpcSidecar;

  @BeforeEach
  void start() throws IOException {
    agent = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    threads.execute(this::acceptAll);
    bank = new StubAgent(_ -> StubAgent.Reply.json("{\"booked\":true}"));
    grpcAgent =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .fallbackHandlerRegistry(new Orders())
            .build()
            .start();
    sidecar = sidecar("http", agent.getLocalPort());
    grpcSidecar = sidecar("grpc", grpcAgent.getPort());
  }

  private LocalSidecar sidecar(String name, int port) throws IOException {
    return LocalSidecar.start(
        folder,
        name,
        LocalSidecar.inboundTo(port),
        LocalSidecar.outbound(),
        """
        review: { capacity: 100000 }
        limits: { bodyBytes: 65536 }
        routes:
          - { name: orders, match: { direction: inbound }, grounding: required }
          - { name: out, match: { direction: outbound }, mode: observe }
        """);
  }

  @AfterEach
  void stop() throws Exception {
    sidecar.close();
    grpcSidecar.close();
    grpcAgent.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    bank.close();
    agent.close();
    threads.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void noOrderArrivesTwice(Binding binding) throws Exception {
    Random random = new Random(SEED + binding.ordinal());
    boolean grpc = binding.name().startsWith("GRPC");
    for (int i = 0; i < EXCHANGES / Binding.values().length; i++) {
      Plan plan = Plan.of(i, binding, random);
      plans.put(i, plan);
      if (grpc) {
        callGrpc(plan);
      } else {
        call(plan);
      }
    }

    assertThat(arrived.entrySet().stream().filter(order -> order.getValue() > 1))
        .as("orders that arrived more than once")
        .extracting(order -> plans.get(order.getKey()) + " x " + order.getValue())
        .isEmpty();
    assertThat(arrived).hasSizeGreaterThan(EXCHANGES / Binding.values().length * 9 / 10);
  }

  /** What says nothing but words is asked for again, over a connection that lives. */
  @Test
  void words_areAskedForAgain_alsoWhereTheAgentClosesWithoutSayingSo() throws Exception {
    for (int i = 0; i < 24; i++) {
      Plan words =
          new Plan(
              i,
              Binding.RPC_10,
              false,
              false,
              true,
              Optional.empty(),
              Optional.empty(),
              0,
              End.CLOSES);
      plans.put(i, words);

      String told = call(words);

      assertThat(arrived.get(i)).as(told).isEqualTo(2);
      assertThat(told).doesNotContain("origin_closed").contains("held for a person");
    }
  }

  /** A call that nobody reads, because of its size, is an act as any other. */
  @Test
  void callThatGoesOnUnread_countsAsAnAct() throws Exception {
    for (int i = 0; i < 4; i++) {
      Plan plan =
          new Plan(
              i,
              Binding.RPC_10,
              false,
              false,
              true,
              Optional.empty(),
              Optional.of(i % 2 == 0 ? Call.TOO_LARGE_TO_READ : Call.UNDER_ITS_TRACE),
              0,
              End.KEEPS);
      plans.put(i, plan);

      String told = call(plan);

      assertThat(arrived.get(i)).as(told).isEqualTo(1);
    }
  }

  private String call(Plan plan) throws IOException {
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(plan.request());
      return client.rest();
    } catch (SocketException reset) {
      return "reset";
    }
  }

  private void callGrpc(Plan plan) throws InterruptedException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", grpcSidecar.inbound()).usePlaintext().build();
    try {
      String service = plan.binding().isOld() ? "a2a.v1.A2AService/" : "lf.a2a.v1.A2AService/";
      CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS);
      if (plan.streamed()) {
        ClientCalls.blockingServerStreamingCall(
                channel, method(service + "SendStreamingMessage"), soon, plan.proto())
            .forEachRemaining(_ -> {});
      } else {
        byte[] _ =
            ClientCalls.blockingUnaryCall(
                channel, method(service + "SendMessage"), soon, plan.proto());
      }
    } catch (StatusRuntimeException told) {
      assertThat(told.getStatus().getCode()).isNotEqualTo(Status.Code.DEADLINE_EXCEEDED);
    } finally {
      channel.shutdownNow();
      boolean _ = channel.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private Plan arrives(String request) {
    Matcher order = ORDER.matcher(request);
    assertThat(order.find()).as(request).isTrue();
    int number = Integer.parseInt(order.group(1));
    arrived.merge(number, 1, Integer::sum);
    return plans.get(number);
  }

  // ---- the agent over HTTP/1.1 ----

  private void acceptAll() {
    while (!agent.isClosed()) {
      try {
        Socket socket = agent.accept();
        threads.execute(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Optional<HttpBytes> request = HttpBytes.readRequest(in);
      while (request.isPresent()) {
        Plan plan = arrives(request.get().text());
        if (plan.call().filter(call -> call != Call.NONE).isPresent()) {
          callOut(plan, plan.call().get());
        }
        Thread.sleep(plan.lateMs());
        if (plan.end() == End.DIES) {
          return;
        }
        byte[] answer = answer(plan);
        int length = plan.end() == End.DIES_WITHIN ? answer.length - 40 : answer.length;
        socket.getOutputStream().write(answer, 0, length);
        if (plan.end() != End.KEEPS) {
          return;
        }
        request = HttpBytes.readRequest(in);
      }
    } catch (IOException gone) {
      // the sidecar has closed the connection
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] answer(Plan plan) {
    String body =
        plan.streamed()
            ? plan.answers().stream()
                .map(event -> "data: " + event + "\n\n")
                .collect(Collectors.joining())
            : plan.answers().getFirst();
    return "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(plan.streamed() ? "text/event-stream" : "application/json", body.length(), body)
        .getBytes(ISO_8859_1);
  }

  /** The agent carries the order out through its own sidecar. */
  private void callOut(Plan plan, Call call) throws IOException {
    String field =
        switch (call) {
          case UNDER_ITS_TRACE, TOO_LARGE_TO_READ ->
              plan.traced() ? "traceparent: " + plan.trace() + "\r\n" : "";
          case NONE, UNDER_NO_TRACE -> "";
          case UNDER_ANOTHER_TRACE ->
              "traceparent: 00-ffffffffffffffffffffffff%08x-00000000000000aa-01\r\n"
                  .formatted(plan.order());
        };
    String body =
        call == Call.TOO_LARGE_TO_READ
            ? "{\"coins\": \"" + "5".repeat(70_000) + "\"}"
            : "{\"coins\": \"500\"}";
    try (RawHttp client = new RawHttp(sidecar.outboundPort())) {
      client.send(
          ("POST /transfer HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%sConnection: close\r\nContent-Type:"
                  + " application/json\r\nContent-Length: %d\r\n\r\n%s")
              .formatted(bank.port(), field, body.length(), body));
      assertThat(client.reply().text()).contains("booked");
    }
  }

  // ---- the agent over gRPC ----

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.newBuilder(ByteMessages.AS_SENT, ByteMessages.AS_SENT)
        .setFullMethodName(name)
        .setType(name.endsWith("SendMessage") ? MethodType.UNARY : MethodType.SERVER_STREAMING)
        .build();
  }

  private final class Orders extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
      return ServerMethodDefinition.create(
          method(name),
          name.endsWith("SendMessage")
              ? ServerCalls.asyncUnaryCall(this::answer)
              : ServerCalls.asyncServerStreamingCall(this::answer));
    }

    private void answer(byte[] request, StreamObserver<byte[]> caller) {
      Plan plan = arrives(new String(request, UTF_8));
      List<byte[]> answers = plan.protoAnswers();
      for (byte[] answer : answers) {
        if (plan.end() != End.DIES) {
          caller.onNext(answer);
        }
      }
      if (plan.end() == End.DIES || plan.end() == End.DIES_WITHIN) {
        caller.onError(Status.UNAVAILABLE.withDescription("dead").asRuntimeException());
      } else {
        caller.onCompleted();
      }
    }
  }

  /** Protobuf as it is on the wire; every length is below 128 or written in two bytes. */
  private static final class Proto {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Proto text(int field, String text) {
      return add(field, text.getBytes(UTF_8));
    }

    Proto message(int field, Proto message) {
      return add(field, message.bytes());
    }

    Proto number(int field, int value) {
      out.write(field << 3);
      out.write(value);
      return this;
    }

    Proto copy() {
      Proto copy = new Proto();
      copy.out.writeBytes(bytes());
      return copy;
    }

    private Proto add(int field, byte[] bytes) {
      out.write((field << 3) | 2);
      if (bytes.length > 127) {
        out.write((bytes.length & 127) | 128);
        out.write(bytes.length >> 7);
      } else {
        out.write(bytes.length);
      }
      out.writeBytes(bytes);
      return this;
    }

    byte[] bytes() {
      return out.toByteArray();
    }
  }
}
