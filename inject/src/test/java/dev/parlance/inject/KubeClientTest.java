package dev.parlance.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.inject.certificate.TestTls;
import dev.parlance.inject.kube.KubeAccess;
import dev.parlance.inject.kube.KubeClient;
import dev.parlance.inject.kube.KubeClient.KubeAnswer;
import dev.parlance.inject.kube.KubeClient.KubeEvent;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class KubeClientTest {
  private static final String SECRETS = "/api/v1/namespaces/a/secrets";

  @TempDir Path dir = Path.of("");
  private FakeApiServer server;
  private KubeClient client;

  @BeforeEach
  void start() throws Exception {
    server = new FakeApiServer(dir);
    client =
        new KubeClient(
            server.access(), Clock.fixed(Instant.parse("2026-11-22T10:00:00.5Z"), ZoneOffset.UTC));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void everyOutcomeIsAValue() {
    ObjectNode secret = Samples.tree("{kind: Secret, metadata: {name: s}}");
    assertThat(client.get(SECRETS + "/s")).isInstanceOf(KubeAnswer.NotFound.class);
    assertThat(client.create(SECRETS, secret)).isInstanceOf(KubeAnswer.Done.class);
    assertThat(client.create(SECRETS, secret)).isInstanceOf(KubeAnswer.Conflict.class);
    assertThat(client.get(SECRETS + "/s"))
        .isInstanceOfSatisfying(
            KubeAnswer.Done.class,
            done -> {
              ObjectNode now = (ObjectNode) done.object();
              assertThat(client.replace(SECRETS + "/s", now)).isInstanceOf(KubeAnswer.Done.class);
              assertThat(client.replace(SECRETS + "/s", now))
                  .isInstanceOf(KubeAnswer.Conflict.class);
            });
    server.failures.set(1);
    assertThat(client.get(SECRETS + "/s")).isEqualTo(new KubeAnswer.Refused(500, "out of order"));
    server.close();
    assertThat(client.get(SECRETS + "/s")).isInstanceOf(KubeAnswer.Unreachable.class);
  }

  @Test
  void aRotatedTokenIsReadAgain() throws Exception {
    Files.writeString(dir.resolve("token"), "old");
    assertThat(client.get(SECRETS + "/s")).isEqualTo(new KubeAnswer.Refused(401, "who are you"));
    Files.writeString(dir.resolve("token"), FakeApiServer.TOKEN);
    assertThat(client.get(SECRETS + "/s")).isInstanceOf(KubeAnswer.NotFound.class);
  }

  @Test
  void aServerThatTheAuthorityDoesNotVouchForIsNotTalkedTo() throws Exception {
    String right = Files.readString(dir.resolve("ca.crt"));
    Files.writeString(dir.resolve("ca.crt"), new TestTls().ca());
    assertThat(client.get(SECRETS + "/s")).isInstanceOf(KubeAnswer.Unreachable.class);
    assertThat(server.requests).isEmpty();
    Files.writeString(dir.resolve("ca.crt"), right);
    assertThat(client.get(SECRETS + "/s")).isInstanceOf(KubeAnswer.NotFound.class);
  }

  @Test
  void anEventCarriesWhatKubectlDescribeShows() {
    KubeEvent event =
        new KubeEvent(
            "agents",
            new KubeEvent.About("v1", "Pod", "alice-0", "u1"),
            KubeEvent.Type.Warning,
            "ConfigRefused",
            "x".repeat(2_000),
            "parlance-control");
    assertThat(client.createEvent(event))
        .isInstanceOfSatisfying(
            KubeAnswer.Done.class,
            done -> {
              assertThat(done.object().path("involvedObject").path("uid").asString())
                  .isEqualTo("u1");
              assertThat(done.object().path("message").asString()).hasSize(1024);
              assertThat(done.object().path("firstTimestamp").asString())
                  .isEqualTo("2026-11-22T10:00:00Z");
            });
    assertThat(server.requests).containsExactly("POST /api/v1/namespaces/agents/events");
  }

  @Test
  void aPodSaysWhereItsServerIsAndOtherProcessesDoNot() {
    Map<String, String> env =
        Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443");
    assertThat(KubeAccess.inCluster(env, dir))
        .hasValueSatisfying(access -> {
          assertThat(access.server()).isEqualTo(URI.create("https://[fd00::1]:6443"));
          assertThat(access.namespace()).isEqualTo("parlance-system");
        });
    assertThat(KubeAccess.inCluster(Map.of(), dir)).isEmpty();
    assertThat(KubeAccess.inCluster(env, dir.resolve("none"))).isEmpty();
    assertThatThrownBy(() -> new KubeAccess(URI.create("http://a:1"), dir, dir, "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
