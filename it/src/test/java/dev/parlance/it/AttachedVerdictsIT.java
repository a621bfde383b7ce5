package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.testing.Kit;
import dev.parlance.service.identity.SpiffeId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sidecars whose keys the control plane tells each other: nothing else is configured. */
class AttachedVerdictsIT {
  private static final String DOMAIN = "mesh.example";
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

  private static AuthoritySettings ids(Map<String, SpiffeId> agents) {
    AuthoritySettings none = AuthoritySettings.NONE;
    return new AuthoritySettings(
        Optional.of(DOMAIN),
        Optional.empty(),
        none.certificateLife(),
        none.authorityLife(),
        none.audience(),
        agents,
        Map.of());
  }

  private static SpiffeId id(String domain, String agent) {
    return new SpiffeId(domain, "/ns/shop/sa/" + agent);
  }

  @Test
  void keysComeThroughTheControlPlane_andEachMessageIsJudgedOnce() throws Exception {
    askTenTimes(Map.of(), "ann", "ben", 10);
  }

  /** The control plane says which ids the agents have. */
  @Test
  void trustByDomain_holdsForAttachedSidecars() throws Exception {
    askTenTimes(
        Map.of("ann", id(DOMAIN, "ann"), "ben", id(DOMAIN, "ben")),
        "\"spiffe://" + DOMAIN + "\"",
        "\"spiffe://" + DOMAIN + "/ns/shop/sa/b*\"",
        10);
  }

  /** Ann's sidecar has an id of another domain: ben's judges what it sends. */
  @Test
  void whoIsOfAnotherDomain_isNotBelieved() throws Exception {
    askTenTimes(
        Map.of("ann", id("other.example", "ann"), "ben", id(DOMAIN, "ben")),
        "\"spiffe://" + DOMAIN + "\"",
        "ben",
        0);
  }

  private void askTenTimes(
      Map<String, SpiffeId> agents, String trustedByBen, String trustedByAnn, int believedByBen)
      throws Exception {
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")).withIdentity(ids(agents)));
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
                  "verdicts: { trustVerdicts: [%s] }\n".formatted(trustedByBen),
                  ROUTES);
          LocalSidecar asking =
              LocalSidecar.start(
                  folder,
                  "ann",
                  LocalSidecar.outbound(),
                  PactPair.control(folder, kit, "ann")
                      + "  peers: [{ agent: ben, hosts: [\"127.0.0.1:%d\"] }]\n"
                          .formatted(giving.inbound()),
                  "verdicts: { trustVerdicts: [%s] }\n".formatted(trustedByAnn),
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
              return count(giving, believedByBen > 0 ? "believed" : "untrusted") > 0
                  && count(asking, "believed") > 0;
            });
        double before = count(giving, "believed");
        for (int i = 2; i < 12; i++) {
          assertThat(ask(ann, giving.inbound(), "" + i).body()).contains(A2a.GROUNDED);
        }
        assertThat(count(giving, "believed")).isEqualTo(before + believedByBen);
        assertThat(count(asking, "believed")).isGreaterThanOrEqualTo(10);
        assertThat(count(giving, "wrong_code") + count(giving, "wrong_audience")).isZero();
      }
    }
  }
}
