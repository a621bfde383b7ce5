package dev.parlance.loadtest.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FakeUpstreamTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<SampleExchange> SMALL =
      ExchangeCorpus.build(new CorpusPlan(1, 8, 0.5, 1, 0));
  private static final List<SampleExchange> LARGE =
      ExchangeCorpus.build(new CorpusPlan(1, 8, 0.5, 100, 0));

  private final FakeUpstream upstream = new FakeUpstream(0, List.of(SMALL, LARGE));

  @AfterEach
  void close() {
    upstream.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), upstream.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  private static String post(String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static JsonNode answer(InputStream in) throws IOException {
    return JSON.readTree(ScriptedServer.request(in));
  }

  @Test
  void answersHaveTheirId_theirExchange_andEvidence_onOneConnection() throws IOException {
    try (Socket socket = connect()) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (long id = RequestBytes.FIRST_ID; id < RequestBytes.FIRST_ID + 20; id++) {
        SampleExchange expected = SMALL.get((int) (id % SMALL.size()));
        send(socket, post("/a2a/0", expected.requestBody(id)));
        JsonNode answer = answer(in);
        assertThat(answer.path("id").asLong()).isEqualTo(id);
        JsonNode message = answer.at("/result/message");
        assertThat(message.at("/parts/0/text").asString()).isEqualTo(expected.answer());
        assertThat(message.path("contextId").asString()).isEqualTo("flow-" + id);
        JsonNode evidence =
            message.path("metadata").path("https://w3id.org/parlance/ext/evidence/v1");
        assertThat(evidence.path("question").asString()).isEqualTo(expected.question());
        assertThat(evidence.path("context")).hasSize(expected.context().size());
        assertThat(evidence.path("citations")).isNotEmpty();
      }
    }
    assertThat(upstream.answered()).isEqualTo(20);
  }

  private String text(Socket socket, String path, long id) throws IOException {
    send(socket, post(path, SMALL.get((int) (id % SMALL.size())).requestBody(id)));
    return new String(ScriptedServer.request(socket.getInputStream()), StandardCharsets.US_ASCII);
  }

  @Test
  void newEvidence_hasOtherChunksEveryTime_ofTheSameLength_andSeenEvidenceTheSame()
      throws IOException {
    long id = RequestBytes.FIRST_ID + 3;
    Set<String> chunks = new HashSet<>();
    try (Socket socket = connect()) {
      String seen = text(socket, Freshness.SEEN.path(0), id);
      assertThat(text(socket, Freshness.SEEN.path(0), id)).isEqualTo(seen);
      for (int i = 0; i < 5; i++) {
        String fresh = text(socket, Freshness.NEW.path(0), id);
        assertThat(fresh).hasSameSizeAs(seen);
        assertThat(fresh.replaceAll("nonce[0-9]{10}", "nonce0000000000")).isEqualTo(seen);
        JsonNode context =
            JSON.readTree(fresh)
                .at("/result/message/metadata")
                .path("https://w3id.org/parlance/ext/evidence/v1")
                .path("context");
        context.forEach(chunk ->
            assertThat(chunks.add(chunk.path("text").asString()))
                .as("a chunk of its own")
                .isTrue());
      }
      assertThat(chunks).isNotEmpty();
      assertThat(text(socket, Freshness.SEEN.path(0), id)).isEqualTo(seen);
    }
  }

  @Test
  void pathPicksTheCorpus_andStringIdsComeBackAsTheyWere() throws IOException {
    try (Socket socket = connect()) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      send(socket, post("/a2a/1", "{\"id\":\"one\",\"method\":\"SendMessage\"}"));
      byte[] body = ScriptedServer.request(in);
      assertThat(body.length).isBetween(85_000, 115_000);
      assertThat(JSON.readTree(body).path("id").asString()).isEqualTo("one");
    }
  }

  @Test
  void pipelinedSplitAndChunkedRequests_areAllAnswered() throws IOException {
    String call = "{\"id\":5,\"method\":\"SendMessage\"}";
    String chunked =
        "POST /a2a/0 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n"
            + Integer.toHexString(call.length() - 5)
            + "\r\n"
            + call.substring(5)
            + "\r\n0\r\n\r\n";
    try (Socket socket = connect()) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      String all = post("/a2a/0", call) + chunked + post("/a2a/0", call);
      for (int from = 0; from < all.length(); from += 50) {
        send(socket, all.substring(from, Math.min(all.length(), from + 50)));
      }
      for (int i = 0; i < 3; i++) {
        assertThat(answer(in).path("id").asInt()).isEqualTo(5);
      }
    }
  }

  @Test
  void somethingElseThanACall_getsAnError_andStatsTellTheCount() throws IOException {
    try (Socket socket = connect()) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      send(socket, post("/a2a/0", "{\"id\":1}"));
      assertThat(answer(in).at("/error/code").asInt()).isEqualTo(-32600);
      send(socket, "GET /stats HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(answer(in).path("answered").asInt()).isZero();
    }
  }

  @Test
  void malformedFraming_closesTheConnection_andTheNextOneIsServed() throws IOException {
    for (String bad :
        List.of(
            "POST / HTTP/1.1\r\nContent-Length: 5x\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")) {
      try (Socket socket = connect()) {
        send(socket, bad);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    }
    try (Socket socket = connect()) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      send(socket, post("/a2a/0", "{\"id\":5,\"method\":\"SendMessage\"}"));
      assertThat(answer(in).path("id").asInt()).isEqualTo(5);
    }
  }
}
