package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
  private static final int MEGABYTES = 4 << 20;

  private final PlainText plain = new PlainText();

  /** Cases of the kind machine-text by their ids, and more; rows stand between bars here. */
  static Stream<Arguments> machineTexts() {
    return Stream.of(
        of("fmt-inword", "The **im**peller must be re*placed*.", "The impeller must be replaced."),
        of(
            "fmt-html-attr",
            "<table class=\"table striped\" style=\"width:100%\"><tr><td>Impeller</td><td>2000"
                + " operating hours</td></tr></table> [Chunk c1]",
            "Impeller | 2000 operating hours / [Chunk c1]"),
        of(
            "fmt-json",
            "{\"part\":\"impeller\",\"interval_hours\":2000,\"action\":\"replace\",\"source\":\"c1\"}",
            "part: impeller; interval: 2000 hours; action: replace; source: c1"),
        of(
            "fmt-code",
            "```bash\nsystemctl restart parlance\n```\n[Chunk c1]",
            "systemctl restart parlance // [Chunk c1]"),
        of(
            "ctx-tablecsv",
            "model;price_eur;weight_kg\nX100;290;10\nX200;340;12",
            "model: X100; price: 290 eur; weight: 10 kg // model: X200; price: 340 eur; weight: 12"
                + " kg"),
        of(
            "ctx-json-simple",
            "{\"orderId\":\"4711\",\"status\":\"SHIPPED\"}",
            "order Id: 4711; status: SHIPPED"),
        of(
            "ctx-escaped",
            "Der K\\u00fchler ben\\u00f6tigt \\u00d6l.",
            "Der K\u00fchler ben\u00f6tigt \u00d6l."),
        of("json pretty", "{\n  \"a\": 1,\n  \"b\": [2, 3]\n}", "a: 1; b: 2, 3"),
        of(
            "json nested",
            "{\"x\":{\"height_mm\":12,\"w\":\"5\"},\"y\":true}",
            "x height: 12 mm; x w: 5; y: true"),
        of(
            "json rows",
            "{\"rows\":[{\"m\":\"X1\",\"eur\":3},{\"m\":\"X2\",\"eur\":4}],\"n\":2}",
            "n: 2 // rows m: X1; rows: 3 eur // rows m: X2; rows: 4 eur"),
        of("json array", "[{\"a\":1},{\"a\":2}]", "a: 1 // a: 2"),
        of("json lines", "{\"a\":1}\n{\"a\":2}\n", "a: 1 // a: 2"),
        of("json fenced", "Here:\n```json\n{\"a\": \"b\"}\n```\n", "Here: // a: b"),
        of("json escapes", "{\"a\":\"K\\u00fchler \\\"x\\\"\"}", "a: K\u00fchler \"x\""),
        of("json text", "{\"text\":\"One.\\nTwo.\",\"page\":3}", "page: 3 // text: One. / Two."),
        of("json null", "{\"a\":null,\"b\":\"\",\"c\":-1.5e3,\"d\":[]}", "a: no; c: -1.5e3; d: no"),
        of("json answer with marker", "{\"a\":1} [Chunk c1]", "a: 1 // [Chunk c1]"),
        of("no json", "{not json} and [c1] text", "{not json} and [c1] text"),
        of("json cut off", "{\"a\":1,\"b\":", "{\"a\":1,\"b\":"),
        of(
            "csv comma",
            "name,city,age\nAnn,Rome,30\nBob,Oslo,41",
            "name: Ann; city: Rome; age: 30 // name: Bob; city: Oslo; age: 41"),
        of("csv quotes", "name;note\nAnn;\"a; b\"\n", "name: Ann; note: a; b"),
        of("tsv", "part\tweight (kg)\nrod\t3.5\n", "part: rod; weight: 3.5 kg"),
        of("csv without head", "X100;290;10\nX200;340;12", "X100;290;10 / X200;340;12"),
        of(
            "markdown table",
            "| Model | Price (EUR) |\n|-------|------:|\n| X100  | 290 |\n| X200  | 340 |\n\nEnd.",
            "Model: X100; Price: 290 EUR // Model: X200; Price: 340 EUR // End."),
        of(
            "html table",
            "<table><tr><th>Model</th><th>Price</th></tr><tr><td>X100</td><td>290</td></tr></table>",
            "Model: X100; Price: 290"),
        of("html", "<p>The <b>im</b>peller</p><p>Two<br/>Three</p>", "The impeller / Two / Three"),
        of("html list", "<ul><li>One</li><li>Two</li></ul>", "- One / - Two"),
        of(
            "html words of attributes",
            "<img alt=\"The moon is cheese\" width=\"3\">",
            "(The moon is cheese)"),
        of("html comment", "A<!-- hidden words -->B", "A hidden words B"),
        of("html exponent", "3 m<sup>2</sup>, 10<sup>6</sup>, CO<sub>2</sub>", "3 m^2, 10^6, CO2"),
        of(
            "citation tags stay",
            "Boils <cite>c1</cite>.<sup>1</sup>",
            "Boils <cite>c1</cite>.<sup>1</sup>"),
        of("xml", "<order><id>4711</id><weight_kg>3</weight_kg></order>", "id: 4711; weight: 3 kg"),
        of(
            "xml attributes",
            "<?xml version=\"1.0\"?><item price=\"340\" sku=\"A1\"/>",
            "item price: 340; item sku: A1"),
        of("no tags", "x < y and List<String> and a<b>c", "x < y and List<String> and ac"),
        of(
            "entities",
            "5&nbsp;&euro; &lt; 6&#8239;&#x20AC; &amp;amp; &bogus; AT&T",
            "5 \u20ac < 6 \u20ac &amp; &bogus; AT&T"),
        of("escapes", "One.\\nTwo.\\tThree \\\"four\\\"", "One. / Two. Three \"four\""),
        of(
            "paths stay",
            "C:\\new\\table and \\\\srv\\temp and \\d+",
            "C:\\new\\table and \\\\srv\\temp and \\d+"),
        of("markdown escapes", "\\[Chunk c1\\] 2\\. \\*x\\*", "[Chunk c1] 2. *x*"),
        of(
            "emphasis",
            "**a** and *b* and __c__ and _d_ and ~~e~~ and ***f***",
            "a and b and c and d and e and f"),
        of("emphasis nested", "**a *b* c** and *a **b** c*", "a b c and a b c"),
        of(
            "no emphasis",
            "2*3*4, a * b * c, snake_case_name, 5 ** 2, * item",
            "2*3*4, a * b * c, snake_case_name, 5 ** 2, * item"),
        of("code", "Use `ls -l` or ``x`y``.", "Use ls -l or ``x`y``."),
        of("fenced code stays", "~~~\na*b*c \\n &amp;\n~~~", "a*b*c \\n &amp;"),
        of("formula", "$E = 5 \\times 10^{6}$ J", "E = 5 \u00d7 10^6 J"),
        of("formula parens", "\\(a_1 \\leq \\frac{1}{2}\\)", "a1 \u2264 1/2"),
        of(
            "formula text",
            "$20\\,^\\circ\\text{C}$ and 5\\% and \\$5",
            "20 ^\u00b0C and 5% and $5"),
        of("amounts stay", "It costs $5 and $6.", "It costs $5 and $6."),
        of(
            "prose",
            "Just a text, with (brackets) [1] and \"quotes\".",
            "Just a text, with (brackets) [1] and \"quotes\"."),
        of(
            "prose in lines",
            "Dear Ann, Bob\nThank you, both\n",
            "Dear Ann, Bob / Thank you, both"));
  }

  private static Arguments of(String id, String text, String expected) {
    return Arguments.of(id, text, expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("machineTexts")
  void machineTexts_areReadAsWhatTheySay(String id, String text, String expected) {
    assertThat(read(text)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("machineTexts")
  void wordsOfTheText_knowWhereTheyComeFrom(String id, String text, String expected) {
    byte[] given = ("xyz" + text).getBytes(StandardCharsets.UTF_8);
    plain.read(Utf8Span.of(given, 3, given.length - 3));
    byte[] said = plain.text().toByteArray();
    int letters = 0;
    for (int i = 0; i < said.length; i++) {
      int origin = plain.origin(i);
      assertThat(origin).isBetween(0, given.length - 4);
      boolean same = said[i] == given[3 + origin];
      letters += Character.isLetterOrDigit(said[i]) && same ? 1 : 0;
    }
    assertThat(letters).as(id).isGreaterThan(id.contains("attributes") ? -1 : 0);
    assertThat(plain.originEnd(said.length)).isLessThanOrEqualTo(given.length - 3);
  }

  @Test
  void originOfAValue_isTheValue() {
    String text = "{\"price_eur\": 340, \"name\": \"K\\u00fchler\"}";
    plain.read(Utf8Span.of(text));
    String said = plain.text().toString();
    assertThat(plain.origin(said.indexOf("340"))).isEqualTo(text.indexOf("340"));
    int behind = said.substring(0, said.indexOf("hler")).getBytes(StandardCharsets.UTF_8).length;
    assertThat(plain.origin(behind)).isEqualTo(text.indexOf("hler"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[",
        "{\"a\":",
        "[[",
        "{\"a\":1}\n",
        "{\"a\":[",
        "\\n",
        "\\",
        "\\u00e9",
        "*a",
        "*a ",
        "**a",
        "_a ",
        "`a",
        "`",
        "```\n",
        "~~~",
        "$",
        "$a^",
        "\\(",
        "\\(a",
        "\\text{",
        "\\frac{",
        "{}",
        "<",
        "<a",
        "<b>",
        "<a href=\"x\">",
        "<x>",
        "<x a=\"b\">",
        "<th>",
        "<sup>",
        "&",
        "&amp;",
        "a;b\n",
        "a;",
        "a|b\n",
        "|-|\n",
        "\"",
        "\";\"\n",
        "a,b\n",
        "a,b,c\n1,2,3\n",
        "\t",
        "-->",
        "<!--",
        "\\\\",
        "\\\\a",
        "*",
        "a*b*"
      })
  void longTexts_takeLinearTimeAndSpace(String piece) {
    String text = piece.repeat(MEGABYTES / 4 / piece.length());
    for (String given :
        java.util.List.of(text, "<a>" + text + ">", "a;b\n" + text, "{\"a\":\"" + text)) {
      Utf8Span span = Utf8Span.of(given);
      assertTimeoutPreemptively(Duration.ofSeconds(30), () -> plain.read(span), piece);
      assertThat(plain.text().length()).isLessThan(9 * MEGABYTES);
    }
  }

  @Test
  void growth_isBounded() {
    String head = "n".repeat(50) + ";" + "m".repeat(50) + "\n";
    plain.read(Utf8Span.of(head + "1;2\n".repeat(100_000)));
    assertThat(plain.text().length()).isLessThan(PlainText.MAX_GROWTH * 400_000 + (1 << 17));
    plain.read(
        Utf8Span.of("{\"" + "n".repeat(200) + "\":{" + "\"a\":1,".repeat(100_000) + "\"b\":2}}"));
    assertThat(plain.text().length()).isLessThan(PlainText.MAX_GROWTH * 700_000 + (1 << 17));
  }

  @Test
  void anyText_isReadAndTellsOrigins() {
    Random random = new Random(37);
    String[] pieces = {
      "{",
      "}",
      "[",
      "]",
      "\"",
      ":",
      ",",
      "a",
      "1",
      "\n",
      "<",
      ">",
      "/",
      "b",
      "td",
      "tr",
      "\\",
      "n",
      "u00e9",
      "*",
      "**",
      "_",
      "`",
      "```",
      "$",
      "^",
      "&amp;",
      "&",
      ";",
      "|",
      "---",
      " ",
      "text",
      "{\"a\":1}",
      "\u00fc"
    };
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(20); j >= 0; j--) {
        text.append(pieces[random.nextInt(pieces.length)]);
      }
      int length = text.toString().getBytes(StandardCharsets.UTF_8).length;
      plain.read(Utf8Span.of(text.toString()));
      assertThat(plain.text().toString()).as(text.toString()).doesNotContain("\ufffd");
      for (int at = 0; at < plain.text().length(); at++) {
        assertThat(plain.origin(at)).as(text.toString()).isBetween(0, length - 1);
      }
    }
  }

  private String read(String text) {
    plain.read(Utf8Span.of(text));
    return plain
        .text()
        .toString()
        .strip()
        .replaceAll("\\h+", " ")
        .replaceAll(" ?\n ?\n\\s*", " // ")
        .replaceAll(" ?\n ?", " / ");
  }
}
