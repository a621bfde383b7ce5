package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What users of public SDKs see of the errors of an agent behind a sidecar that enforces, and of an
 * answer that is held for a person.
 */
@Tag("client")
class ErrorsAsShownIT {
  private static final int MOST = 170;

  private static final Map<String, String> WAYS =
      Map.ofEntries(
          Map.entry("busy", "429 with `Retry-After`, an error of the protocol"),
          Map.entry("long", "400, 6 KB of an error of the protocol"),
          Map.entry("page", "503 with `Retry-After`, a page"),
          Map.entry("lost", "404, a line"),
          Map.entry("rpc", "200, an error of JSON-RPC"),
          Map.entry("event", "a stream that ends with an error"),
          Map.entry("dies", "a stream that breaks off"),
          Map.entry("held", "an answer that is held"),
          Map.entry("waits", "the same, asked for while it waits"),
          Map.entry("release", "the same, released"),
          Map.entry("reject", "the same, rejected"));

  private static final Map<String, String> GRPC_WAYS =
      Map.of("busy", "status 8 with a message", "long", "status 8 with a message of 6 KB");

  @TempDir Path folder = Path.of("");

  @Test
  void eachErrorAndEachHeldAnswer_isShownAsThePageSays() throws Exception {
    JsSide js = JsSide.ready();
    List<String> rows = new ArrayList<>();
    try (JsSide.Program agent = js.start("errors-agent.mjs")) {
      JsonNode ports = agent.next();
      String inbound =
          LocalSidecar.inboundTo(ports.path("port").asInt(0))
              + "  grpcAgent: 127.0.0.1:%d\n".formatted(ports.path("grpcPort").asInt(0));
      try (LocalSidecar sidecar =
          LocalSidecar.start(
              folder,
              "errors",
              inbound,
              "profiles: { none-left: { errorMax: 0 } }\nroutes: [{ name: all, profile: none-left"
                  + " }]\n")) {
        String base = "http://127.0.0.1:" + sidecar.inbound();
        ObjectNode settings = A2a.JSON.createObjectNode().put("base", base);
        try (JsSide.Program client = js.start("errors-client.mjs", settings.toString())) {
          read(client, sidecar, rows);
        }
        try (JsSide.Program client =
            A2aSdk.startJava("ErrorsV10Client", A2aSdk.NEWER, folder, base)) {
          read(client, sidecar, rows);
        }
      }
    }
    String page = Files.readString(Path.of("..", "docs", "errors.md"));
    String said = String.join("\n", rows);
    assertThat(page).as(said).contains(said);
  }

  private static void read(JsSide.Program client, LocalSidecar sidecar, List<String> rows)
      throws Exception {
    for (JsonNode row = client.next(); row.has("way"); row = client.next()) {
      String id = row.path("id").asString("");
      if (row.has("decide") && !id.isEmpty()) {
        String place = "/review/" + id + "/" + row.path("decide").asString("");
        String note = "{\"who\":\"ada\",\"note\":\"belts are of rubber\",\"undoMs\":0}";
        assertThat(sidecar.admin().post(place, note).statusCode()).isEqualTo(200);
      }
      if (row.has("decide")) {
        client.tell(A2a.JSON.createObjectNode());
      }
      String shown =
          row.path("shown")
              .asString("")
              .replaceAll("\\br-[0-9a-z]{6,}", "ID")
              .replaceAll("\\([a-z]+_[a-z_, ]+\\)", "(REASONS)")
              .replace('`', '\'');
      String user = row.path("client").asString("");
      String way = row.path("way").asString("");
      String line =
          "| %s | %s | `%s` |"
              .formatted(
                  user,
                  user.endsWith("gRPC") && GRPC_WAYS.containsKey(way)
                      ? GRPC_WAYS.get(way)
                      : WAYS.get(way),
                  shown.substring(0, Math.min(MOST, shown.length())).strip());
      if (!rows.contains(line)) {
        rows.add(line);
      }
    }
  }
}
