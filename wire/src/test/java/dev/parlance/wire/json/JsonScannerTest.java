package dev.parlance.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.parlance.wire.Wire;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.bytes.WireFault;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
  private static JsonScanner.Scan scan(byte[] body) {
    return JsonScanner.scan(body, JsonScanner.Limits.DEFAULT);
  }

  private static JsonDocument accepted(String body) {
    JsonScanner.Scan scan = scan(Wire.bytes(body));
    assertThat(scan).isInstanceOf(JsonScanner.Scanned.class);
    return ((JsonScanner.Scanned) scan).document();
  }

  private static WireFault fault(byte[] body) {
    JsonScanner.Scan scan = scan(body);
    assertThat(scan).isInstanceOf(JsonScanner.Refused.class);
    return ((JsonScanner.Refused) scan).fault();
  }

  private static WireFault fault(String body) {
    return fault(Wire.bytes(body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c0af",
        "e08080",
        "eda080",
        "edbfbf",
        "f08080af",
        "f4908080",
        "f5808080",
        "ff",
        "80",
        "c2",
        "e282",
        "f09f98",
        "fe"
      })
  void B4_invalidUtf8InsideAString_isBadEncoding(String hex) {
    byte[] bad = HexFormat.of().parseHex(hex);
    byte[] body = new byte[bad.length + 14];
    System.arraycopy(Wire.bytes("{\"text\":\"abc"), 0, body, 0, 12);
    System.arraycopy(bad, 0, body, 12, bad.length);
    System.arraycopy(Wire.bytes("\"}"), 0, body, 12 + bad.length, 2);
    assertThat(fault(body)).isEqualTo(WireFault.BAD_ENCODING);
  }

  @Test
  void B4_byteOrderMark_isBadEncoding() {
    assertThat(fault("\ufeff\ufeff{}")).isEqualTo(WireFault.BAD_JSON);
    assertThat(fault("{}\ufeff")).isEqualTo(WireFault.BAD_JSON);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"})
  void B4_otherUnicodeEncodings_areBadEncoding(String charset) {
    byte[] body = "{\"text\":\"abc\"}".getBytes(Charset.forName(charset));
    assertThat(fault(body)).isEqualTo(WireFault.BAD_ENCODING);
  }

  @Test
  void B4_everyCodePointInUtf8_isAcceptedAndReadBack() {
    StringBuilder text = new StringBuilder();
    IntStream.rangeClosed(0x20, Character.MAX_CODE_POINT)
        .filter(c -> c != '"' && c != '\\' && !(c >= 0xd800 && c <= 0xdfff))
        .forEach(text::appendCodePoint);
    JsonDocument json = accepted("\"" + text + "\"");
    assertThat(json.string(json.root())).isEqualTo(text.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"text\":1,\"text\":2}",
        "{\"text\":1,\"text\":1}",
        "{\"te\\u0078t\":1,\"text\":2}",
        "{\"a\":{\"b\":[{\"c\":1,\"d\":2,\"c\":3}]}}",
        "{\"\":1,\"\":2}",
        "{\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0,\"1\":0}",
      })
  void B5_repeatedMemberName_isDuplicateKey(String body) {
    assertThat(fault(body)).isEqualTo(WireFault.DUPLICATE_KEY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"Text\":1,\"text\":2}",
        "{\"TEXT\":1,\"a\":0,\"t\\u0065xt\":2}",
        "{\"\u00e9\":1,\"e\u0301\":2}",
        "{\"\\u00e9\":1,\"e\\u0301\":2}",
        "{\"\u00c9\":1,\"e\u0301\":2}",
        "{\"\uff54ext\":1,\"text\":2}",
        "{\"\u212a\":1,\"k\":2}"
      })
  void B5_namesThatDifferOnlyInCaseOrNormalForm_areDuplicateKeys(String body) {
    assertThat(fault(body)).isEqualTo(WireFault.DUPLICATE_KEY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"data\":{\"Co\":1,\"CO\":2}}",
        "{\"data\":[{\"a\":[{\"text\":1,\"Text\":2}]}]}",
        "{\"arguments\":{\"id\":1,\"ID\":2,\"Id\":3}}",
        "{\"structuredContent\":{\"\u00e9\":1,\"e\u0301\":2}}",
        "{\"metadata\":{\"Co\":1,\"CO\":2}}",
        "{\"_meta\":{\"a\":{\"Co\":1,\"CO\":2}}}"
      })
  void B17_namesOfDataThatDifferInCase_areDistinct(String body) {
    assertThat(scan(Wire.bytes(body))).isInstanceOf(JsonScanner.Scanned.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"data\":{\"Co\":1,\"CO\":2,\"Co\":3}}",
        "{\"data\":{\"Co\":1,\"C\\u006f\":2}}",
        "{\"data\":{},\"result\":1,\"Result\":2}",
        "{\"metadata\":{\"text\":1,\"Text\":2}}",
        "{\"d\\u0061ta\":{\"Co\":1,\"CO\":2}}",
        "[\"data\",{\"Co\":1,\"CO\":2}]",
        "{\"x\":\"data\",\"y\":{\"Co\":1,\"CO\":2}}"
      })
  void B5_B17_equalNamesInData_andOtherCaseInProtocol_areDuplicateKeys(String body) {
    assertThat(fault(body)).isEqualTo(WireFault.DUPLICATE_KEY);
  }

  @Test
  void B17_allCasesOfALongName_areToldApartInLinearTime() {
    String names =
        IntStream.range(0, 1 << 15)
            .mapToObj(i ->
                "\""
                    + IntStream.range(0, 15)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "a" : "A")
                        .collect(Collectors.joining())
                    + "\":0")
            .collect(Collectors.joining(","));
    byte[] distinct = Wire.bytes("{\"data\":{" + names + "}}");
    assertTimeout(
        Duration.ofSeconds(5),
        () -> assertThat(scan(distinct)).isInstanceOf(JsonScanner.Scanned.class));
  }

  @Test
  void B5_sameNameInDifferentObjects_isAccepted() {
    JsonDocument json = accepted("{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":2}]}");
    assertThat(json.isObject(json.root())).isTrue();
  }

  @Test
  void B5_namesWhoseSimpleHashesCollide_areToldApartInLinearTime() {
    // "Aa" and "BB" collide in String.hashCode; so does every concatenation of them.
    String names =
        IntStream.range(0, 1 << 15)
            .mapToObj(i ->
                "\""
                    + IntStream.range(0, 15)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining())
                    + "\":0")
            .collect(Collectors.joining(","));
    byte[] distinct = Wire.bytes("{" + names + "}");
    assertTimeout(
        Duration.ofSeconds(5),
        () -> assertThat(scan(distinct)).isInstanceOf(JsonScanner.Scanned.class));
    String repeated = "{" + names + ",\"" + "BB".repeat(15) + "\":1}";
    assertThat(fault(repeated)).isEqualTo(WireFault.DUPLICATE_KEY);
  }

  @Test
  void B5_longRunsOfCombiningMarksInNames_costNoQuadraticTime() {
    String marks = "\u0301\u0316".repeat(1_000_000);
    byte[] body = Wire.bytes("{\"e" + marks + "\":1,\"f" + marks + "\":2}");
    assertTimeout(
        Duration.ofSeconds(5),
        () -> assertThat(scan(body)).isInstanceOf(JsonScanner.Scanned.class));
  }

  @Test
  void B6_nestingAtTheLimit_isAccepted_andOneDeeper_isRefused() {
    accepted("[".repeat(64) + "]".repeat(64));
    assertThat(fault("[".repeat(65) + "]".repeat(65))).isEqualTo(WireFault.JSON_LIMIT);
    assertThat(fault("[".repeat(100_000))).isEqualTo(WireFault.JSON_LIMIT);
    assertThat(fault("{\"\":[".repeat(250_000))).isEqualTo(WireFault.JSON_LIMIT);
  }

  @Test
  void B6_tokensAtTheLimit_areAccepted_andOneMore_isRefused() {
    byte[] fiveTokens = Wire.bytes("{\"a\":[]}");
    assertThat(JsonScanner.scan(fiveTokens, new JsonScanner.Limits(4, 5)))
        .isInstanceOf(JsonScanner.Scanned.class);
    assertThat(JsonScanner.scan(fiveTokens, new JsonScanner.Limits(4, 4)))
        .isInstanceOf(JsonScanner.Refused.class);
    String manyNames =
        IntStream.range(0, 1_000_000)
            .mapToObj(i -> "\"k" + i + "\":0")
            .collect(Collectors.joining(","));
    assertThat(fault("{" + manyNames + "}")).isEqualTo(WireFault.JSON_LIMIT);
  }

  @Test
  void B6_numbersBeyondTheBounds_areRefused() {
    accepted("1".repeat(1000));
    assertThat(fault("1".repeat(1001))).isEqualTo(WireFault.JSON_LIMIT);
    assertThat(fault("1e999999")).isEqualTo(WireFault.JSON_LIMIT);
    assertThat(fault("1e-1000")).isEqualTo(WireFault.JSON_LIMIT);
    accepted("1e000999");
  }

  @Test
  void B6_longString_isAcceptedInOnePass() {
    String text = "x".repeat(20_000_000);
    JsonDocument json = accepted("\"" + text + "\"");
    assertThat(json.text(json.root()).length()).isEqualTo(text.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{} x",
        "{}{}",
        "[1]2",
        "NaN",
        "[Infinity]",
        "[-Infinity]",
        "{\"a\":1}//x",
        "/*x*/{}",
        "{'a':1}",
        "{a:1}",
        "[01]",
        "[-01]",
        "[1.]",
        "[.5]",
        "[+1]",
        "[0x1]",
        "[1e]",
        "[\"\t\"]",
        "[\"\n\"]",
        "[\"\u0000\"]",
        "[\"\\x\"]",
        "[\"\\u12g4\"]",
        "[1,]",
        "[,1]",
        "{\"a\":1,}",
        "{\"a\"}",
        "{\"a\":}",
        "{1:2}",
        "[tru]",
        "[nulll]",
        "[True]",
        "]",
        "}",
        "[",
        "{",
        "{\"a\"",
        "\"abc",
        "[\"\\",
        "[\"\\u",
        "[1}",
        "{\"a\":1]",
        "[-]",
        "[1 2]",
        "{\"a\" 1}"
      })
  void B7_whatIsNotOneJsonDocument_isBadJson(String body) {
    assertThat(fault(body)).isEqualTo(WireFault.BAD_JSON);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\ud800\"",
        "\"\\ud800x\"",
        "\"\\ud800\\n\"",
        "{\"\\udfff\":1}",
        "\"\\ud800\\u0041\""
      })
  void B7_loneSurrogateEscapes_areBadJson(String body) {
    assertThat(fault(body)).isEqualTo(WireFault.BAD_JSON);
  }

  @Test
  void escapes_areDecoded_andTextWithoutThemIsNotCopied() {
    JsonDocument json =
        accepted(
            "{\"a\":\"plain"
                + " \u65e5\",\"b\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\u65E5\\ud83d\\ude00\"}");
    int plain = json.member(json.root(), "a");
    assertThat(json.text(plain).array()).isSameAs(json.body().array());
    assertThat(json.string(plain)).isEqualTo("plain \u65e5");
    assertThat(json.string(json.member(json.root(), "b")))
        .isEqualTo("\"\\/\b\f\n\r\t\u0000\u00e9\u65e5\ud83d\ude00");
  }

  @Test
  void members_areFoundByTheirUnescapedName() {
    JsonDocument json = accepted("{\"te\\u0078t\":1,\"\u00e9\":2,\"null\":null}");
    assertThat(json.raw(json.member(json.root(), "text"))).isEqualTo("1");
    assertThat(json.raw(json.member(json.root(), "\u00e9"))).isEqualTo("2");
    assertThat(json.member(json.root(), "absent")).isEqualTo(JsonDocument.NONE);
    assertThat(json.present(json.root(), "null")).isEqualTo(JsonDocument.NONE);
    assertThat(json.member(JsonDocument.NONE, "text")).isEqualTo(JsonDocument.NONE);
  }

  @Test
  void utf8_validatorAgreesWithTheJdkOnEveryShortSequence() {
    byte[] bytes = new byte[4];
    for (int lead = 0x80; lead < 0x100; lead++) {
      for (int second = 0; second < 0x100; second++) {
        for (int third : new int[] {0, 0x7f, 0x80, 0xbf, 0xc0}) {
          bytes[0] = (byte) lead;
          bytes[1] = (byte) second;
          bytes[2] = (byte) third;
          bytes[3] = (byte) 0x80;
          String decoded = new String(bytes, StandardCharsets.UTF_8);
          boolean valid = java.util.Arrays.equals(decoded.getBytes(StandardCharsets.UTF_8), bytes);
          assertThat(Utf8.firstInvalid(bytes) < 0).isEqualTo(valid);
        }
      }
    }
  }
}
