package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything here must be answered once, end the connection, and leave the origin untouched. */
@ExtendWith(LeakCheck.class)
@SuppressWarnings(
    "StringConcatToTextBlock") // A text block cannot show CRLF, which is the point here.
class RequestFramingTest {
  private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

  private static Arguments bad(String id, String raw, int status, String code) {
    return Arguments.of(id, raw, status, code);
  }

  private static Arguments post(String id, String fields, String body, String code) {
    return bad(id, "POST /x HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body, 400, code);
  }

  private static Arguments length(String id, String value) {
    return post(id, "Content-Length:" + value + "\r\n", "hello", "content_length_malformed");
  }

  private static Arguments coding(String id, String value) {
    return post(
        id, "Transfer-Encoding: " + value + "\r\n", "0\r\n\r\n", "transfer_encoding_malformed");
  }

  private static Arguments chunk(String id, String body) {
    return post(id, "Transfer-Encoding: chunked\r\n", body, "chunk_malformed");
  }

  private static Arguments field(String id, String line, String code) {
    return bad(id, "GET / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n", 400, code);
  }

  private static Arguments target(String id, String target, String code) {
    return bad(id, "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n", 400, code);
  }

  private static Arguments version(String id, String version, int status, String code) {
    return bad(id, "GET / " + version + "\r\nHost: a\r\n\r\n", status, code);
  }

  static Stream<Arguments> lengths() {
    return Stream.of(
        post(
            "H1",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "0\r\n\r\n",
            "content_length_with_transfer_encoding"),
        post(
            "H1 other order",
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
            "0\r\n\r\n",
            "content_length_with_transfer_encoding"),
        post(
            "H2 differ",
            "Content-Length: 5\r\nContent-Length: 6\r\n",
            "hello",
            "content_length_repeated"),
        post(
            "H2 equal",
            "Content-Length: 5\r\ncontent-length: 5\r\n",
            "hello",
            "content_length_repeated"),
        length("H2 list", " 5, 5"),
        length("H3 empty", ""),
        length("H3 plus", " +5"),
        length("H3 minus", " -1"),
        length("H3 hex", " 0x5"),
        length("H3 underscore", " 1_0"),
        length("H3 trailing blank", " 5 "),
        length("H3 blank inside", " 5 5"),
        length("H3 overflow", " 99999999999999999999"),
        length("H3 wraps", " 18446744073709551621"),
        post("H3 NBSP", "Content-Length: \u00a05\r\n", "hello", "non_ascii"),
        coding("H5 leading comma", ",chunked"),
        coding("H5 chunked not last", "chunked, identity"),
        coding("H5 xchunked", "xchunked"),
        coding("H5 identity", "identity"),
        coding("H5 gzip", "gzip, chunked"),
        coding("H5 quoted", "\"chunked\""),
        coding("H5 trailing blank", "chunked "),
        coding("H5 empty", ""),
        post(
            "H5 vertical tab",
            "Transfer-Encoding: chunked\u000b\r\n",
            "0\r\n\r\n",
            "control_character"),
        post(
            "H5 two headers",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            "0\r\n\r\n",
            "transfer_encoding_repeated"),
        bad(
            "H5 HTTP/1.0",
            "POST /x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
            "transfer_encoding_in_http10"));
  }

  static Stream<Arguments> chunks() {
    return Stream.of(
        chunk("H6 0x", "0x5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 plus", "+5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 minus", "-5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 underscore", "0_5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 valid prefix", "0_2e\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 empty", "\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 leading blank", " 5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 trailing blank", "5 \r\nhello\r\n0\r\n\r\n"),
        chunk("H6 overflow", "100000005\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 wraps", "10000000000000005\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 too short", "4\r\nhello\r\n0\r\n\r\n"),
        chunk("H7 bare CR", "5;a\rb\r\nhello\r\n0\r\n\r\n"),
        chunk("H7 bare LF", "5;a\nhello\r\n0\r\n\r\n"),
        chunk("H7 open quote", "5;a=\"b\r\nhello\r\n0\r\n\r\n"),
        chunk("H7 LF in quotes", "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n"),
        chunk("H8 LF chunk line", "5\nhello\r\n0\r\n\r\n"),
        chunk("H8 NUL chunk line", "5\u0000\r\nhello\r\n0\r\n\r\n"),
        chunk("H15 second chunk", "5\r\nhello\r\nzz\r\nhello\r\n0\r\n\r\n"),
        post(
            "H7 extension flood",
            "Transfer-Encoding: chunked\r\n",
            ("1;" + "e".repeat(900) + "\r\nx\r\n").repeat(30) + "0\r\n\r\n",
            "chunk_overhead"),
        bad(
            "H19 many",
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                + "a:\r\n".repeat(1001)
                + "\r\n",
            431,
            "headers_too_large"),
        trailer("Host: b"),
        trailer("Content-Length: 5"),
        trailer("Transfer-Encoding: chunked"),
        trailer("Authorization: Basic x"),
        trailer("Parlance-Verdict: x"),
        trailer("ASP-Signal: x"));
  }

  private static Arguments trailer(String line) {
    return post(
        "H19 " + line,
        "Transfer-Encoding: chunked\r\n",
        "5\r\nhello\r\n0\r\n" + line + "\r\n\r\n",
        "trailer_forbidden");
  }

  static Stream<Arguments> lines() {
    return Stream.of(
        bad("H8 LF only", "GET / HTTP/1.1\nHost: a\n\n", 400, "bare_lf"),
        bad("H8 LF first line", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400, "bare_lf"),
        bad("H8 LF at end", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400, "bare_lf"),
        bad("H8 CR first line", "GET /\rHTTP/1.1\r\nHost: a\r\n\r\n", 400, "bare_cr"),
        bad("H8 CR doubled", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", 400, "bare_cr"),
        field("H8 CR value", "X: a\rb", "bare_cr"),
        field("H8 LF value", "X: a\nb", "bare_lf"),
        field("H8 NUL value", "X: a\u0000b", "nul"),
        bad("H8 NUL first line", "GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "nul"),
        bad("H9 fold", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b: c\r\n\r\n", 400, "folded_line"),
        bad("H9 fold first", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400, "folded_line"),
        field("H9 blank before colon", "X : a", "space_before_colon"),
        field("H9 tab before colon", "X\t: a", "space_before_colon"),
        field("H9 empty name", ": a", "header_name_empty"),
        field("H9 no colon", "X", "header_without_colon"),
        field("H9 NEL", "X:\u0085a", "non_ascii"),
        field("H9 name non-token", "X(: a", "header_name_malformed"),
        field("H9 name non-ASCII", "X\u00e4: a", "non_ascii"),
        field("H9 delete", "X: \u007f", "control_character"),
        version("H12 1.10", "HTTP/1.10", 400, "version_malformed"),
        version("H12 overflow", "HTTP/4294967295.255", 400, "version_malformed"),
        version("H12 lower case", "http/1.1", 400, "version_malformed"),
        version("H12 two", "HTTP/2.0", 505, "version_unsupported"),
        version("H12 1.2", "HTTP/1.2", 505, "version_unsupported"),
        bad("H12 0.9", "GET /\r\n\r\n", 400, "request_line_malformed"),
        bad("H12 half preface", "PRI * HTTP/2.0\r\n\r\nXM\r\n\r\n", 505, "version_unsupported"),
        bad("H12 two blanks", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "request_line_malformed"),
        bad("H12 tab", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, "request_line_malformed"),
        bad("H12 method", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "method_malformed"),
        bad(
            "H14 control",
            "\u0001GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            400,
            "control_before_first_line"),
        bad("H14 blank", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "control_before_first_line"),
        bad("H14 LF", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bare_lf"),
        bad(
            "H14 many lines",
            "\r\n".repeat(9) + "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            400,
            "leading_empty_lines"),
        bad(
            "long line",
            "GET /" + "a".repeat(2000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
            414,
            "request_line_too_long"),
        bad(
            "long field",
            "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(3000) + "\r\n\r\n",
            431,
            "headers_too_large"),
        bad(
            "many fields",
            "GET / HTTP/1.1\r\nHost: a\r\n" + "X: aaaaaaaaaa\r\n".repeat(300) + "\r\n",
            431,
            "headers_too_large"));
  }

  static Stream<Arguments> heads() {
    return Stream.of(
        bad("H10 none", "GET / HTTP/1.1\r\n\r\n", 400, "host_missing"),
        bad("H10 none in 1.0", "GET / HTTP/1.0\r\n\r\n", 400, "host_missing"),
        field("H10 two", "Host: b", "host_repeated"),
        field("H10 two equal", "Host: a", "host_repeated"),
        bad("H10 empty", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400, "host_malformed"),
        bad("H10 user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400, "host_malformed"),
        bad("H10 blank", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "host_malformed"),
        bad("H10 list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400, "host_malformed"),
        bad("H10 port", "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n", 400, "host_malformed"),
        bad("H10 path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "host_malformed"),
        target("H10 disagrees", "http://b/", "host_disagrees"),
        target("H10 other port", "http://a:8080/", "host_disagrees"),
        target("H10 user in target", "http://u@a/", "target_authority"),
        target("H10 no authority", "http:///x", "target_authority"),
        target("H11 bang", "!", "target_form"),
        target("H11 star", "*", "target_form"),
        target("H11 relative", "a/b", "target_form"),
        target("H11 https", "https://a/", "target_form"),
        target("H11 file", "file:///etc/passwd", "target_form"),
        target("H11 non-ASCII", "/\u00e4", "non_ascii"),
        target("H11 dots", "/a/../b", "target_dot_segment"),
        target("H11 dots at end", "/a/..", "target_dot_segment"),
        target("H11 one dot", "/a/./b", "target_dot_segment"),
        target("H11 escaped dots", "/a/%2e%2E/b", "target_dot_segment"),
        target("H11 mixed dots", "/a/.%2e/b", "target_dot_segment"),
        target("H11 dots behind escaped slash", "/a%2f..%2fb", "target_dot_segment"),
        target("H11 dots behind escaped backslash", "/a%5c..%5cb", "target_dot_segment"),
        target("H11 dots with parameter", "/a/..;x/b", "target_dot_segment"),
        target("H11 dots in absolute form", "http://a/../b", "target_dot_segment"),
        target("H11 empty segment", "//a", "target_empty_segment"),
        target("H11 backslash", "/a\\b", "target_character"),
        target("H11 fragment", "/a#b", "target_character"),
        target("H11 fragment in query", "/a?b#c", "target_character"),
        target("H11 brace", "/a{b}", "target_character"),
        target("H11 bad escape", "/a%zz", "target_escape"),
        target("H11 short escape", "/a%2", "target_escape"),
        target("H11 NUL escape", "/a%00", "target_escape"),
        bodyOn("GET"),
        bodyOn("HEAD"),
        bodyOn("DELETE"),
        bodyOn("OPTIONS"),
        bodyOn("TRACE"),
        bad(
            "H13 chunked GET",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
            "body_not_allowed"),
        bad("H17 CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", 405, "connect_denied"),
        bad("H17 TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 405, "trace_denied"),
        bad(
            "H17 WebSocket",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            403,
            "upgrade_denied"),
        bad(
            "H17 h2c and more",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c, foo\r\n\r\n",
            403,
            "upgrade_denied"),
        field("Connection: host", "Connection: host", "connection_names_end_to_end"),
        field(
            "Connection: Authorization",
            "Connection: close, Authorization",
            "connection_names_end_to_end"),
        field(
            "Connection: parlance", "Connection: Parlance-Verdict", "connection_names_end_to_end"),
        bad(
            "H20 expectation",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 200-ok\r\n\r\n",
            417,
            "expectation_unknown"),
        bad(
            "B1 declared",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n",
            413,
            "body_too_large"),
        bad(
            "B1 declared, asked first",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\nExpect: 100-continue\r\n\r\n",
            413,
            "body_too_large"));
  }

  private static Arguments bodyOn(String method) {
    String raw = method + " / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
    return bad("H13 " + method, raw, 400, "body_not_allowed");
  }

  @ParameterizedTest(name = "{0} -> {2} {3}")
  @MethodSource({"lengths", "chunks", "lines", "heads"})
  void badRequest_isAnsweredOnce_andNothingReachesTheOrigin(
      String id, String raw, int status, String code) throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("fine"));
        TestRelay relay = TestRelay.to(origin)) {
      try (RawClient client = relay.connect()) {
        client.send(raw + SMUGGLED);
        RawClient.Reply reply = client.reply(raw.startsWith("HEAD"));
        assertThat(reply.status()).as(id).isEqualTo(status);
        assertThat(reply.closes()).isTrue();
        assertThat(client.rest()).isEmpty();
      }
      assertThat(relay.rejections).extracting(Rejection::code).containsExactly(code);
      assertThat(relay.seen).isEmpty();
      assertThat(origin.connections()).isZero();
      try (RawClient good = relay.connect()) {
        assertThat(good.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n").reply().body())
            .isEqualTo("fine");
      }
    }
  }

  @Test
  void badBytes_oneAtATime_getTheSameVerdict() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.trickle(
          "\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n");
      assertThat(client.reply().body()).isEqualTo("content_length_repeated");
      assertThat(relay.seen).isEmpty();
    }
  }
}
