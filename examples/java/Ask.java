import io.a2a.A2A;
import io.a2a.client.http.JdkA2AHttpClient;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.spi.interceptors.ClientCallContext;
import io.a2a.spec.AgentCard;
import io.a2a.spec.EventKind;
import io.a2a.spec.Message;
import io.a2a.spec.MessageSendParams;
import io.a2a.spec.Part;
import io.a2a.spec.Task;
import io.a2a.spec.TaskQueryParams;
import io.a2a.spec.TaskState;
import io.a2a.spec.TextPart;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Asks an agent one question with the A2A SDK for Java (io.github.a2asdk:
 * a2a-java-sdk-client-transport-jsonrpc 1.0 on the class path): {@code java -cp 'sdk/*' Ask.java
 * http://127.0.0.1:15006 "When must the impeller be replaced?"}. If the answer is held for a
 * person, it waits for the decision.
 */
public final class Ask {
  private static final Map<String, String> VERSION = Map.of("A2A-Version", "1.0");
  private static final ClientCallContext CONTEXT = new ClientCallContext(Map.of(), VERSION);
  private static final long POLL_MS = 500;

  private Ask() {}

  public static void main(String[] arguments) throws Exception {
    JdkA2AHttpClient http = new JdkA2AHttpClient();
    AgentCard card = A2A.getAgentCard(http, arguments[0], "/.well-known/agent-card.json", VERSION);
    JSONRPCTransport agent =
        new JSONRPCTransport(http, card, card.supportedInterfaces().getFirst(), List.of());
    Message question = A2A.toUserMessage(arguments[1]);
    EventKind answer =
        agent.sendMessage(MessageSendParams.builder().message(question).build(), CONTEXT);
    if (answer instanceof Task held && isHeld(held)) {
      System.out.println("held for a person; waiting for the decision");
      Task now = held;
      while (isHeld(now)) {
        Thread.sleep(POLL_MS);
        now = agent.getTask(new TaskQueryParams(held.id()), CONTEXT);
      }
      answer = now;
    }
    System.out.println(text(answer));
    agent.close();
  }

  private static boolean isHeld(Task task) {
    return task.status().state() == TaskState.TASK_STATE_WORKING;
  }

  private static String text(EventKind answer) {
    return switch (answer) {
      case Message message -> text(message.parts());
      case Task task when task.artifacts() != null && !task.artifacts().isEmpty() ->
          text(task.artifacts().getFirst().parts());
      case Task task when task.status().message() != null -> text(task.status().message().parts());
      default -> "(no words)";
    };
  }

  private static String text(List<Part<?>> parts) {
    return parts.stream()
        .filter(TextPart.class::isInstance)
        .map(part -> ((TextPart) part).text())
        .collect(Collectors.joining("\n"));
  }
}
