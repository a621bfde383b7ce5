package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** An agent that streams, a sidecar in front of it, and a caller that sees every byte. */
@ExtendWith(LeakCheck.class)
abstract class StreamFixture {
  static final JsonMapper JSON = JsonMapper.shared();
  static final String QUESTION = "When must the impeller be replaced?";
  static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";
  static final String GROUNDED = FACT + " [Chunk c1].";
  static final String INVENTED =
      "Our friendly specialists generally recommend whatever feels right for everybody concerned.";
  static final String EVIDENCE =
      "{\"https://w3id.org/parlance/ext/evidence/v1\":{\"context\":[{\"id\":\"c1\",\"text\":\""
          + FACT
          + ".\"}]}}";
  static final String TASK =
      rpc(
          "{\"task\":{\"id\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}");
  static final String DONE =
      rpc(
          "{\"statusUpdate\":{\"taskId\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}");

  @TempDir Path folder = Path.of("");
  final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  StreamingAgent agent = unstarted();
  Sidecar sidecar = unstarted();
  StreamingAgent.Script script = reply -> reply.whole("application/json", "{}");
  private final List<Caller> callers = new ArrayList<>();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void startAgent() throws IOException {
    agent = new StreamingAgent(reply -> script.answer(reply));
  }

  @AfterEach
  void stop() throws IOException {
    for (Caller caller : callers) {
      caller.close();
    }
    sidecar.close();
    agent.close();
    client.close();
  }

  void start(String route, String rest) throws IOException {
    Path file = folder.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        version: 1
        node: test
        dataDir: data
        startup: { warmUpMessages: 0 }
        inbound:
          listen: 127.0.0.1:0
          agent: 127.0.0.1:%d
        admin:
          listen: 127.0.0.1:0
        profiles:
          none-left: { errorMax: 0 }
        routes:
          - name: all
            %s
        %s
        """
            .formatted(agent.port(), route, rest));
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    assertThat(result).isInstanceOf(ConfigResult.Loaded.class);
    if (result instanceof ConfigResult.Loaded<SidecarConfig> loaded) {
      sidecar = Sidecar.start(loaded.config(), file, Cores.NONE, Gate.PeerResolver.NONE);
    }
  }

  // ---- what the agent says ----

  static String rpc(String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}";
  }

  /** A piece of the artifact. */
  static String artifact(String text, boolean first, boolean last, String metadata) {
    return rpc(
        "{\"artifactUpdate\":{\"taskId\":\"t-1\",\"contextId\":\"ctx-1\",\"artifact\":{\"artifactId\":\"a-1\",\"parts\":[{\"text\":"
            + JSON.writeValueAsString(text)
            + "}],\"metadata\":"
            + metadata
            + "}"
            + (first ? "" : ",\"append\":true")
            + (last ? ",\"lastChunk\":true" : "")
            + "}}");
  }

  static String message(String text) {
    return rpc(
        "{\"message\":{\"messageId\":\"a-1\",\"contextId\":\"ctx-1\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":"
            + JSON.writeValueAsString(text)
            + "}],\"metadata\":"
            + EVIDENCE
            + "}}");
  }

  /** A task with one artifact in pieces of about so many characters. */
  static void task(StreamingAgent.Reply reply, String text, int piece) throws IOException {
    reply.events();
    reply.event(TASK);
    for (int at = 0; at < text.length(); at += piece) {
      int to = Math.min(text.length(), at + piece);
      reply.event(artifact(text.substring(at, to), at == 0, to == text.length(), EVIDENCE));
    }
    reply.event(DONE);
    reply.end();
  }

  // ---- the caller ----

  /** A connection that keeps what it has read. */
  static final class Caller implements AutoCloseable {
    private final Socket socket;
    private final StringBuilder seen = new StringBuilder();
    private volatile boolean ended;

    Caller(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
    }

    void send(String bytes) throws IOException {
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
    }

    Caller reading() {
      Thread.ofVirtual()
          .start(() -> {
            byte[] buffer = new byte[8192];
            try {
              for (int n = socket.getInputStream().read(buffer);
                  n >= 0;
                  n = socket.getInputStream().read(buffer)) {
                synchronized (seen) {
                  seen.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                }
              }
            } catch (IOException e) {
              synchronized (seen) {
                seen.append("<reset>");
              }
            }
            ended = true;
          });
      return this;
    }

    String seen() {
      synchronized (seen) {
        return seen.toString();
      }
    }

    boolean ended() {
      return ended;
    }

    /** Waits for these bytes. */
    String until(String bytes) {
      await().atMost(60, TimeUnit.SECONDS).until(() -> seen().contains(bytes) || ended);
      assertThat(seen()).contains(bytes);
      return seen();
    }

    /** Waits for the last chunk. */
    String whole() {
      return until("\r\n0\r\n");
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  Caller connect() throws IOException {
    Caller caller = new Caller(sidecar.inboundPort().orElseThrow());
    callers.add(caller);
    return caller;
  }

  Caller ask(String question) throws IOException {
    Caller caller = connect().reading();
    caller.send(request(question, ""));
    return caller;
  }

  static String request(String question, String fields) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendStreamingMessage\",\"params\":{\"message\":{\"messageId\":\"m-1\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":"
            + JSON.writeValueAsString(question)
            + "}]}}}";
    return "POST /a2a HTTP/1.1\r\n"
        + "Host: agent\r\n"
        + "Content-Type: application/json\r\n"
        + "A2A-Version: 1.0\r\n"
        + "Accept-Encoding: gzip\r\n"
        + "TE: trailers\r\n"
        + fields
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  HttpResponse<String> admin(String method, String path, String body) throws Exception {
    String token = Files.readString(folder.resolve("data/admin.token")).strip();
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.adminPort() + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  String scrape() throws Exception {
    return admin("GET", "/metrics", "").body();
  }
}
