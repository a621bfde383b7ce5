package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Bodies that nobody may read as an A2A request (FAULTS, B rows), in well-formed HTTP. */
final class BadBodies {
  private static final String JSON = "application/json";
  static final int MALFORMED = -32700;
  private static final int BAD_PARAMS = -32602;

  /**
   * One bad body.
   *
   * @param id row of the fault catalogue
   * @param contentType its declared type
   * @param fields more header fields
   * @param body the bytes
   * @param status status that answers it
   * @param rpcCode JSON-RPC error code that answers it
   * @param code reason that goes with it
   */
  @SuppressWarnings("ArrayRecordComponent") // read only
  record Row(
      String id,
      String contentType,
      String fields,
      byte[] body,
      int status,
      int rpcCode,
      String code) {
    @Override
    public String toString() {
      return id;
    }
  }

  private BadBodies() {}

  /** Every row. */
  static Stream<Row> rows() {
    return Stream.of(codings(), encodings(), keys(), sizes(), syntax()).flatMap(s -> s);
  }

  /** A good request with text in place of its question; each character is one byte. */
  private static byte[] asking(String latin1) {
    return A2a.ask("1", "c", "Q").replace("\"Q\"", "\"" + latin1 + "\"").getBytes(ISO_8859_1);
  }

  /** A good request with another member in its message. */
  private static String with(String member) {
    return A2a.ask("1", "c", "Q").replace("\"role\":", member + ",\"role\":");
  }

  private static Row coded(String id, String coding, byte[] body, int status, String code) {
    return new Row(id, JSON, "Content-Encoding: " + coding + "\r\n", body, status, MALFORMED, code);
  }

  private static Row encoded(String id, byte[] body) {
    return new Row(id, JSON, "", body, 200, MALFORMED, "bad_encoding");
  }

  private static Row json(String id, String body, String code) {
    return new Row(id, JSON, "", body.getBytes(UTF_8), 200, MALFORMED, code);
  }

  private static Stream<Row> codings() {
    byte[] good = gzip(asking("Q"));
    byte[] damaged = good.clone();
    damaged[damaged.length - 6] ^= 1;
    byte[] longer = new byte[good.length + 1];
    System.arraycopy(good, 0, longer, 0, good.length);
    return Stream.of(
        coded("B1 inflated", "gzip", gzip(asking(noise(5_000_000))), 413, "inflation_limit"),
        coded("B3 bomb", "gzip", gzip(asking("a".repeat(4_000_000))), 413, "inflation_limit"),
        coded("B3 twice", "gzip, gzip", gzip(good), 415, "bad_coding"),
        coded("B3 unknown", "br", good, 415, "bad_coding"),
        coded("B3 check sum", "gzip", damaged, 415, "bad_coding"),
        coded("B3 bytes behind", "gzip", longer, 415, "bad_coding"),
        coded("B3 not coded at all", "gzip", asking("Q"), 415, "bad_coding"));
  }

  private static Stream<Row> encodings() {
    return Stream.of(
        encoded("B4 overlong", asking("\u00c0\u00af")),
        encoded("B4 surrogate", asking("\u00ed\u00a0\u0080")),
        encoded("B4 above U+10FFFF", asking("\u00f4\u0090\u0080\u0080")),
        encoded("B4 cut off", asking("\u00e2\u0082")),
        encoded("B4 Latin-1", asking("\u00e9")),
        encoded("B4 UTF-16", A2a.ask("1", "c", "Q").getBytes(UTF_16BE)),
        new Row(
            "B4 charset lies",
            JSON + "; charset=utf-16",
            "",
            asking("Q"),
            200,
            MALFORMED,
            "bad_charset"));
  }

  private static Stream<Row> keys() {
    return Stream.of(
        json("B5 twice", with("\"role\":\"ROLE_AGENT\""), "duplicate_key"),
        json("B5 twice, escaped", with("\"r\\u006fle\":\"ROLE_AGENT\""), "duplicate_key"),
        json("B5 twice, deep", with("\"metadata\":{\"a\":{\"b\":1,\"b\":1}}"), "duplicate_key"),
        json("B5 twice, other case", with("\"Parts\":[{\"text\":\"other\"}]"), "duplicate_key"),
        new Row(
            "B5 other case only",
            JSON,
            "",
            A2a.ask("1", "c", "Q").replace("\"parts\"", "\"Parts\"").getBytes(UTF_8),
            200,
            BAD_PARAMS,
            "bad_message"));
  }

  private static Stream<Row> sizes() {
    return Stream.of(
        json("B6 deep arrays", "[".repeat(100_000), "json_limit"),
        json("B6 deep objects", "{\"\":[".repeat(250_000), "json_limit"),
        json("B6 many keys", with("\"metadata\":{" + manyKeys(150_000) + "}"), "json_limit"));
  }

  private static String manyKeys(int count) {
    StringBuilder keys = new StringBuilder("\"k\":0");
    for (int i = 0; i < count; i++) {
      keys.append(",\"k").append(i).append("\":0");
    }
    return keys.toString();
  }

  private static Stream<Row> syntax() {
    String good = A2a.ask("1", "c", "Q");
    return Stream.of(
        json("B7 garbage behind", good + "x", "bad_json"),
        json("B7 two roots", good + good, "bad_json"),
        json("B7 NaN", with("\"metadata\":{\"a\":NaN}"), "bad_json"),
        json("B7 Infinity", with("\"metadata\":{\"a\":-Infinity}"), "bad_json"),
        json("B7 comment", with("\"metadata\":{}/* */"), "bad_json"),
        json("B7 single quotes", good.replace('"', '\''), "bad_json"),
        json("B7 comma behind", with("\"metadata\":{\"a\":1,}"), "bad_json"),
        json("B7 lone surrogate", good.replace("\"Q\"", "\"\\uD800\""), "bad_json"),
        json("B7 leading zero", with("\"metadata\":{\"a\":01}"), "bad_json"),
        json("B7 raw control", good.replace("\"Q\"", "\"\u0001\""), "bad_json"),
        json("B7 half", good.substring(0, good.length() - 3), "bad_json"));
  }

  /** Text that compresses by less than the ratio limit. */
  private static String noise(int length) {
    StringBuilder text = new StringBuilder(length);
    long state = 1;
    while (text.length() < length) {
      state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
      text.repeat((char) ('a' + (int) ((state >>> 33) % 26)), 12);
    }
    return text.toString();
  }

  private static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
