import io.a2a.A2A;
import io.a2a.client.http.JdkA2AHttpClient;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.rest.RestTransport;
import io.a2a.client.transport.spi.ClientTransport;
import io.a2a.client.transport.spi.interceptors.ClientCallContext;
import io.a2a.jsonrpc.common.json.JsonUtil;
import io.a2a.spec.AgentCard;
import io.a2a.spec.AgentInterface;
import io.a2a.spec.ListTasksParams;
import io.a2a.spec.Message;
import io.a2a.spec.MessageSendParams;
import io.a2a.spec.Task;
import io.a2a.spec.TaskIdParams;
import io.a2a.spec.TaskQueryParams;
import io.a2a.spec.TaskStatusUpdateEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The A2A Java SDK 1.0 (A2A v1.0) over JSON-RPC and HTTP+JSON. Arguments: the agent's base address
 * the port of an outbound sidecar (0: none), the agent's own port, and {@code whole} to leave out
 * files. Prints {@code transport TAB scenario TAB JSON} lines. This SDK shares its package names
 * with 0.3, so it runs with a class path of its own.
 */
public final class A2aV10Client {
  /** The conversation of messages that name none; null if they have none. */
  private static final String CONTEXT = System.getenv("A2A_CONTEXT");

  private static final long LIMIT_S = 10;

  /** This release does not say by itself which version it speaks. */
  private static final ClientCallContext V1 =
      new ClientCallContext(Map.of(), Map.of("A2A-Version", "1.0"));

  private static int asked;
  private static boolean whole;

  private final ClientTransport transport;
  private final String name;

  private A2aV10Client(ClientTransport transport, String name) {
    this.transport = transport;
    this.name = name;
  }

  public static void main(String[] args) throws Exception {
    whole = args.length > 3 && args[3].equals("whole");
    if (!args[1].equals("0")) {
      System.setProperty("http.proxyHost", "127.0.0.1");
      System.setProperty("http.proxyPort", args[1]);
      System.setProperty("http.nonProxyHosts", "");
    }
    JdkA2AHttpClient http = new JdkA2AHttpClient();
    AgentCard card =
        A2A.getAgentCard(
            http, args[0], "/.well-known/agent-card.json", Map.of("A2A-Version", "1.0"));
    print("card", "card", json(card));
    AgentInterface rpc = interfaceOf(card, "JSONRPC");
    AgentInterface rest = interfaceOf(card, "HTTP+JSON");
    new A2aV10Client(new JSONRPCTransport(http, card, rpc, List.of()), "JSONRPC").all();
    new A2aV10Client(new RestTransport(http, card, rest, List.of()), "HTTP+JSON").all();
    System.exit(0);
  }

  private static AgentInterface interfaceOf(AgentCard card, String binding) {
    return card.supportedInterfaces().stream()
        .filter(one -> one.protocolBinding().equals(binding))
        .filter(one -> one.protocolVersion().equals("1.0"))
        .findFirst()
        .orElseThrow();
  }

  private void all() {
    run("message", () -> transport.sendMessage(ask("message please", null), V1));
    run("task", () -> transport.sendMessage(ask("task please", null), V1));
    if (!whole) {
      run("parts", () -> transport.sendMessage(ask("parts please", null), V1));
    }
    run("rejected", () -> transport.sendMessage(ask("reject please", null), V1));
    run("agent fails", () -> transport.sendMessage(ask("fail please", null), V1));
    run("stream", () -> stream("stream please", false));
    run("stream of one message", () -> stream("message please", false));
    run("cancel a running stream", () -> stream("slow please", true));
    run(
        "get",
        () -> {
          Task task = (Task) transport.sendMessage(ask("task please", null), V1);
          return transport.getTask(new TaskQueryParams(task.id()), V1);
        });
    run(
        "list",
        () -> {
          String context = "context-of-java-" + name;
          transport.sendMessage(ask("task please", context), V1);
          return transport
              .listTasks(
                  ListTasksParams.builder()
                      .contextId(context)
                      .pageSize(1)
                      .includeArtifacts(true)
                      .tenant("")
                      .build(),
                  V1)
              .tasks();
        });
    run("task not found", () -> transport.getTask(new TaskQueryParams("no-such-task", 1), V1));
  }

  private static MessageSendParams ask(String text, String contextId) {
    Message message =
        Message.builder(A2A.toUserMessage(text, "user-" + ++asked))
            .contextId(contextId == null ? CONTEXT : contextId)
            .build();
    return MessageSendParams.builder().message(message).build();
  }

  private List<Object> stream(String text, boolean cancel) throws Exception {
    BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    transport.sendMessageStreaming(ask(text, null), events::add, events::add, V1);
    List<Object> seen = new ArrayList<>();
    seen.add(next(events));
    if (cancel && seen.getFirst() instanceof Task task) {
      transport.cancelTask(new TaskIdParams(task.id()), V1);
    }
    while (!isLast(seen.getLast())) {
      seen.add(next(events));
    }
    return seen;
  }

  private static Object next(BlockingQueue<Object> events) throws InterruptedException {
    Object event = events.poll(LIMIT_S, TimeUnit.SECONDS);
    return event == null ? "nothing in time" : event;
  }

  private static boolean isLast(Object event) {
    return switch (event) {
      case TaskStatusUpdateEvent update -> update.status().state().isFinal();
      case Task task -> task.status().state().isFinal();
      case Message message -> true;
      case Throwable error -> true;
      case String nothing -> true;
      default -> false;
    };
  }

  private void run(String scenario, Callable<Object> call) {
    String json;
    try {
      json = json(call.call());
    } catch (Exception | Error e) {
      json = json(e);
    }
    print(name, scenario, json);
  }

  private static String json(Object seen) {
    try {
      return switch (seen) {
        case List<?> all ->
            "[" + String.join(",", all.stream().map(A2aV10Client::json).toList()) + "]";
        case Throwable e ->
            JsonUtil.toJson(
                Map.of(
                    "error",
                    e.getClass().getSimpleName(),
                    "message",
                    String.valueOf(e.getMessage()),
                    "cause",
                    e.getCause() == null ? "" : e.getCause().getClass().getSimpleName()));
        default -> JsonUtil.toJson(seen);
      };
    } catch (io.a2a.jsonrpc.common.json.JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void print(String transport, String scenario, String json) {
    System.out.println(transport + "\t" + scenario + "\t" + json);
  }
}
