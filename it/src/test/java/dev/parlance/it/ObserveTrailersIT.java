package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What stands behind a body and what is expected before it, where nothing is held back and the two
 * sides need not speak the same version; {@link ObserveTapIT} has HTTP/1.1 on both.
 */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class ObserveTrailersIT {
  private static final String TRAILED =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n";
  private static final String QUESTION =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"What"
          + " does it cost?\"}]}}}";
  private static final Http2Headers BEHIND = new DefaultHttp2Headers().set("x-sum", "2");

  @TempDir Path folder;

  private LocalSidecar sidecar(String mode, int agent) throws Exception {
    return LocalSidecar.start(folder, mode, "mode: " + mode + "\n", LocalSidecar.inboundTo(agent));
  }

  private static Http2Headers head(String type) {
    return new DefaultHttp2Headers()
        .method("POST")
        .scheme("http")
        .authority("agent.test")
        .path("/a")
        .set("content-type", type);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 6_000_000})
  void overHttp2_toHttp1_fieldsBehindTheBodyPassBothWays(int bytes) throws Exception {
    try (ObserveTapIT.Agent agent = new ObserveTapIT.Agent();
        LocalSidecar sidecar = sidecar("observe", agent.port());
        H2Caller caller = new H2Caller(sidecar.inbound())) {
      agent.answers(TRAILED.getBytes(ISO_8859_1));
      H2Caller.Reply reply =
          caller
              .send(head("text/plain"), "y".repeat(bytes).getBytes(UTF_8), BEHIND)
              .get(60, TimeUnit.SECONDS);
      assertThat(reply.body()).isEqualTo("ok");
      assertThat(reply.trailers()).isEqualTo(Map.of("x-sum", "1"));
      assertThat(agent.asked()).endsWith("\n\n" + "y".repeat(bytes) + "\nx-sum: 2");
    }
  }

  @ParameterizedTest
  @CsvSource({"0,observe", "5,observe", "200000,observe", "5,enforce"})
  void overHttp2_toHttp2_fieldsBehindTheBodyPass_whereNothingIsHeldBack(int bytes, String mode)
      throws Exception {
    try (H2Agent agent =
            new H2Agent(0, "", Optional.of(new DefaultHttp2Headers().set("grpc-status", "0")));
        LocalSidecar sidecar = sidecar(mode, agent.port());
        H2Caller caller = new H2Caller(sidecar.inbound())) {
      byte[] body = "z".repeat(bytes).getBytes(UTF_8);
      H2Caller.Reply reply =
          caller.send(head("application/grpc"), body, BEHIND).get(60, TimeUnit.SECONDS);
      if (mode.equals("observe")) {
        assertThat(reply.trailers()).containsEntry("grpc-status", "0");
        assertThat(agent.asked()).containsExactly("z".repeat(bytes) + "\nx-sum: 2");
      } else {
        assertThat(agent.asked()).noneMatch(asked -> asked.contains("x-sum"));
      }
    }
  }

  /** Each route for itself: what another one does takes nothing from the one that observes. */
  @ParameterizedTest
  @CsvSource({"1,1,/seen", "1,2,/seen", "2,1,/seen", "2,2,/seen", "1,1,/held", "2,2,/held"})
  void besideARouteThatEnforces_fieldsBehindTheBodyPassWhereTheirOwnObserves(
      int from, int to, String path) throws Exception {
    try (ObserveTapIT.Agent one = new ObserveTapIT.Agent();
        H2Agent two = new H2Agent(0, "{}");
        LocalSidecar sidecar =
            LocalSidecar.start(
                folder,
                "mixed",
                LocalSidecar.inboundTo(to == 1 ? one.port() : two.port()),
                "  agentProtocol: http" + to + "\n",
                "routes:\n  - { name: seen, match: { pathPrefix: /seen }, mode: observe }\n",
                "  - { name: held, onUnjudged: warn }\n")) {
      one.answers(TRAILED.getBytes(ISO_8859_1));
      if (from == 1) {
        try (RawHttp client = new RawHttp(sidecar.inbound())) {
          client.send(
              "POST "
                  + path
                  + " HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
                  + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 2\r\n\r\n");
          assertThat(client.reply().startLine()).isEqualTo("HTTP/1.1 200 OK");
        }
      } else {
        try (H2Caller caller = new H2Caller(sidecar.inbound())) {
          Http2Headers head = head("text/plain").path(path);
          var _ = caller.send(head, "hi".getBytes(UTF_8), BEHIND).get(60, TimeUnit.SECONDS);
        }
      }
      String asked = to == 1 ? one.asked() : two.asked().getFirst();
      if (path.equals("/seen")) {
        assertThat(asked).endsWithIgnoringCase("hi\nx-sum: 2");
      } else {
        assertThat(asked).endsWith("hi");
      }
    }
  }

  @Test
  void enforcing_fieldsBehindAQuestionStayBehind_forNobodyReadsThem() throws Exception {
    try (ObserveTapIT.Agent agent = new ObserveTapIT.Agent();
        LocalSidecar sidecar = sidecar("enforce", agent.port());
        RawHttp client = new RawHttp(sidecar.inbound())) {
      agent.answers(TRAILED.getBytes(ISO_8859_1));
      client.send(
          "POST /a2a HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nContent-Type: application/json\r\n"
              + "A2A-Version: 1.0\r\nTransfer-Encoding: chunked\r\n\r\n"
              + Integer.toHexString(QUESTION.length())
              + "\r\n"
              + QUESTION
              + "\r\n0\r\nX-Sum: 2\r\n\r\n");
      var _ = client.reply();
      assertThat(agent.asked()).contains("What does it cost?").doesNotContain("X-Sum");
    }
  }

  @Test
  void anExpectation_isMetHere_andReachesTheAgentToo() throws Exception {
    try (ObserveTapIT.Agent agent = new ObserveTapIT.Agent();
        LocalSidecar sidecar = sidecar("observe", agent.port());
        RawHttp client = new RawHttp(sidecar.inbound())) {
      agent.answers(
          "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
              .getBytes(ISO_8859_1));
      client.send(
          "POST /a HTTP/1.1\r\nexpect: 100-continue\r\nHost: a\r\nContent-Length: 2\r\n\r\n");
      assertThat(client.reply().startLine()).isEqualTo("HTTP/1.1 100 Continue");
      client.send("hi");
      assertThat(client.reply().startLine()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(agent.asked())
          .isEqualTo("POST /a HTTP/1.1\nexpect: 100-continue\nHost: a\nContent-Length: 2\n\nhi");
    }
  }

  /** Its head goes on before its body has come: who waits is told by the agent, once. */
  @Test
  void anExpectationBeforeALongBody_isMetByTheAgent() throws Exception {
    String large = "x".repeat(6 << 20);
    try (ObserveTapIT.Agent agent = new ObserveTapIT.Agent();
        LocalSidecar sidecar = sidecar("observe", agent.port());
        RawHttp client = new RawHttp(sidecar.inbound())) {
      agent.serves((in, socket) -> {
        socket.getOutputStream().write("HTTP/1.1 100 Go on\r\n\r\n".getBytes(ISO_8859_1));
        HttpBytes asked = HttpBytes.readRequest(in).orElseThrow();
        socket
            .getOutputStream()
            .write(
                ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Asked: "
                        + asked.field("expect").orElse("nothing")
                        + "\r\n\r\n")
                    .getBytes(ISO_8859_1));
        socket.shutdownOutput();
        in.readAllBytes();
      });
      client.send(
          "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
              + large.length()
              + "\r\n\r\n");
      assertThat(client.reply().startLine()).isEqualTo("HTTP/1.1 100 Go on");
      client.send(large);
      assertThat(client.reply().field("x-asked")).contains("100-continue");
    }
  }
}
