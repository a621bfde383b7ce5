package dev.parlance.it;

import java.util.stream.Stream;

/** Requests that no HTTP/1.1 message may look like (FAULTS, H rows), and B1 and B2 by framing. */
@SuppressWarnings("StringConcatToTextBlock") // A text block cannot show CRLF, the point here.
final class BadHttp {
  /**
   * One bad request.
   *
   * @param id row of the fault catalogue
   * @param raw the bytes, one for each character
   * @param status status that answers it
   * @param code reason that goes with it
   */
  record Row(String id, String raw, int status, String code) {
    @Override
    public String toString() {
      return id;
    }
  }

  private BadHttp() {}

  private static Row post(String id, String fields, String body, String code) {
    return new Row(id, "POST /a2a HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body, 400, code);
  }

  private static Row length(String id, String value) {
    return post(id, "Content-Length:" + value + "\r\n", "hello", "content_length_malformed");
  }

  private static Row coding(String id, String value) {
    return post(
        id, "Transfer-Encoding: " + value + "\r\n", "0\r\n\r\n", "transfer_encoding_malformed");
  }

  private static Row chunk(String id, String body) {
    return post(id, "Transfer-Encoding: chunked\r\n", body, "chunk_malformed");
  }

  private static Row field(String id, String line, String code) {
    return new Row(id, "GET / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n", 400, code);
  }

  private static Row target(String id, String target, String code) {
    return new Row(id, "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n", 400, code);
  }

  private static Row get(String id, String raw, String code) {
    return new Row(id, raw, 400, code);
  }

  /** Every row. */
  static Stream<Row> rows() {
    return Stream.of(lengthsAndCodings(), chunks(), lines(), heads(), sizes()).flatMap(s -> s);
  }

  private static Stream<Row> lengthsAndCodings() {
    String both = "content_length_with_transfer_encoding";
    return Stream.of(
        post("H1", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n", both),
        post("H1 turned", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "", both),
        post(
            "H2 differ",
            "Content-Length: 5\r\nContent-Length: 6\r\n",
            "hello",
            "content_length_repeated"),
        post(
            "H2 equal",
            "Content-Length: 5\r\nContent-Length: 5\r\n",
            "hello",
            "content_length_repeated"),
        length("H2 list", " 5, 5"),
        length("H3 empty", ""),
        length("H3 plus", " +5"),
        length("H3 minus", " -1"),
        length("H3 hex", " 0x5"),
        length("H3 underscore", " 1_0"),
        length("H3 blank behind", " 5 "),
        length("H3 overflow", " 99999999999999999999"),
        post("H3 NBSP", "Content-Length: \u00a05\r\n", "hello", "non_ascii"),
        coding("H5 comma", ",chunked"),
        coding("H5 not last", "chunked, identity"),
        coding("H5 unknown", "xchunked"),
        post(
            "H5 vertical tab",
            "Transfer-Encoding: chunked\u000b\r\n",
            "0\r\n\r\n",
            "control_character"),
        post(
            "H5 two",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            "0\r\n\r\n",
            "transfer_encoding_repeated"),
        get(
            "H5 in HTTP/1.0",
            "POST /x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "transfer_encoding_in_http10"));
  }

  private static Stream<Row> chunks() {
    return Stream.of(
        chunk("H6 0x", "0x5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 plus", "+5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 minus", "-5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 underscore", "0_5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 valid prefix", "0_2e\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 empty", "\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 blank", " 5\r\nhello\r\n0\r\n\r\n"),
        chunk("H6 overflow", "10000000000000005\r\nhello\r\n0\r\n\r\n"),
        chunk("H7 bare CR", "5;a\rb\r\nhello\r\n0\r\n\r\n"),
        chunk("H7 bare LF", "5;a\nhello\r\n0\r\n\r\n"),
        chunk("H7 LF in quotes", "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n"),
        chunk("H8 LF in a chunk line", "5\nhello\r\n0\r\n\r\n"),
        chunk("H8 NUL in a chunk line", "5\u0000\r\nhello\r\n0\r\n\r\n"));
  }

  private static Stream<Row> lines() {
    return Stream.of(
        get("H8 LF", "GET / HTTP/1.1\nHost: a\n\n", "bare_lf"),
        get("H8 CR", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", "bare_cr"),
        get("H8 NUL", "GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n", "nul"),
        field("H8 CR in a value", "X: a\rb", "bare_cr"),
        field("H8 LF in a value", "X: a\nb", "bare_lf"),
        field("H8 NUL in a value", "X: a\u0000b", "nul"),
        get("H9 fold", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b: c\r\n\r\n", "folded_line"),
        field("H9 blank before colon", "X : a", "space_before_colon"),
        field("H9 no name", ": a", "header_name_empty"),
        field("H9 no colon", "X", "header_without_colon"),
        field("H9 NEL", "X:\u0085a", "non_ascii"),
        field("H9 NBSP", "X:\u00a0a", "non_ascii"),
        field("H9 no token", "X(: a", "header_name_malformed"),
        field("H9 underscore", "Content_Length: 5", "header_name_underscore"));
  }

  private static Stream<Row> heads() {
    return Stream.of(
        get("H10 no Host", "GET / HTTP/1.1\r\n\r\n", "host_missing"),
        field("H10 two Hosts", "Host: b", "host_repeated"),
        get("H10 user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", "host_malformed"),
        get("H10 blank", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "host_malformed"),
        target("H10 disagrees", "http://b/", "host_disagrees"),
        target("H11 bang", "!", "target_form"),
        target("H11 non-ASCII", "/\u00e4", "non_ascii"),
        target("H11 dots", "/a/%2e%2e/b", "target_dot_segment"),
        target("H11 empty segment", "//a", "target_empty_segment"),
        target("H11 backslash", "/a\\b", "target_character"),
        target("H11 fragment", "/a#b", "target_character"),
        get("H11 CRLF", "GET /a\r\nX: b HTTP/1.1\r\nHost: a\r\n\r\n", "request_line_malformed"),
        new Row(
            "H11 very long",
            "GET /" + "a".repeat(5_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
            414,
            "request_line_too_long"),
        new Row(
            "headers too large",
            "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(62_000) + "\r\n\r\n",
            431,
            "headers_too_large"),
        bodyOn("GET"),
        bodyOn("HEAD"),
        bodyOn("DELETE"));
  }

  private static Row bodyOn(String method) {
    return get(
        "H13 body on " + method,
        method + " / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "body_not_allowed");
  }

  private static Stream<Row> sizes() {
    return Stream.of(
        new Row(
            "B1 declared",
            "POST /a2a HTTP/1.1\r\nHost: a\r\nContent-Length: 4194305\r\n\r\n",
            413,
            "body_too_large"),
        new Row(
            "B1 by chunks",
            "POST /a2a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + ("100000\r\n" + "a".repeat(0x100000) + "\r\n").repeat(4)
                + "1\r\na\r\n",
            413,
            "body_too_large"));
  }
}
