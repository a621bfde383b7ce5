package dev.parlance.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.http.HttpReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewCallsTest {
  @TempDir Path dir = Path.of("");
  private final FakePorts ports = new FakePorts();
  private final AtomicLong clockMs = new AtomicLong(1_000);
  private ReviewCalls calls;

  @BeforeEach
  void begin() throws IOException {
    calls = new ReviewCalls(ports.all(), AdminToken.open(dir), clockMs::get);
  }

  private HttpReply get(String path) {
    return calls.answer("GET", path, "", "ada");
  }

  private static String text(HttpReply reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  @Test
  void whoIsLoggedIn_isWhoDecides_whateverTheBodySays() {
    HttpReply reply =
        calls.answer("POST", "/review/r1/release", "{\"who\":\"eve\",\"note\":\"seen\"}", "ada");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(ports.calls)
        .containsExactly(
            "r1 Decide[who=ada, names=[ada], note=seen, verdict=release,"
                + " undoMs=OptionalLong.empty]");
  }

  @Test
  void whoIsLoggedIn_isWhoLooks_whateverTheQuerySays() {
    assertThat(get("/review/r1?for=eve").status()).isEqualTo(200);
    assertThat(get("/review/r1").status()).isEqualTo(200);
    assertThat(ports.calls).containsExactly("find r1 for ada", "find r1 for ada");
    ports.calls.clear();
    assertThat(text(get("/review?state=pending&facets=true&limit=5"))).contains("facets");
    assertThat(ports.calls.getFirst()).contains("viewer=Optional[ada]");
    ports.calls.clear();
    assertThat(calls.answer("GET", "/review?limit=1&for=eve", "", "").status()).isEqualTo(200);
    assertThat(ports.calls.getFirst()).contains("viewer=Optional.empty");
  }

  @Test
  void aLinkThatWasMadeHere_isRead_untilItExpires() {
    String made = text(calls.answer("POST", "/review/r-1/link", "{\"forMs\":10}", "ada"));
    String token = FakePorts.json(made).path("token").stringValue();
    String body = "{\"token\":\"" + token + "\"}";
    assertThat(text(calls.answer("POST", "/review-link", body, "ada"))).contains("\"r-1\"");
    clockMs.addAndGet(10);
    assertThat(text(calls.answer("POST", "/review-link", body, "ada"))).contains("link_expired");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/config",
        "/readyz",
        "/cores",
        "/decisions?limit=5",
        "/decisions/d-1",
        "/explain/d-1"
      })
  void whatAConsoleShowsOfTheSidecar_isAnsweredAsTheAdminServerDoes(String path) {
    assertThat(get(path).status()).isNotEqualTo(400);
    assertThat(text(get(path))).doesNotContain("nothing that a console shows");
    assertThat(calls.answer("POST", path, "{}", "ada").status()).isEqualTo(404);
  }

  @Test
  void theJudge_isAskedInNobodysName() {
    HttpReply reply = calls.answer("POST", "/judgement", "{\"answer\":\"It ends.\"}", "ada");
    assertThat(reply.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/livez",
        "/startupz",
        "/metrics",
        "/rounds/r/1",
        "/review/../config",
        "/pacts",
        "/pacts/p-1/dissolve",
        "",
        "review"
      })
  void nothingElseOfTheAdminApi_isThere(String path) {
    assertThat(get(path).status()).isEqualTo(404);
    assertThat(ports.calls).isEmpty();
  }

  @Test
  void whatIsNoRequest_isRefused() {
    assertThat(calls.answer("POST", "/review/r1/release", "{", "ada").status()).isEqualTo(400);
    assertThat(calls.answer("POST", "/review/r1/release", "[1]", "ada").status()).isEqualTo(400);
    assertThat(calls.answer("DELETE", "/review/r1", "", "ada").status()).isEqualTo(404);
    assertThat(get("/review?limit=0").status()).isEqualTo(400);
    assertThat(get("/review?x=%zz").status()).isEqualTo(400);
  }
}
