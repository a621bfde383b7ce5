import io.a2a.A2A;
import io.a2a.client.http.JdkA2AHttpClient;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.rest.RestTransport;
import io.a2a.client.transport.spi.ClientTransport;
import io.a2a.client.transport.spi.interceptors.ClientCallContext;
import io.a2a.spec.AgentInterface;
import io.a2a.spec.Artifact;
import io.a2a.spec.Message;
import io.a2a.spec.MessageSendParams;
import io.a2a.spec.Part;
import io.a2a.spec.Task;
import io.a2a.spec.TaskQueryParams;
import io.a2a.spec.TextPart;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a user of the A2A Java SDK 1.0 sees of an agent that fails in many ways, and of an answer
 * that is held for a person. Argument: the agent's base address. Prints JSON lines as
 * errors-client.mjs does.
 */
public final class ErrorsV10Client {
  private static final long LIMIT_S = 10;
  private static final ClientCallContext V1 =
      new ClientCallContext(Map.of(), Map.of("A2A-Version", "1.0"));
  private static final Pattern ID = Pattern.compile("\\br-[0-9a-z]+");
  private static final BufferedReader LINES =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private static int tag = 100;

  public static void main(String[] args) throws Exception {
    JdkA2AHttpClient http = new JdkA2AHttpClient();
    AgentInterface rpc = new AgentInterface("JSONRPC", args[0] + "/a2a", "", "1.0");
    AgentInterface rest = new AgentInterface("HTTP+JSON", args[0] + "/rest", "", "1.0");
    all("A2A Java, JSON-RPC", new JSONRPCTransport(http, null, rpc, List.of()), true);
    all("A2A Java, HTTP+JSON", new RestTransport(http, null, rest, List.of()), false);
    System.out.println("{}");
    System.exit(0);
  }

  private static void all(String client, ClientTransport transport, boolean isRpc)
      throws Exception {
    for (String way : List.of("busy", "long", "page", "rpc", "event", "dies")) {
      boolean stream = way.equals("event") || way.equals("dies");
      if (isRpc || !way.equals("rpc")) {
        print(
            client,
            way,
            shown(() -> stream ? streamed(transport, way) : transport.sendMessage(ask(way), V1)),
            "");
      }
    }
    for (String decide : List.of("release", "reject")) {
      String waits = shown(() -> transport.sendMessage(ask("bad" + ++tag), V1));
      Matcher found = ID.matcher(waits);
      String id = found.find() ? found.group() : "";
      print(client, "held", waits, "");
      TaskQueryParams task = new TaskQueryParams("parlance-task-" + id);
      print(
          client,
          "waits",
          shown(() -> transport.getTask(task, V1)),
          ",\"id\":\"" + id + "\",\"decide\":\"" + decide + "\"");
      print(client, decide, shown(() -> polled(transport, task)), "");
      LINES.readLine();
    }
  }

  /** As somebody who follows a task: asks for it until it works no longer. */
  private static Task polled(ClientTransport transport, TaskQueryParams task) throws Exception {
    long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    Task now = transport.getTask(task, V1);
    while (now.status().state().name().endsWith("WORKING") && System.nanoTime() < untilNs) {
      Thread.sleep(50);
      now = transport.getTask(task, V1);
    }
    return now;
  }

  private static MessageSendParams ask(String way) {
    Message message = Message.builder(A2A.toUserMessage("Why? way-" + way, "m")).build();
    return MessageSendParams.builder().message(message).build();
  }

  private static Object streamed(ClientTransport transport, String way) throws Exception {
    BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    transport.sendMessageStreaming(ask(way), events::add, events::add, V1);
    Object last = events.poll(LIMIT_S, TimeUnit.SECONDS);
    while (last != null && !(last instanceof Throwable)) {
      last = events.poll(LIMIT_S, TimeUnit.SECONDS);
    }
    if (last instanceof Throwable failure) {
      throw new Exception(failure);
    }
    return "nothing more in time";
  }

  private static String shown(Callable<Object> call) {
    try {
      return "no error: "
          + switch (call.call()) {
            case Task task ->
                "task %s, %s: %s"
                    .formatted(
                        task.id(),
                        task.status().state().name().replace("TASK_STATE_", ""),
                        task.artifacts() == null || task.artifacts().isEmpty()
                            ? task.status().message() == null
                                ? ""
                                : words(task.status().message().parts())
                            : words(((Artifact) task.artifacts().getFirst()).parts()));
            case Message message -> words(message.parts());
            case Object other -> other.toString();
          };
    } catch (Exception e) {
      Throwable cause = e.getClass() == Exception.class && e.getCause() != null ? e.getCause() : e;
      return cause.getClass().getSimpleName()
          + ": "
          + cause.getMessage()
          + (cause.getCause() == null ? "" : " (" + cause.getCause().getMessage() + ")");
    }
  }

  private static String words(List<Part<?>> parts) {
    return parts.stream()
        .map(part -> part instanceof TextPart text ? text.text() : "")
        .collect(Collectors.joining());
  }

  private static void print(String client, String way, String shown, String more) {
    String safe =
        shown
            .replaceAll("\\s+", " ")
            .replace('|', '/')
            .replaceAll("127\\.0\\.0\\.1:\\d+", "ADDRESS")
            .replace("\\", "\\\\")
            .replace("\"", "\\\"");
    System.out.println(
        "{\"client\":\"%s\",\"way\":\"%s\",\"shown\":\"%s\"%s}".formatted(client, way, safe, more));
  }
}
