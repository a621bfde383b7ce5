package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What users of public SDKs see of the errors of an agent behind a sidecar that enforces. */
@Tag("client")
class ErrorsAsShownIT {
  private static final Map<String, String> WAYS =
      Map.of(
          "busy", "429 with `Retry-After`, an error of the protocol",
          "long", "400, 6 KB of an error of the protocol",
          "page", "503 with `Retry-After`, a page",
          "lost", "404, a line",
          "rpc", "200, an error of JSON-RPC",
          "event", "a stream that ends with an error",
          "dies", "a stream that breaks off");

  @TempDir Path folder = Path.of("");

  @Test
  void eachErrorIsShownAsThePageSays() throws IOException, InterruptedException {
    JsSide js = JsSide.ready();
    List<String> rows = new ArrayList<>();
    try (JsSide.Program agent = js.start("errors-agent.mjs")) {
      int port = agent.next().path("port").asInt(0);
      try (LocalSidecar sidecar =
          LocalSidecar.start(folder, "errors", LocalSidecar.inboundTo(port))) {
        for (JsonNode row :
            js.run(
                "errors-client.mjs", "{\"base\":\"http://127.0.0.1:" + sidecar.inbound() + "\"}")) {
          rows.add(
              "| %s | %s | `%s` |"
                  .formatted(
                      row.path("client").asString(""),
                      WAYS.get(row.path("way").asString("")),
                      row.path("shown").asString("").replace('`', '\'').strip()));
        }
      }
    }
    String page = Files.readString(Path.of("..", "docs", "reading.md"));
    String said = String.join("\n", rows);
    assertThat(page).as(said).contains(said);
  }
}
