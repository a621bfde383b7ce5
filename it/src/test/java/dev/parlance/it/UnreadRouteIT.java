package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Routes with {@code read: none} and {@code read: answer} beside enforcing ones: what goes through,
 * and what does not.
 */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class UnreadRouteIT {
  private static final String UNFOUNDED =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":{\"messageId\":\"a\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"The"
          + " walrus of the north hall outweighs the topaz by 80 coins.\"}]}}}";

  @TempDir Path folder;

  private Agent agent;
  private LocalSidecar sidecar;

  /** Serves each connection as a test says, request after request. */
  private static final class Agent implements AutoCloseable {
    interface Serving {
      void serve(HttpBytes request, InputStream in, OutputStream out) throws IOException;
    }

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<HttpBytes> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> gone = new LinkedBlockingQueue<>();
    private volatile Serving serving = (_, _, out) -> out.write(ok("fine"));

    Agent() throws IOException {
      threads.execute(() -> {
        while (!server.isClosed()) {
          try {
            Socket socket = server.accept();
            threads.execute(() -> serve(socket));
          } catch (IOException closed) {
            return;
          }
        }
      });
    }

    private void serve(Socket socket) {
      try (socket) {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        for (var next = HttpBytes.readRequest(in);
            next.isPresent();
            next = HttpBytes.readRequest(in)) {
          asked.add(next.get());
          serving.serve(next.get(), in, socket.getOutputStream());
        }
      } catch (IOException closed) {
        gone.add("broken");
      }
    }

    HttpBytes asked() throws InterruptedException {
      HttpBytes request = asked.poll(30, TimeUnit.SECONDS);
      assertThat(request).as("the agent was asked").isNotNull();
      return request;
    }

    @Override
    public void close() throws IOException {
      server.close();
      threads.shutdownNow();
      threads.close();
    }
  }

  private static byte[] ok(String body, String... fields) {
    String head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n";
    for (String field : fields) {
      head += field + "\r\n";
    }
    return (head + "\r\n" + body).getBytes(ISO_8859_1);
  }

  private static String posted(String path, String body, String... fields) {
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: agent.test\r\nContent-Length: "
            + body.length()
            + "\r\n";
    for (String field : fields) {
      head += field + "\r\n";
    }
    return head + "\r\n" + body;
  }

  @BeforeEach
  void start() throws IOException {
    agent = new Agent();
    sidecar =
        LocalSidecar.start(
            folder,
            "mixed",
            "mode: enforce\n"
                + "routes:\n"
                + "  - {name: files, match: {pathPrefix: /files}, read: none}\n"
                + "  - {name: answers, match: {pathPrefix: /answers}, read: answer, codec: a2a,"
                + " grounding: required}\n"
                + "  - {name: some, match: {pathPrefix: /some}, read: none, allow:"
                + " [\"spiffe://a/b\"]}\n",
            LocalSidecar.inboundTo(agent.server.getLocalPort()),
            LocalSidecar.outbound());
  }

  @AfterEach
  void stop() throws IOException {
    sidecar.close();
    agent.close();
  }

  private String metrics() throws Exception {
    return sidecar.admin().get("/metrics").body();
  }

  @Test
  void whatNobodyReads_goesOnAsItIs_countedAndWithoutALine() throws Exception {
    agent.serving =
        (_, _, out) ->
            out.write(
                ok(
                    UNFOUNDED,
                    "Content-Type: application/json",
                    "ETag: \"1\"",
                    "ASP-Signal: forged"));
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      for (int i = 0; i < 3; i++) {
        client.send(
            posted(
                "/files/a",
                "{\"jsonrpc\": oops",
                "Content-Type: application/json",
                "Accept-Encoding: br",
                "Parlance-Verdict: forged"));
        HttpBytes reply = client.reply();
        assertThat(reply.startLine()).isEqualTo("HTTP/1.1 200 OK");
        assertThat(reply.text()).isEqualTo(UNFOUNDED);
        assertThat(reply.field("etag")).contains("\"1\"");
        assertThat(reply.field("asp-signal")).isEmpty();
        HttpBytes request = agent.asked();
        assertThat(request.text()).isEqualTo("{\"jsonrpc\": oops");
        assertThat(request.field("accept-encoding")).contains("br");
        assertThat(request.field("parlance-verdict")).isEmpty();
      }
      client.send(posted("/read", "some words of an order", "Content-Type: application/x-odd"));
      assertThat(client.reply().field("parlance-reason")).contains("unjudged");
    }
    assertThat(metrics())
        .contains(
            "parlance_requests_total{code_class=\"2xx\",direction=\"inbound\",protocol=\"none\",route=\"none\"}"
                + " 3.0",
            "parlance_forged_header_total{source=\"agent\"} 3.0",
            "parlance_forged_header_total{source=\"peer\"} 3.0");
    sidecar.close();
    assertThat(sidecar.log())
        .noneMatch(line -> line.toString().contains("/files"))
        .anyMatch(line -> line.toString().contains("/read"));
  }

  private static String grounded(String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":"
        + id
        + ",\"result\":{\"message\":{\"messageId\":\"a\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"The"
        + " sky over the north hall is"
        + " blue.\"}],\"metadata\":{\"https://w3id.org/parlance/ext/evidence/v1\":{\"context\":[{\"id\":\"a\",\"text\":\"The"
        + " sky over the north hall is blue.\"}],\"citations\":[\"a\"]}}}}}";
  }

  @Test
  void whereAnswersAloneAreRead_requestsGoOnAsTheyAre_andAnswersAreJudged() throws Exception {
    agent.serving =
        (_, _, out) -> out.write(ok(grounded("\"q-7\""), "Content-Type: application/json"));
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(
          posted(
              "/answers/a",
              "{\"jsonrpc\": oops",
              "Content-Type: application/json",
              "Parlance-Verdict: forged"));
      HttpBytes reply = client.reply();
      assertThat(reply.startLine()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(reply.field("parlance-route")).isPresent();
      assertThat(reply.text()).contains("The sky over the north hall is blue.");
      HttpBytes request = agent.asked();
      assertThat(request.text()).isEqualTo("{\"jsonrpc\": oops");
      assertThat(request.field("parlance-route")).isEmpty();
      assertThat(request.field("parlance-verdict")).isEmpty();

      agent.serving = (_, _, out) -> out.write(ok(UNFOUNDED, "Content-Type: application/json"));
      client.send(posted("/answers/a", "{}", "Content-Type: application/json"));
      HttpBytes refused = client.reply();
      assertThat(refused.text()).doesNotContain("walrus").contains("\"id\":1");
      assertThat(refused.field("parlance-reason")).contains("no_evidence, regenerate_off");
      assertThat(agent.asked().text()).isEqualTo("{}");

      client.send(
          "POST /answers/a HTTP/1.1\r\nHost: a\r\nContent-Length: " + (6 << 20) + "\r\n\r\n");
      assertThat(client.rest()).startsWith("HTTP/1.1 413").contains("body_too_large");
    }
    assertThat(agent.asked).isEmpty();
    sidecar.close();
    assertThat(sidecar.log())
        .filteredOn(line -> line.toString().contains("/answers"))
        .filteredOn(line -> line.path("type").asString("").equals("decision"))
        .hasSize(2)
        .allMatch(line -> line.path("kind").asString().equals("response"))
        .extracting(line -> line.path("flow").asString())
        .doesNotHaveDuplicates();
  }

  @Test
  void whatAPersonWouldDecideAbout_isRefusedWhereRequestsAreNotRead() throws Exception {
    agent.serving =
        (_, _, out) ->
            out.write(
                ok(
                    grounded("1").replace("hall is blue.\"}],\"m", "hall is not blue.\"}],\"m"),
                    "Content-Type: application/json"));
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      for (int i = 0; i < 4; i++) {
        client.send(
            posted(
                "/answers/a",
                "{}",
                "Content-Type: application/json",
                "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
        assertThat(client.reply().text()).doesNotContain("is not blue");
      }
    }
    assertThat(sidecar.admin().get("/review").body()).doesNotContain("\"id\"");
    sidecar.close();
    assertThat(sidecar.log())
        .extracting(line -> line.path("action").asString(""))
        .contains("refuse_unread_request");
  }

  @Test
  void bodiesOfAnySize_goThrough_andOtherRoutesKeepTheirLimit() throws Exception {
    String large = "x".repeat(6 << 20);
    agent.serving = (_, _, out) -> out.write(ok(large, "Content-Type: application/octet-stream"));
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(posted("/files/a", "small"));
      HttpBytes reply = client.reply();
      assertThat(reply.field("content-length")).contains(Integer.toString(large.length()));
      assertThat(reply.body()).hasSize(large.length());
      client.send(posted("/files/a", large));
      assertThat(client.reply().body()).hasSize(large.length());
      assertThat(agent.asked().body()).hasSize(5);
      assertThat(agent.asked().body()).hasSize(large.length());
    }
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(
          "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: " + large.length() + "\r\n\r\n");
      assertThat(client.rest()).startsWith("HTTP/1.1 413").contains("body_too_large");
    }
    agent.serving = (_, _, out) -> out.write(ok("fine"));
    try (H2Caller caller = new H2Caller(sidecar.inbound())) {
      byte[] bytes = large.getBytes(UTF_8);
      assertThat(caller.post("/files/b", "text/plain", bytes).get(60, TimeUnit.SECONDS).status())
          .isEqualTo("200");
      assertThat(agent.asked().body()).hasSize(large.length());
      assertThat(caller.post("/read", "text/plain", bytes).get(60, TimeUnit.SECONDS).status())
          .isEqualTo("413");
    }
  }

  @Test
  void aLongRequest_isForThoseWhomTheRouteIsFor() throws Exception {
    for (int length : new int[] {2, 6 << 20}) {
      try (RawHttp client = new RawHttp(sidecar.inbound())) {
        client.send("POST /some HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n{}");
        assertThat(client.reply().startLine()).containsPattern(" 4(03|13) ");
      }
    }
    assertThat(agent.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Transfer-Encoding: chunked", "Content-Length: 100"})
  void anAnswerThatComesSlowly_isHeardAsItComes(String framing) throws Exception {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    boolean chunked = framing.endsWith("chunked");
    agent.serving =
        (_, _, out) -> {
          out.write(("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n").getBytes(ISO_8859_1));
          out.write((chunked ? "5\r\nfirst\r\n" : "first").getBytes(ISO_8859_1));
          try {
            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("heard");
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          String rest = "x".repeat(95);
          out.write((chunked ? "5f\r\n" + rest + "\r\n0\r\n\r\n" : rest).getBytes(ISO_8859_1));
        };
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(posted("/files/a", "{}"));
      StringBuilder heard = new StringBuilder();
      while (heard.indexOf("first") < 0) {
        heard.append(client.some());
      }
      told.add("heard");
      while (heard.indexOf("x".repeat(95)) < 0) {
        heard.append(client.some());
      }
    }
  }

  @Test
  void whatBreaksOff_isNoWholeAnswer_andASilentAgentIsSaid() throws Exception {
    agent.serving =
        (_, _, out) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\nhalf".getBytes(ISO_8859_1));
          out.flush();
          throw new IOException("as asked");
        };
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(posted("/files/a", "{}"));
      assertThat(client.rest()).doesNotEndWith("x".repeat(10)).hasSizeLessThan(600);
    }
    agent.close();
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(posted("/files/a", "{}"));
      assertThat(client.reply().text()).contains("connect_refused");
    }
    assertThat(metrics()).contains("parlance_origin_errors_total{reason=\"connect_refused\"} 1.0");
  }

  @Test
  void aCallerThatLeaves_endsItsCall() throws Exception {
    BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    agent.serving =
        (_, in, out) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\nhalf".getBytes(ISO_8859_1));
          ended.add(in.read() < 0 ? "ended" : "said more");
        };
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(posted("/files/a", "{}"));
      assertThat(client.some()).startsWith("HTTP/1.1 200");
    }
    assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("ended");
  }
}
