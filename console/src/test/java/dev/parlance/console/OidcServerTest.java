package dev.parlance.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.console.login.ConsoleRole;
import dev.parlance.console.login.FakeIssuer;
import dev.parlance.console.login.OidcSettings;
import dev.parlance.console.source.SidecarSource;
import dev.parlance.service.config.Listen;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OidcServerTest {
  @Test
  void aBrowserIsSentToTheIssuer_andComesBackAsWhoItIsThere_withItsRolesAlone() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    URI url = URI.create("http://127.0.0.1:" + port);
    FakeSidecar sidecar = new FakeSidecar();
    try (FakeIssuer issuer = new FakeIssuer();
        ConsoleServer server =
            ConsoleServer.start(
                new ConsoleSettings(
                    new Listen("127.0.0.1", port),
                    "1",
                    "nobody",
                    Set.of(),
                    Optional.of(
                        new ConsoleSettings.Outside(
                            url,
                            new OidcSettings(
                                issuer.issuer(),
                                FakeIssuer.CLIENT,
                                Optional.empty(),
                                "email",
                                "groups",
                                Map.of(ConsoleRole.REVIEWER, Set.of("reviewers"))),
                            Optional.empty()))),
                new SidecarSource("s", sidecar),
                Optional.empty());
        Browser browser = new Browser(server)) {
      assertThat(browser.get("/api/v1/session").body()).contains("\"login\":\"oidc\"");
      String code = server.link().getFragment().substring("code=".length());
      assertThat(browser.post("/api/v1/session", "{\"code\":\"" + code + "\"}").statusCode())
          .isEqualTo(403);
      HttpResponse<String> away = browser.get("/api/v1/session/oidc");
      assertThat(away.statusCode()).isEqualTo(302);
      assertThat(away.headers().firstValue("set-cookie").orElse("")).contains("SameSite=Lax");
      String location = away.headers().firstValue("location").orElse("");
      assertThat(location).startsWith(issuer.issuer() + "/authorize?").contains("S256");
      String back =
          issuer.logIn(location).entrySet().stream()
              .map(one ->
                  one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
              .collect(Collectors.joining("&"));
      HttpResponse<String> in = browser.get("/api/v1/session/oidc/callback?" + back);
      assertThat(in.statusCode()).as(in.body()).isEqualTo(302);
      assertThat(in.headers().firstValue("location").orElse("")).isEqualTo("/");
      assertThat(browser.get("/api/v1/session").body())
          .contains("\"who\":\"ada@example.org\"")
          .contains("\"roles\":[\"reviewer\"]");
      assertThat(browser.post("/api/v1/review/s/r-1/release", "{}").statusCode()).isEqualTo(200);
      assertThat(sidecar.calls)
          .contains(
              "/review/r-1/release{\"who\":\"ada@example.org\",\"note\":\"\","
                  + "\"as\":[\"reviewer\",\"reviewers\",\"staff\"]}");
      assertThat(browser.get("/api/v1/sidecars/s/config").statusCode()).isEqualTo(403);
    }
  }
}
