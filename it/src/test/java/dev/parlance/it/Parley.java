package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.testing.Kit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Agents that talk over A2A, each behind its own sidecar, which coins. What an agent answers is
 * told it beforehand.
 */
final class Parley implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern CHANGES = Pattern.compile(";w=([0-9]+)");

  /** Words of which the evidence beside them knows none. */
  private static final String STRANGE =
      "our friendly specialists generally recommend whatever feels right for everybody concerned,"
          + " because enthusiasm outweighs measurement whenever somebody believes strongly enough";

  /** What is answered next. */
  record Answer(String messageId, String context, String text, boolean isStrange) {
    Answer(String messageId, String context, String text) {
      this(messageId, context, text, false);
    }

    /** A draft that does not pass the gate, and would coin something. */
    static Answer strange(String messageId, String context) {
      return new Answer(
          messageId, context, STRANGE + "\n[PART 2]\nfriendly specialists = nobody", true);
    }
  }

  private final class Agent implements AutoCloseable {
    final Deque<Answer> answers = new ArrayDeque<>();
    final StubAgent stub;
    private final Path folder;
    private final String name;
    private final String[] sections;
    LocalSidecar sidecar;
    HttpClient client;

    Agent(Path folder, String name, String control, String route) throws IOException {
      stub = new StubAgent(this::answer);
      this.folder = folder;
      this.name = name;
      this.sections =
          new String[] {
            LocalSidecar.inboundTo(stub.port()),
            LocalSidecar.outbound(),
            control,
            "lexicon: { timeoutMs: 60000, reportMs: 5 }\n",
            "routes:\n  - name: all\n    " + route + "\n"
          };
      sidecar = LocalSidecar.start(folder, name, sections);
      client = client(sidecar);
    }

    private static HttpClient client(LocalSidecar sidecar) {
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .proxy(
              ProxySelector.of(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), sidecar.outboundPort())))
          .build();
    }

    void restart() throws IOException {
      client.close();
      sidecar.close();
      sidecar = LocalSidecar.start(folder, name, sections);
      client = client(sidecar);
    }

    private StubAgent.Reply answer(HttpBytes asked) {
      String id = JSON.readTree(asked.text()).path("id").toString();
      Answer next;
      synchronized (answers) {
        next = answers.poll();
      }
      if (next == null) {
        return StubAgent.Reply.json(
            "{\"jsonrpc\":\"2.0\",\"id\":"
                + id
                + ",\"result\":{\"kind\":\"task\",\"id\":\"t\",\"contextId\":\"none\","
                + "\"status\":{\"state\":\"working\"}}}");
      }
      String evidence =
          next.isStrange()
              ? ",\"metadata\":{\"https://w3id.org/parlance/ext/evidence/v1\":{\"context\":"
                  + "[{\"id\":\"c1\",\"text\":\"The impeller is replaced every year.\"}]}}"
              : "";
      return StubAgent.Reply.json(
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"kind\":\"message\",\"messageId\":\"%s\",\"contextId\":\"%s\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":%s}]%s}}"
              .formatted(
                  id,
                  next.messageId(),
                  next.context(),
                  JSON.writeValueAsString(next.text()),
                  evidence));
    }

    @Override
    public void close() throws IOException {
      client.close();
      sidecar.close();
      stub.close();
    }
  }

  private final Map<String, Agent> agents = new ConcurrentHashMap<>();
  private final HttpClient direct =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * Starts them.
   *
   * @param port where the control plane is for their sidecars
   */
  Parley(Path folder, Kit kit, int port, List<String> names, String route) throws IOException {
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    for (String name : names) {
      String control = PactPair.control(folder, port, kit.plane.attachToken(name), name);
      agents.put(name, new Agent(folder, name, control, route));
    }
  }

  private static String body(String messageId, String context, String text) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{\"kind\":\"message\",\"messageId\":\"%s\",\"contextId\":\"%s\",\"role\":\"user\",\"parts\":[{\"kind\":\"text\",\"text\":%s}]}}}"
        .formatted(messageId, context, JSON.writeValueAsString(text));
  }

  private HttpRequest request(String listener, String body) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + agents.get(listener).sidecar.inbound() + "/"))
        .timeout(Duration.ofSeconds(120))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /** One says something to another, who answers so, perhaps after drafts that do not pass. */
  JsonNode talk(String speaker, String listener, String messageId, String text, Answer... answers)
      throws IOException, InterruptedException {
    Agent asked = agents.get(listener);
    synchronized (asked.answers) {
      asked.answers.addAll(List.of(answers));
    }
    HttpResponse<String> response =
        agents
            .get(speaker)
            .client
            .send(
                request(listener, body(messageId, answers[0].context(), text)),
                HttpResponse.BodyHandlers.ofString(UTF_8));
    synchronized (asked.answers) {
      assertThat(asked.answers).as("%s", response.body()).isEmpty();
    }
    return JSON.readTree(response.body());
  }

  /** How many changes are on the board of a conversation that this agent's sidecar holds. */
  long changes(String agent, String context) throws IOException, InterruptedException {
    HttpResponse<String> response =
        direct.send(
            request(agent, body("probe", context, "")), HttpResponse.BodyHandlers.ofString(UTF_8));
    String field = response.headers().firstValue("Parlance-Turn").orElse("none");
    assertThat(field).as("%s", response.headers().map()).contains(";a=");
    Matcher found = CHANGES.matcher(field);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  /** True once the control plane has welcomed its sidecar. */
  boolean isAttached(String agent) throws IOException, InterruptedException {
    return agents.get(agent).sidecar.admin().scrape().contains("parlance_control_connected 1");
  }

  /** Turns that the sidecar of an agent has not counted, a line for each reason. */
  List<String> dropped(String agent) throws IOException, InterruptedException {
    return agents
        .get(agent)
        .sidecar
        .admin()
        .scrape()
        .lines()
        .filter(line -> line.startsWith("parlance_lexicon_dropped_turns_total{"))
        .toList();
  }

  /** The sidecar of an agent forgets all that it holds. */
  void restart(String agent) throws IOException {
    agents.get(agent).restart();
  }

  /** Somebody without a sidecar asks an agent something. */
  void ask(String agent, String context, String text) throws IOException, InterruptedException {
    HttpResponse<String> _ =
        direct.send(
            request(agent, body("of-nobody", context, text)),
            HttpResponse.BodyHandlers.ofString(UTF_8));
  }

  /** What an agent was asked, in order. */
  List<String> asked(String agent) {
    List<String> texts = new ArrayList<>();
    agents.get(agent).stub.asked().forEach(one -> texts.add(one.text()));
    return texts;
  }

  @Override
  public void close() throws IOException {
    direct.close();
    for (Agent agent : agents.values()) {
      agent.close();
    }
  }
}
