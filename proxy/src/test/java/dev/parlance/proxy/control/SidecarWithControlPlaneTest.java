package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.control.FakeControlPlane.Attached;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A whole sidecar with a control plane: what a caller, a probe and an operator see. */
@ExtendWith(LeakCheck.class)
class SidecarWithControlPlaneTest {
  private static final String ANSWER =
      "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"message\":{\"messageId\":\"a\",\"role\":"
          + "\"ROLE_AGENT\",\"parts\":[{\"text\":\"The file must be kept with the program.\"}]}}}";

  @TempDir Path dir = Path.of("");
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private FakeControlPlane server = unstarted();
  private FakeAgent agent = unstarted();
  private Sidecar sidecar = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(dir.resolve("token"), "t");
    server = new FakeControlPlane();
    agent = new FakeAgent(FakeAgent.always(ANSWER));
    sidecar = start("");
  }

  @AfterEach
  void end() {
    sidecar.close();
    server.close();
    agent.close();
    client.close();
  }

  private Sidecar start(String more) throws IOException {
    URI url = agent.settings(LocalAgent.Protocol.AUTO, 1_000).url();
    Path file = dir.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        node: alice-1
        dataDir: data
        startup: { warmUpMessages: 0 }
        inbound: { listen: 127.0.0.1:0, agent: "127.0.0.1:%d" }
        admin: { listen: 127.0.0.1:0 }
        routes:
          - name: contracts
            consequential: true
            core: { domain: license, peer: bob }
        control:
          target: 127.0.0.1:%d
          agent: alice
          keys: ["%s"]
          tokenFile: token
          localAgent: { url: "%s" }
          %s
        """
            .formatted(url.getPort(), server.port(), Signed.KEY.verifier().format(), url, more));
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    assertThat(result).as("%s", result).isInstanceOf(ConfigResult.Loaded.class);
    return Sidecar.start(result.loaded().orElseThrow(), file);
  }

  private HttpResponse<String> ask(String text) throws Exception {
    return client.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a"))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"SendMessage\",\"params\":{"
                        + "\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":"
                        + "[{\"text\":\""
                        + text
                        + "\"}]}}}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> admin(String path) throws Exception {
    String token = Files.readString(dir.resolve("data/admin.token")).strip();
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.adminPort() + path))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String reason(HttpResponse<String> answer) {
    return answer.headers().firstValue("Parlance-Reason").orElse("");
  }

  private Attached withCore() {
    Attached stream = server.stream(1);
    stream.push(Signed.push(Signed.core(1, "notice")));
    stream.await(AttachRequest::hasAck);
    return stream;
  }

  @Test
  void C1_itIsNotReadyUntilItHasItsCore_andThenGuards() throws Exception {
    HttpResponse<String> early = admin("/readyz");
    assertThat(early.statusCode()).isEqualTo(503);
    assertThat(early.body()).contains("the core of domain license is absent");
    assertThat(reason(ask("Keep the notice."))).contains("core_absent");

    withCore();
    awaiting().until(() -> admin("/readyz").statusCode() == 200);
    assertThat(reason(ask("Keep the notice."))).doesNotContain("core_", "term_");
    assertThat(reason(ask("I accept liability."))).contains("term_uncertified");
    assertThat(agent.questions()).hasSize(1);
  }

  @Test
  void aRevocationReachesTheNextMessage_andTheReportCountsIt() throws Exception {
    Attached stream = withCore();
    assertThat(reason(ask("Keep the notice."))).doesNotContain("term_");
    stream.push(Signed.push(Signed.core(Signed.ALICE_BOB, 2, TermStatus.REVOKED, "notice")));
    stream.await(said -> said.hasAck() && said.getAck().getVersion() == 2);
    assertThat(reason(ask("Keep the notice."))).contains("term_revoked");
    stream.await(said -> said.hasReport() && said.getReport().getGuardedMessages() == 1);
  }

  @Test
  void C2_theControlPlaneStops_guardingGoesOn_alsoInARestartedSidecar_untilTheCoreIsStale()
      throws Exception {
    withCore();
    server.close();
    assertThat(reason(ask("I accept liability."))).contains("term_uncertified");
    sidecar.close();
    sidecar = start("");
    assertThat(admin("/readyz").statusCode()).isEqualTo(200);
    assertThat(reason(ask("I accept liability."))).contains("term_uncertified");
    assertThat(reason(ask("Keep the notice."))).doesNotContain("core_", "term_");
    assertThat(admin("/metrics").body())
        .contains("parlance_control_connected 0.0")
        .contains("parlance_core_version{domain=\"license\"} 1.0");

    sidecar.close();
    try (var cores = Files.newDirectoryStream(dir.resolve("data/cores"), "*.core")) {
      for (Path core : cores) {
        Files.setLastModifiedTime(
            core, FileTime.fromMillis(System.currentTimeMillis() - 7_200_000));
      }
    }
    sidecar = start("");
    HttpResponse<String> stale = admin("/readyz");
    assertThat(stale.statusCode()).isEqualTo(503);
    assertThat(stale.body()).contains("the core of domain license is stale");
    assertThat(reason(ask("Keep the notice."))).contains("core_stale");
  }

  @Test
  void theOperatorSeesCoresAndStream() throws Exception {
    Attached stream = withCore();
    stream.push(Signed.push(Signed.core(1, "patent claim")));
    stream.await(AttachRequest::hasNack);
    JsonNode seen = JsonMapper.shared().readTree(admin("/cores").body());
    assertThat(seen.path("connected").booleanValue()).isTrue();
    assertThat(seen.path("replica").stringValue()).isEqualTo("r1");
    assertThat(seen.at("/refusedPushes/conflicting").intValue()).isEqualTo(1);
    assertThat(seen.at("/cores/0/id").stringValue()).isEqualTo("alice+bob/license");
    assertThat(seen.at("/cores/0/state").stringValue()).isEqualTo("fresh");
    assertThat(seen.at("/cores/0/disputed").booleanValue()).isTrue();
    assertThat(admin("/config").body()).contains("\"maxStalenessMs\" : 3600000");
    assertThat(admin("/metrics").body())
        .contains("parlance_core_rejected_total{reason=\"conflicting\"} 1.0");
  }

  @Test
  void stalenessReloads_andOtherSettingsNeedARestart() throws Exception {
    withCore();
    Path file = dir.resolve("parlance.yaml");
    String yaml = Files.readString(file);
    Files.writeString(file, yaml.replace("agent: alice", "agent: carol"));
    awaiting().until(() -> admin("/config").body().contains("/control"));
    assertThat(admin("/config").body()).contains("needs a restart");
    Files.writeString(file, yaml + "  maxStalenessMs: 60000\n");
    awaiting().until(() -> admin("/config").body().contains("\"maxStalenessMs\" : 60000"));
    assertThat(admin("/config").body()).doesNotContain("lastRefusal");
  }
}
