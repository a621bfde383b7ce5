package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Agents that give no answer, callers that do not wait for theirs, and refusals: each has a line.
 */
class FailureLinesTest extends StreamFixture {
  /** Lines of refusals and failures, once as many are there. */
  private List<JsonNode> rejections(int count) throws Exception {
    Path log = folder.resolve("data/decisions.jsonl");
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() ->
            Files.readAllLines(log).stream().filter(line -> line.contains("rejection")).count()
                >= count);
    return Files.readAllLines(log).stream()
        .map(JSON::readTree)
        .filter(line -> line.path("type").asString("").equals("rejection"))
        .toList();
  }

  private static String send(String question) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\""
            + question
            + "\"}]}}}";
    return "POST /a2a HTTP/1.1\r\n"
        + "Host: agent\r\n"
        + "Content-Type: application/json\r\n"
        + "A2A-Version: 1.0\r\n"
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  @Test
  void O12_anAgentThatIsNotThere_hasALine_andIsNoSuccess() throws Exception {
    start("stream: hold", "");
    agent.close();
    Caller caller = connect().reading();
    caller.send(send(QUESTION));
    String seen = caller.until("connect_refused");

    JsonNode line = rejections(1).getFirst();
    assertThat(seen).startsWith("HTTP/1.1 200");
    assertThat(line.path("layer").asString("")).isEqualTo("origin");
    assertThat(line.path("code").asString("")).isEqualTo("connect_refused");
    assertThat(line.path("tTotalUs").asLong(0)).isPositive();
    assertThat(line.path("method").asString("")).isEqualTo("POST");
    assertThat(line.path("path").asString("")).isEqualTo("/a2a");
    assertThat(line.path("routeRule").asString("")).isEqualTo("all");
    String id = line.path("decisionId").asString("none");
    assertThat(JSON.readTree(admin("GET", "/decisions/" + id, "").body()).path("kind").asString(""))
        .isEqualTo("request");
    assertThat(scrape())
        .containsPattern(
            "parlance_requests_total\\{code_class=\"5xx\",direction=\"inbound\",protocol=\"a2a-1.0\",route=\"none\"}"
                + " 1")
        .doesNotContain(
            "parlance_requests_total{code_class=\"2xx\",direction=\"inbound\",protocol=\"a2a");
  }

  @Test
  void aRefusal_hasALine_withMethodPathAndRoute() throws Exception {
    start("stream: hold", "");
    Caller caller = connect().reading();
    caller.send(
        "POST /a2a HTTP/1.1\r\n"
            + "Host: agent\r\n"
            + "Content-Type: application/json\r\n"
            + "Content-Length: 1\r\n\r\n"
            + "{");
    caller.until("bad_json");

    JsonNode line = rejections(1).getFirst();
    assertThat(line.path("layer").asString("")).isEqualTo("json");
    assertThat(line.path("code").asString("")).isEqualTo("bad_json");
    assertThat(line.path("path").asString("")).isEqualTo("/a2a");
    assertThat(line.path("routeRule").asString("")).isEqualTo("all");
    assertThat(line.path("tTotalUs").asLong(0)).isPositive();
  }

  @Test
  void O12_anAgentThatDiesWithinAStream_hasALine() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.die();
        };
    start("stream: hold", "");
    ask(QUESTION).until("response_incomplete");

    JsonNode line = rejections(1).getFirst();
    assertThat(line.path("layer").asString("")).isEqualTo("origin");
    assertThat(line.path("code").asString("")).isEqualTo("response_incomplete");
    assertThat(line.path("tUpstreamUs").asLong(0)).isPositive();
  }

  @Test
  void O12_aCallerThatDoesNotWait_hasALine_withHowLongItDid() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    script =
        reply -> {
          asked.countDown();
          reply.awaitClose();
        };
    start("stream: hold", "");
    Caller caller = connect();
    caller.send(send(QUESTION));
    assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
    caller.close();

    JsonNode line = rejections(1).getFirst();
    assertThat(line.path("layer").asString("")).isEqualTo("caller");
    assertThat(line.path("code").asString("")).isEqualTo("caller_gone");
    assertThat(line.path("tTotalUs").asLong(0)).isPositive();
    assertThat(line.path("tUpstreamUs").asLong(0)).isPositive();
  }
}
