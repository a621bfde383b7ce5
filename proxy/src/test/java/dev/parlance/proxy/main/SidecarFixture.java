package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** One agent, one sidecar in front of it, and what a caller and a reviewer do with them. */
@ExtendWith(LeakCheck.class)
abstract class SidecarFixture {
  static final JsonMapper JSON = JsonMapper.shared();
  static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";
  static final String GROUNDED = FACT + " [Chunk c1].";
  static final String INVENTED =
      "Our friendly specialists generally recommend whatever feels right for everybody concerned.";

  @TempDir Path folder = Path.of("");
  final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  ScriptedAgent agent = unstarted();
  Sidecar sidecar = unstarted();

  /** The cores that the sidecar is started with. */
  Cores cores = Cores.NONE;

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  static <T> T unstarted() {
    return null;
  }

  Function<ScriptedAgent.Asked, ScriptedAgent.Reply> script =
      asked -> ScriptedAgent.Reply.json(message(GROUNDED, idOf(asked)));

  @BeforeEach
  void startAgent() throws IOException {
    agent = new ScriptedAgent(asked -> script.apply(asked));
  }

  @AfterEach
  void stop() {
    sidecar.close();
    agent.close();
    client.close();
  }

  void start(String routeSettings) throws IOException {
    start("auto", routeSettings);
  }

  void start(String codec, String routeSettings) throws IOException {
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
          claims-only: { extends: asp-paper, judgeClaims: true, groundingOverlapWeight: 1, groundingCitationWeight: 0, stochasticityMax: 1, driftWarnSqrtJsd: 1, driftCritSqrtJsd: 1, groundingMin: 0.6 }
        routes:
          - name: all
            codec: %s
            %s
        """
            .formatted(agent.port(), codec, routeSettings));
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    assertThat(result).isInstanceOf(ConfigResult.Loaded.class);
    if (result instanceof ConfigResult.Loaded<SidecarConfig> loaded) {
      sidecar = Sidecar.start(loaded.config(), file, cores, Gate.PeerResolver.NONE);
    }
  }

  HttpResponse<String> ask(String question, String id) throws Exception {
    return post(
        """
        {"jsonrpc":"2.0","id":%s,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
        "role":"ROLE_USER","parts":[{"text":%s}]}}}\
        """
            .formatted(id, JSON.writeValueAsString(question)));
  }

  HttpResponse<String> post(String body) throws Exception {
    return post("/a2a", body);
  }

  HttpResponse<String> post(String target, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + target))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .header("ASP-Signal", "[@C:F; @G:F; @S:0; A:[]]")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
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

  static String idOf(ScriptedAgent.Asked asked) {
    String text = asked.text();
    int from = text.indexOf("\"id\":") + 5;
    return text.substring(from, text.indexOf(",\"method\"", from));
  }

  static String message(String answer, String id) {
    Map<String, Object> evidence =
        Map.of("context", List.of(Map.of("id", "c1", "text", FACT + ".")));
    return """
    {"jsonrpc":"2.0","id":%s,"result":{"message":{"messageId":"a-1","contextId":"ctx-1",\
    "role":"ROLE_AGENT","parts":[{"text":%s}],\
    "metadata":{"https://w3id.org/parlance/ext/evidence/v1":%s}}}}\
    """
        .formatted(
            id,
            JSON.writeValueAsString(answer),
            new String(JSON.writeValueAsBytes(evidence), StandardCharsets.UTF_8));
  }
}
