import io.a2a.A2A;
import io.a2a.client.http.JdkA2AHttpClient;
import io.a2a.client.transport.grpc.GrpcTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.rest.RestTransport;
import io.a2a.client.transport.spi.ClientTransport;
import io.a2a.spec.AgentCard;
import io.a2a.spec.DeleteTaskPushNotificationConfigParams;
import io.a2a.spec.GetTaskPushNotificationConfigParams;
import io.a2a.spec.ListTaskPushNotificationConfigParams;
import io.a2a.spec.Message;
import io.a2a.spec.MessageSendParams;
import io.a2a.spec.PushNotificationConfig;
import io.a2a.spec.Task;
import io.a2a.spec.TaskIdParams;
import io.a2a.spec.TaskPushNotificationConfig;
import io.a2a.spec.TaskQueryParams;
import io.a2a.spec.TaskStatusUpdateEvent;
import io.a2a.util.Utils;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Every call of the A2A Java SDK 0.3 (A2A v0.3), over each transport it has. Arguments: the agent's
 * base address, the port of an outbound sidecar (0: none), the agent's own port, and {@code whole}
 * to leave out files. Prints {@code transport TAB scenario TAB JSON} lines. The HTTP client uses
 * the JVM's proxy by itself.
 */
public final class A2aV03Client {
  /** The conversation of messages that name none; null if they have none. */
  private static final String CONTEXT = System.getenv("A2A_CONTEXT");

  private static final long LIMIT_S = 10;
  private static int asked;
  private static boolean whole;

  private final ClientTransport transport;
  private final String name;
  private final int control;

  private A2aV03Client(ClientTransport transport, String name, int control) {
    this.transport = transport;
    this.name = name;
    this.control = control;
  }

  public static void main(String[] args) throws Exception {
    whole = args.length > 3 && args[3].equals("whole");
    int proxy = Integer.parseInt(args[1]);
    int control = Integer.parseInt(args[2]);
    if (proxy != 0) {
      System.setProperty("http.proxyHost", "127.0.0.1");
      System.setProperty("http.proxyPort", args[1]);
      System.setProperty("http.nonProxyHosts", "");
    }
    URI base = URI.create(args[0]);
    JdkA2AHttpClient http = new JdkA2AHttpClient();
    AgentCard card = A2A.getAgentCard(http, args[0]);
    print("card", "card", Utils.toJsonString(card));
    new A2aV03Client(
            new JSONRPCTransport(http, card, args[0] + "/a2a", List.of()), "JSONRPC", control)
        .all();
    new A2aV03Client(
            new RestTransport(http, card, args[0] + "/rest", List.of()), "HTTP+JSON", control)
        .all();
    String grpc =
        card.additionalInterfaces().stream()
            .filter(one -> one.transport().equals("GRPC"))
            .findFirst()
            .orElseThrow()
            .url();
    int colon = grpc.lastIndexOf(':');
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(
                    "127.0.0.1", proxy == 0 ? Integer.parseInt(grpc.substring(colon + 1)) : proxy))
            .overrideAuthority(proxy == 0 ? grpc : base.getAuthority())
            .usePlaintext()
            .build();
    new A2aV03Client(new GrpcTransport(channel, card), "GRPC", control).all();
    System.exit(0);
  }

  private void all() {
    run("message", () -> transport.sendMessage(ask("message please", null, null), null));
    run("task", () -> transport.sendMessage(ask("task please", null, null), null));
    if (!whole) {
      run("parts", () -> transport.sendMessage(ask("parts please", null, null), null));
    }
    run("rejected", () -> transport.sendMessage(ask("reject please", null, null), null));
    run("agent fails", () -> transport.sendMessage(ask("fail please", null, null), null));
    run("stream", () -> stream("stream please", false));
    run("stream of one message", () -> stream("message please", false));
    run("cancel a running stream", () -> stream("slow please", true));
    run("resubscribe", this::resubscribe);
    run(
        "input required",
        () -> {
          Task task = (Task) transport.sendMessage(ask("input please", null, null), null);
          return List.of(
              task,
              transport.sendMessage(ask("here it is", task.getContextId(), task.getId()), null));
        });
    run(
        "get",
        () -> {
          Task task = (Task) transport.sendMessage(ask("task please", null, null), null);
          return transport.getTask(new TaskQueryParams(task.getId(), 5), null);
        });
    run("task not found", () -> transport.getTask(new TaskQueryParams("no-such-task", 1), null));
    run(
        "finished task cannot be cancelled",
        () -> {
          Task task = (Task) transport.sendMessage(ask("task please", null, null), null);
          return transport.cancelTask(new TaskIdParams(task.getId()), null);
        });
    run("push configuration", this::pushConfiguration);
  }

  private Object pushConfiguration() throws Exception {
    Task task = (Task) transport.sendMessage(ask("input please", null, null), null);
    Map<String, Object> seen = new LinkedHashMap<>();
    PushNotificationConfig config =
        new PushNotificationConfig.Builder()
            .url("http://127.0.0.1:9/hook")
            .id("config-1")
            .token("tok")
            .build();
    seen.put(
        "made",
        transport.setTaskPushNotificationConfiguration(
            new TaskPushNotificationConfig(task.getId(), config), null));
    seen.put(
        "got",
        transport.getTaskPushNotificationConfiguration(
            new GetTaskPushNotificationConfigParams(task.getId(), "config-1"), null));
    seen.put(
        "listed",
        transport.listTaskPushNotificationConfigurations(
            new ListTaskPushNotificationConfigParams(task.getId()), null));
    transport.deleteTaskPushNotificationConfigurations(
        new DeleteTaskPushNotificationConfigParams(task.getId(), "config-1"), null);
    return seen;
  }

  private static MessageSendParams ask(String text, String contextId, String taskId) {
    Message.Builder message =
        new Message.Builder(A2A.toUserMessage(text, "user-" + ++asked))
            .contextId(contextId == null ? CONTEXT : contextId)
            .taskId(taskId);
    return new MessageSendParams.Builder().message(message.build()).build();
  }

  private List<Object> stream(String text, boolean cancel) throws Exception {
    BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    transport.sendMessageStreaming(ask(text, null, null), events::add, events::add, null);
    List<Object> seen = new ArrayList<>();
    seen.add(next(events));
    if (cancel && seen.getFirst() instanceof Task task) {
      transport.cancelTask(new TaskIdParams(task.getId()), null);
    }
    return rest(seen, events);
  }

  private Object resubscribe() throws Exception {
    BlockingQueue<Object> first = new LinkedBlockingQueue<>();
    transport.sendMessageStreaming(ask("wait please", null, null), first::add, first::add, null);
    List<Object> seen = new ArrayList<>(List.of(next(first)));
    Task task = (Task) seen.getFirst();
    BlockingQueue<Object> second = new LinkedBlockingQueue<>();
    transport.resubscribe(new TaskIdParams(task.getId()), second::add, second::add, null);
    List<Object> again = new ArrayList<>(List.of(next(second)));
    java.net.http.HttpClient.newBuilder()
        .proxy(java.net.http.HttpClient.Builder.NO_PROXY)
        .build()
        .send(
            java.net.http.HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + control + "/go/" + task.getId()))
                .POST(java.net.http.HttpRequest.BodyPublishers.noBody())
                .build(),
            java.net.http.HttpResponse.BodyHandlers.discarding());
    return List.of(rest(seen, first), rest(again, second));
  }

  private static Object next(BlockingQueue<Object> events) throws Exception {
    Object event = events.poll(LIMIT_S, TimeUnit.SECONDS);
    return event == null ? "nothing in time" : event;
  }

  private static List<Object> rest(List<Object> seen, BlockingQueue<Object> events)
      throws Exception {
    while (!isLast(seen.getLast())) {
      seen.add(next(events));
    }
    return seen;
  }

  private static boolean isLast(Object event) {
    return switch (event) {
      case TaskStatusUpdateEvent update -> update.isFinal();
      case Task task -> task.getStatus().state().isFinal();
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
      // Errors of the protocol are Errors of Java in this SDK.
      json = json(e);
    }
    print(name, scenario, json);
  }

  private static String json(Object seen) {
    return switch (seen) {
      case List<?> all ->
          "[" + String.join(",", all.stream().map(A2aV03Client::json).toList()) + "]";
      case Map<?, ?> all -> json(new ArrayList<>(all.values()));
      case Throwable e ->
          Utils.toJsonString(
              Map.of(
                  "error",
                  e.getClass().getSimpleName(),
                  "message",
                  String.valueOf(e.getMessage()),
                  "cause",
                  e.getCause() == null ? "" : e.getCause().getClass().getSimpleName()));
      default -> Utils.toJsonString(seen);
    };
  }

  private static void print(String transport, String scenario, String json) {
    System.out.println(transport + "\t" + scenario + "\t" + json);
  }
}
