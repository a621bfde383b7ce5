package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.service.testing.LeakCheck;
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
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an agent pushes of a task to who has asked for it, through the sidecars of both. */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class PactPushIT {
  private static final String BEGUN =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"task\",\"id\":\"t-1\","
          + "\"contextId\":\"c-1\",\"status\":{\"state\":\"working\"}}}";

  @Test
  void P13_aPush_isProvenToItsReceiver_andAnybodyElsesCountsForNothing(@TempDir Path folder)
      throws Exception {
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        Signatory parties = Signatory.at(kit.plane);
        StubAgent hears = new StubAgent(_ -> new StubAgent.Reply(200, "", new byte[0]));
        StubAgent works = new StubAgent(_ -> StubAgent.Reply.json(BEGUN))) {
      PactPair.publish(parties);
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      String[] asks =
          PactPair.asks(PactPair.control(folder, kit, PactPair.SUPPORT), "timeoutMs: 60000");
      asks[0] += LocalSidecar.inboundTo(hears.port());
      try (LocalSidecar asking = LocalSidecar.start(folder, PactPair.SUPPORT, asks)) {
        String[] gives =
            PactPair.gives(
                works.port(),
                PactPair.control(folder, kit, PactPair.ENRICHER)
                    + "  peers: [ { agent: support, hosts: [\"127.0.0.1:%d\"] } ]\n"
                        .formatted(asking.inbound()),
                "platform/enrich@1");
        gives[0] += LocalSidecar.outbound();
        try (LocalSidecar giving = LocalSidecar.start(folder, PactPair.ENRICHER, gives)) {
          int here = asking.inbound();
          assertThat(
                  post(
                          Optional.of(asking.outboundPort()),
                          giving.inbound(),
                          PactPair.body("{\"name\":\"Ann\"}"))
                      .body())
              .contains("t-1");
          assertThat(post(Optional.empty(), here, push("name")).body()).contains("pact_required");
          assertThat(hears.asked()).isEmpty();
          HttpResponse<String> pushed =
              post(Optional.of(giving.outboundPort()), here, push("name"));
          assertThat(pushed.statusCode()).as(pushed.body()).isEqualTo(200);
          assertThat(hears.asked()).hasSize(1);
          assertThat(hears.asked().getFirst().field("Parlance-Pact")).isEmpty();
          assertThat(post(Optional.of(giving.outboundPort()), here, push("ssn")).body())
              .contains("pact_scope");
          // What is not about the task goes as its route says.
          assertThat(post(Optional.empty(), here, push("name").replace("t-1", "t-2")).statusCode())
              .isEqualTo(200);
          assertThat(hears.asked()).hasSize(2);
        }
      }
    }
  }

  private static String push(String field) {
    return "{\"kind\":\"task\",\"id\":\"t-1\",\"contextId\":\"c-1\",\"status\":{\"state\":"
        + "\"completed\"},\"artifacts\":[{\"artifactId\":\"a-1\",\"parts\":[{\"kind\":\"data\","
        + "\"data\":{\""
        + field
        + "\":1}}]}]}";
  }

  private static HttpResponse<String> post(Optional<Integer> through, int port, String body)
      throws IOException, InterruptedException {
    HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    through.ifPresent(own ->
        client.proxy(
            ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), own))));
    try (HttpClient one = client.build()) {
      return one.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
              .timeout(Duration.ofSeconds(30))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString(UTF_8));
    }
  }
}
