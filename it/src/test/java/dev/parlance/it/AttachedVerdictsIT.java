package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sidecars whose keys the control plane tells each other: nothing else is configured. */
class AttachedVerdictsIT {
  private static final String ROUTES = "routes:\n  - { name: all }\n";

  @TempDir Path folder = Path.of("");

  private static double count(LocalSidecar sidecar, String result) throws Exception {
    return sidecar.admin().sum("parlance_peer_verdicts_total", "result=\"" + result + "\"");
  }

  private static HttpResponse<String> ask(HttpClient ann, int port, String id) throws Exception {
    return ann.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a2a"))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    A2a.ask(id, "ctx-" + id, "When must the impeller be replaced?")))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void keysComeThroughTheControlPlane_andEachMessageIsJudgedOnce() throws Exception {
    try (Kit kit = Kit.start(folder.resolve("control"));
        StubAgent agent =
            new StubAgent(
                asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a-1", A2a.GROUNDED)))) {
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      try (LocalSidecar giving =
              LocalSidecar.start(
                  folder,
                  "ben",
                  LocalSidecar.inboundTo(agent.port()),
                  PactPair.control(folder, kit, "ben"),
                  "verdicts: { trustVerdicts: [ann] }\n",
                  ROUTES);
          LocalSidecar asking =
              LocalSidecar.start(
                  folder,
                  "ann",
                  LocalSidecar.outbound(),
                  PactPair.control(folder, kit, "ann")
                      + "  peers: [{ agent: ben, hosts: [\"127.0.0.1:%d\"] }]\n"
                          .formatted(giving.inbound()),
                  "verdicts: { trustVerdicts: [ben] }\n",
                  ROUTES);
          HttpClient ann =
              HttpClient.newBuilder()
                  .version(HttpClient.Version.HTTP_1_1)
                  .proxy(
                      ProxySelector.of(
                          new InetSocketAddress(
                              InetAddress.getLoopbackAddress(), asking.outboundPort())))
                  .build()) {
        await()
            .atMost(Kit.PATIENCE)
            .until(() -> {
              assertThat(ask(ann, giving.inbound(), "1").statusCode()).isEqualTo(200);
              return count(giving, "believed") > 0 && count(asking, "believed") > 0;
            });
        double before = count(giving, "believed");
        for (int i = 2; i < 12; i++) {
          assertThat(ask(ann, giving.inbound(), "" + i).body()).contains(A2a.GROUNDED);
        }
        assertThat(count(giving, "believed")).isEqualTo(before + 10);
        assertThat(count(asking, "believed")).isGreaterThanOrEqualTo(10);
        assertThat(count(giving, "wrong_code") + count(giving, "wrong_audience")).isZero();
      }
    }
  }
}
