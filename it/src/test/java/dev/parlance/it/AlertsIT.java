package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.service.testing.LeakCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real Prometheus scrapes a running sidecar, and a forced fault wakes somebody. */
@ExtendWith(LeakCheck.class)
class AlertsIT {
  private static final Path RULES =
      Path.of("..", "deploy", "prometheus", "parlance.rules.yaml").toAbsolutePath().normalize();

  private static final String UNREADABLE =
      """
      POST / HTTP/1.1
      Host: a
      Content-Type: text/csv
      Content-Length: 3

      a,b\
      """
          .replace("\n", "\r\n");

  @TempDir Path folder = Path.of("");

  @Test
  void firstExchangeThatGoesOnUnchecked_firesItsAlert_andNoOther() throws Exception {
    try (StubAgent agent = new StubAgent(_ -> StubAgent.Reply.json("{}"));
        LocalSidecar sidecar =
            LocalSidecar.start(
                folder,
                "node",
                LocalSidecar.inboundTo(agent.port()),
                "routes:\n"
                    + "  - { name: open, match: { direction: inbound }, codec: a2a, onUnjudged:"
                    + " allow }\n");
        Prometheus prometheus =
            Prometheus.start(
                folder, RULES, List.of(new Prometheus.Target(sidecar.adminPort(), "shop", "a-1")));
        RawHttp client = new RawHttp(sidecar.inbound())) {
      await().atMost(Duration.ofSeconds(30)).until(() -> value(prometheus, "up").equals("1"));
      assertThat(rules(prometheus)).allMatch(rule -> rule.path("health").asString("").equals("ok"));
      assertThat(prometheus.firing()).isEmpty();
      assertThat(value(prometheus, "parlance_fail_open_total")).isEmpty();

      assertThat(client.send(UNREADABLE).reply().status()).isEqualTo(200);

      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(prometheus.firing()).containsExactly("ParlanceFailOpen"));
      // the question and its answer
      assertThat(sidecar.admin().sum("parlance_fail_open_total")).isEqualTo(2);
    }
  }

  @Test
  void controlPlane_isScrapedToo_andSidecarsThatItTurnsAwayFireTheirAlert() throws Exception {
    try (Kit kit = Kit.start(folder.resolve("control"));
        Prometheus prometheus =
            Prometheus.start(
                folder,
                RULES,
                List.of(
                    new Prometheus.Target(
                        kit.plane.httpAddress().port(),
                        "parlance-system",
                        "parlance-control-0")))) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() ->
              value(
                      prometheus,
                      "parlance_control_attach_refused_total%7Bresult=%22token_of_another_agent%22%7D")
                  .equals("0"));
      assertThat(prometheus.firing()).isEmpty();

      for (int i = 0; i < 8; i++) {
        try (FakeSidecar stranger =
            FakeSidecar.attach(
                kit.port(), kit.plane.attachToken("mallory"), "alice", Minds.plain())) {
          assertThat(stranger.ended.get(30, TimeUnit.SECONDS).isOk()).isFalse();
        }
      }

      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> assertThat(prometheus.firing()).containsExactly("ParlanceAttachRefused"));
    }
  }

  private static List<JsonNode> rules(Prometheus prometheus) throws Exception {
    List<JsonNode> rules =
        prometheus
            .data("rules")
            .path("groups")
            .valueStream()
            .flatMap(group -> group.path("rules").valueStream())
            .toList();
    assertThat(rules).hasSizeGreaterThan(20);
    return rules;
  }

  /** The value of the first series, empty if there is none. */
  private static String value(Prometheus prometheus, String metric) throws Exception {
    return prometheus
        .data("query?query=" + metric)
        .path("result")
        .path(0)
        .path("value")
        .path(1)
        .asString("");
  }
}
