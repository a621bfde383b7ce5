package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a Prometheus server gets, after ordinary and after hostile traffic. */
@ExtendWith(LeakCheck.class)
class MetricsIT {
  private static final long SEED = 7;
  private static final int HOSTILE = 5_000;
  private static final int SERIES_MAX = 400;

  /** Kinds of traffic that meet a code for the first time may each add a series. */
  private static final int NEW_SERIES_MAX = 8;

  @TempDir Path folder = Path.of("");

  @Test
  void whatIsScraped_passesTheLint_andHostileIdsAddNoSeries() throws Exception {
    try (StubAgent agent = new StubAgent(MetricsIT::answer);
        LocalSidecar sidecar =
            LocalSidecar.start(
                folder,
                "node",
                LocalSidecar.inboundTo(agent.port()),
                "outbound:\n  listen: 127.0.0.1:0\n  allow: ['*.allowed.test']\n",
                "review:\n  capacity: 20\n")) {
      assertThat(MetricsLint.problems(sidecar.admin().scrape())).isEmpty();
      hostile(sidecar, 500, new Random(SEED));
      String before = sidecar.admin().scrape();
      hostile(sidecar, HOSTILE, new Random(SEED + 1));
      String after = sidecar.admin().scrape();

      assertThat(MetricsLint.problems(after)).isEmpty();
      List<String> seriesBefore = MetricsLint.series(before);
      List<String> seriesAfter = MetricsLint.series(after);
      assertThat(seriesAfter).hasSizeLessThan(SERIES_MAX);
      assertThat(seriesAfter.stream().filter(series -> !seriesBefore.contains(series)).toList())
          .hasSizeLessThanOrEqualTo(NEW_SERIES_MAX);
      assertThat(seriesAfter).noneMatch(series -> series.contains("zq"));
      assertThat(sidecar.admin().sum("parlance_requests_total")).isGreaterThan(HOSTILE / 2.0);
      assertThat(sidecar.admin().sum("parlance_rejected_total")).isGreaterThan(HOSTILE / 10.0);
      assertThat(sidecar.admin().sum("parlance_verdicts_total")).isGreaterThan(HOSTILE / 10.0);
    }
  }

  private static StubAgent.Reply answer(HttpBytes asked) {
    boolean good = asked.text().hashCode() % 2 == 0;
    return StubAgent.Reply.json(
        A2a.answer(A2a.idOf(asked), "a", good ? A2a.GROUNDED : A2a.INVENTED));
  }

  /** Every id that a stranger chooses is new in every request, and begins with zq. */
  private static void hostile(LocalSidecar sidecar, int requests, Random random) throws Exception {
    try (RawHttp inbound = new RawHttp(sidecar.inbound());
        RawHttp outbound = new RawHttp(sidecar.outboundPort())) {
      for (int i = 0; i < requests; i++) {
        String id = "zq" + Long.toString(random.nextLong() >>> 1, Character.MAX_RADIX);
        switch (i % 6) {
          case 0 -> exchange(inbound, message(id, "SendMessage", id));
          case 1 -> exchange(inbound, message(id, "Zq" + id, id));
          case 2 -> exchange(inbound, bodyless(id.toUpperCase(Locale.ROOT), id, id + ".test"));
          case 3 -> exchange(outbound, bodyless("GET", id, id + ".test"));
          case 4 -> exchange(inbound, message(id, "message/send", id).replace("1.0", id));
          case 5 -> {
            try (RawHttp broken = new RawHttp(sidecar.inbound())) {
              exchange(
                  broken, "GET /" + id + " HTTP/1.1\r\nHost: " + id + "\r\n" + id + "\r\n\r\n");
            }
          }
          default -> throw new IllegalStateException("six kinds, got " + i % 6);
        }
      }
    }
  }

  private static void exchange(RawHttp client, String request) throws IOException {
    assertThat(client.send(request).reply().status()).isBetween(200, 599);
  }

  private static String message(String id, String method, String type) {
    String body =
        A2a.ask("\"" + id + "\"", id, "When must the impeller be replaced? " + id)
            .replace("SendMessage", method);
    return "POST /%s HTTP/1.1\r\nHost: %s.test\r\nContent-Type: application/json\r\nX-%s: %s\r\nA2A-Version: 1.0\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(id, id, type, id, body.length(), body);
  }

  private static String bodyless(String method, String path, String host) {
    return "%s /%s HTTP/1.1\r\nHost: %s\r\nContent-Type: text/%s\r\n\r\n"
        .formatted(method, path, host, path);
  }
}
