package dev.parlance.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.console.source.SidecarSource;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConsoleServerTest {
  private final FakeSidecar sidecar = new FakeSidecar();
  private ConsoleServer server;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    server =
        ConsoleServer.start(
            ConsoleSettings.onLoopback(0, "1", "ada"),
            new SidecarSource("s", sidecar),
            Optional.empty());
    browser = new Browser(server);
  }

  @AfterEach
  void stop() {
    browser.close();
    server.close();
  }

  @Test
  void aCodeLogsInOnce_andTheCookieIsOutOfReachOfScriptsAndOtherSites() throws Exception {
    String body = "{\"code\":\"" + Browser.code(server.link()) + "\"}";
    assertThat(browser.get("/api/v1/sidecars").statusCode()).isEqualTo(401);
    HttpResponse<String> in = browser.post("/api/v1/session", body);
    assertThat(in.statusCode()).isEqualTo(200);
    assertThat(in.headers().firstValue("set-cookie").orElse(""))
        .contains("; HttpOnly; SameSite=Strict")
        .contains("Path=/");
    assertThat(in.body()).contains("\"who\":\"ada\"");
    assertThat(browser.get("/api/v1/sidecars").statusCode()).isEqualTo(200);
    assertThat(browser.post("/api/v1/session", body).statusCode()).isEqualTo(403);
    var out = browser.send("DELETE", "/api/v1/session", "", Map.of("origin", browser.origin()));
    assertThat(out.statusCode()).isEqualTo(204);
    assertThat(browser.get("/api/v1/sidecars").statusCode()).isEqualTo(401);
  }

  @Test
  void whatAnotherSiteSends_isRefused_withACookieToo() throws Exception {
    browser.logIn(server);
    String path = "/api/v1/review/s/r-1/release";
    for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1")) {
      HttpResponse<String> answer =
          browser.send(
              "POST", path, "{}", Map.of("origin", origin, "content-type", "application/json"));
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("origin_refused");
    }
    assertThat(
            browser
                .send("POST", path, "{}", Map.of("content-type", "application/json"))
                .statusCode())
        .isEqualTo(403);
    assertThat(
            browser
                .send(
                    "POST",
                    path,
                    "{}",
                    Map.of("origin", browser.origin(), "content-type", "text/plain"))
                .statusCode())
        .isEqualTo(415);
    assertThat(sidecar.calls).noneMatch(call -> call.contains("/release"));
  }

  @Test
  void aNameThatOnlyResolvesToThisMachine_isRefused() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "GET / HTTP/1.1\r\nHost: rebound.example:%d\r\n\r\n"
              .formatted(server.address().getPort())
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 421");
    }
  }

  @Test
  void whoDecidedIsWhoLoggedIn_whateverTheBodySays() throws Exception {
    browser.logIn(server);
    assertThat(
            browser
                .post("/api/v1/review/s/r-1/release", "{\"who\":\"mallory\",\"note\":\"x\"}")
                .statusCode())
        .isEqualTo(400);
    assertThat(browser.post("/api/v1/review/s/r-1/release", "{\"note\":\"x\"}").statusCode())
        .isEqualTo(200);
    assertThat(sidecar.calls)
        .contains(
            "/review/r-1/release{\"who\":\"ada\",\"note\":\"x\","
                + "\"as\":[\"auditor\",\"operator\",\"reviewer\",\"viewer\"]}");
  }

  @Test
  void aSignedLinkOpensItsItemAlone() throws Exception {
    assertThat(browser.post("/api/v1/session", "{\"link\":\"T0\"}").statusCode()).isEqualTo(200);
    assertThat(browser.get("/api/v1/review/s/r-1").statusCode()).isEqualTo(200);
    assertThat(browser.post("/api/v1/review/s/r-1/release", "{}").statusCode()).isEqualTo(200);
    assertThat(browser.get("/api/v1/review/s/r-2").statusCode()).isEqualTo(403);
    assertThat(browser.post("/api/v1/review/search", "{}").statusCode()).isEqualTo(403);
    assertThat(browser.get("/api/v1/events").statusCode()).isEqualTo(403);
    assertThat(browser.get("/api/v1/sidecars").statusCode()).isEqualTo(403);
    assertThat(browser.post("/api/v1/review/s/r-1/link", "{}").statusCode()).isEqualTo(403);
  }

  /** A draft names evidence only where it was held against another one than the rest. */
  @Test
  void eachDraftHasTheEvidenceThatItWasHeldAgainst() throws Exception {
    browser.logIn(server);
    JsonNode item = JsonMapper.shared().readTree(browser.get("/api/v1/review/s/r-1").body());
    assertThat(item.at("/drafts/0/evidence/0/id").asString()).isEqualTo("c0");
    assertThat(item.at("/drafts/1/evidence/0/text").asString()).isEqualTo("The gate opens at 8.");
    assertThat(item.at("/evidence/0/id").asString()).isEqualTo("c1");
  }

  @Test
  void aSidecarThatIsGone_isSaid() throws Exception {
    browser.logIn(server);
    sidecar.gone = true;
    HttpResponse<String> answer = browser.get("/api/v1/review/s/r-1");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("sidecar_gone");
    assertThat(browser.get("/api/v1/sidecars").body()).contains("\"attached\":false");
  }

  @Test
  void eventsResumeBehindTheLastOneThatWasSeen() throws Exception {
    browser.logIn(server);
    String first;
    try (Stream<String> lines = browser.events("")) {
      Iterator<String> events = lines.iterator();
      assertThat(next(events, "event: ")).isEqualTo("reset");
      sidecar.decisions.add(FakeSidecar.decision("d-2"));
      first = next(events, "id: ");
      assertThat(next(events, "event: ")).isEqualTo("decision");
      assertThat(next(events, "data: ")).contains("\"id\":\"d-2\"").doesNotContain("opens at 9");
    }
    sidecar.decisions.add(FakeSidecar.decision("d-3"));
    sidecar.decisions.add(FakeSidecar.decision("d-4"));
    try (Stream<String> lines = browser.events(first)) {
      Iterator<String> events = lines.iterator();
      assertThat(next(events, "data: ")).contains("\"id\":\"d-3\"");
      assertThat(next(events, "data: ")).contains("\"id\":\"d-4\"");
    }
    try (Stream<String> lines = browser.events("0-7")) {
      assertThat(next(lines.iterator(), "event: ")).isEqualTo("reset");
    }
  }

  @Test
  void aSessionThatEnds_endsItsStream() throws Exception {
    browser.logIn(server);
    try (Stream<String> lines = browser.events("")) {
      Iterator<String> events = lines.iterator();
      assertThat(next(events, "event: ")).isEqualTo("reset");
      browser.send("DELETE", "/api/v1/session", "", Map.of("origin", browser.origin()));
      events.forEachRemaining(line -> {});
    } catch (java.io.UncheckedIOException e) {
      assertThat(e).hasMessageContaining(""); // cut in the middle of a chunk, or at its end
    }
    assertThat(browser.get("/api/v1/session").statusCode()).isEqualTo(401);
  }

  @Test
  void pagesComeWithAStrictPolicy_andNothingElseOfTheClassPathDoes() throws Exception {
    HttpResponse<String> script = browser.get("/lib/preact/dist/preact.module.js");
    assertThat(script.statusCode()).isEqualTo(200);
    assertThat(script.headers().firstValue("content-type").orElse("")).contains("javascript");
    assertThat(script.headers().firstValue("content-security-policy").orElse(""))
        .contains("default-src 'none'")
        .doesNotContain("unsafe");
    assertThat(browser.get("/lib/uplot/dist/uPlot.esm.js").statusCode()).isEqualTo(200);
    for (String path :
        List.of(
            "/openapi.yaml",
            "/../openapi.yaml",
            "/lib/preact/package.json",
            "/lib/preact/dist/preact.js",
            "/ConsoleServer.class",
            "/js/%2e%2e/index.html",
            "/nothing.js")) {
      assertThat(browser.get(path).statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void badRequestsAreProblemsWithStableCodes() throws Exception {
    browser.logIn(server);
    assertThat(browser.get("/api/v1/nothing").body()).contains("\"code\":\"not_found\"");
    assertThat(browser.get("/api/v1/decisions?limit=0").body())
        .contains("\"code\":\"bad_parameter\"");
    assertThat(browser.get("/api/v1/decisions?limit=1&limit=2").statusCode()).isEqualTo(400);
    assertThat(browser.get("/api/v1/decisions?x=1").statusCode()).isEqualTo(400);
    assertThat(browser.get("/api/v1/cores").body()).contains("\"code\":\"no_feature\"");
    assertThat(browser.post("/api/v1/sidecars", "{}").statusCode()).isEqualTo(405);
    assertThat(browser.post("/api/v1/review/search", "{\"a\":1,\"a\":2}").body())
        .contains("\"code\":\"bad_body\"");
    assertThat(browser.post("/api/v1/review/s/r-1/send-back", "{}").statusCode()).isEqualTo(400);
    HttpResponse<String> problem = browser.get("/api/v1/nothing");
    assertThat(problem.headers().firstValue("content-type").orElse(""))
        .isEqualTo("application/problem+json");
  }

  private static String next(Iterator<String> lines, String prefix) {
    while (lines.hasNext()) {
      String line = lines.next();
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length());
      }
    }
    throw new AssertionError("the stream ended before " + prefix);
  }
}
