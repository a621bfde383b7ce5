package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactCheck.Action;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Which names a body has, wherever somebody puts them. */
class PactMeasureTest {
  private static final String DENY = "deny_fields=salary,ssn";
  private static final String ALLOW = "fields=name,company";

  private static Action under(String clause, String protocol, String body) {
    return under(new Predicate("scope", "scope", clause), PactTerms.Leg.ANSWER, protocol, body);
  }

  private static Action under(Predicate clause, PactTerms.Leg leg, String protocol, String body) {
    PactCheck check = new PactCheck(List.of(clause));
    PactMeasure measure =
        PactMeasure.begin(
            leg, PlainBody.of(body.getBytes(StandardCharsets.UTF_8)), JsonScanner.Limits.DEFAULT);
    try {
      measure.message(JsonDocument.EMPTY, SpokenProtocols.named(protocol), "application/json");
      return check.check(measure).action();
    } finally {
      measure.end();
    }
  }

  /** What is said in protobuf, of which this JSON says the same. */
  private static Action inProtobuf(String clause, String json) {
    PactCheck check = new PactCheck(List.of(new Predicate("scope", "scope", clause)));
    JsonDocument read =
        ((JsonScanner.Scanned)
                JsonScanner.scan(json.getBytes(StandardCharsets.UTF_8), JsonScanner.Limits.DEFAULT))
            .document();
    PactMeasure measure =
        PactMeasure.begin(
            PactTerms.Leg.ANSWER, PlainBody.of(new byte[] {0, 1}), JsonScanner.Limits.DEFAULT);
    try {
      measure.message(read, SpokenProtocols.protobuf(), "application/grpc+proto");
      return check.check(measure).action();
    } finally {
      measure.end();
    }
  }

  @Test
  void protobuf_isMeasuredByTheJsonThatSaysTheSame() {
    String json = "{\"message\":{\"parts\":[{\"data\":{\"name\":1}}]%s}}";
    assertThat(inProtobuf(ALLOW, json.formatted(""))).isEqualTo(Action.PASS);
    assertThat(inProtobuf(DENY, json.formatted(""))).isEqualTo(Action.PASS);
    assertThat(inProtobuf("fields=other", json.formatted(""))).isEqualTo(Action.BLOCK_AND_DISSOLVE);
    // What stands in fields that the schema does not have may be anything.
    assertThat(inProtobuf(ALLOW, json.formatted(",\"unknownFields\":[\"salary\"]")))
        .isEqualTo(Action.UNMEASURED);
  }

  private static String a2a(String... parts) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":{\"messageId\":\"m\",\"role\":\"agent\",\"parts\":["
        + String.join(",", parts)
        + "]}}}";
  }

  private static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }

  private static String text(String text) {
    return "{\"kind\":\"text\",\"text\":" + quoted(text) + "}";
  }

  private static String data(String json) {
    return "{\"kind\":\"data\",\"data\":" + json + "}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"salary\":1}",
        "{\"name\":{\"first\":\"a\",\"salary\":1}}",
        "{\"name\":[[{\"deep\":{\"ssn\":\"1\"}}]]}",
        "[{\"name\":1},{\"salary\":2}]",
        "{\"s\\u0061lary\":1}",
        "{\"name\":\"{\\\"salary\\\":1}\"}",
        "{\"name\":\"  [{\\\"x\\\":\\\"{\\\\\\\"ssn\\\\\\\":1}\\\"}]\"}",
        "{\"name\":\"\\u007b\\u0022salary\\u0022: 1}\"}",
      })
  void aDeniedName_isFoundAtEveryDepthOfData_andInStringsOfIt(String json) {
    assertThat(under(DENY, "a2a-1.0", a2a(text("hello"), data(json))))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(under(DENY, "json", json)).isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(under(ALLOW, "a2a-1.0", a2a(data(json)))).isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(
            under(
                DENY,
                "mcp",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"structuredContent\":" + json + "}}"))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(
            under(
                DENY,
                "openai",
                "{\"choices\":[{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":"
                    + quoted(json)
                    + "}}]}}]}"))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"salary\":70000}",
        "\n  [{\"ssn\":1}]",
        "Here you are:\n```json\n{\"salary\": 1}\n```\nAnything else?",
        "```\n{\"salary\": 1}",
        "The record is {\"name\":\"Ann\",\"salary\" : 1} as asked.",
        "{'salary': 1}",
        "{\"salary\": 1,}",
        "{\"salary\"\n: 1} and more",
      })
  void aDeniedName_isFoundInTexts_thatHoldJson_orSomethingLikeIt(String words) {
    assertThat(under(DENY, "a2a-1.0", a2a(text(words)))).isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(
            under(
                DENY,
                "mcp",
                "{\"result\":{\"content\":[{\"type\":\"text\",\"text\":" + quoted(words) + "}]}}"))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(
            under(
                DENY,
                "openai",
                "{\"choices\":[{\"message\":{\"content\":" + quoted(words) + "}}]}"))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        " \n%s\t",
        "\f%s",
        "\b%s",
        "\u2003%s\u00a0",
        "\ufeff%s",
        "\u200b%s",
        "[%s]",
        "[ 1,%s]",
        "[\"a\",%s]",
        "[[],%s]",
        "[true,%s]",
        "\n[\r-1,%s]"
      })
  void aFieldThatIsNotAllowed_isFoundBehindWhateverReadersTakeForBlanks(String around) {
    String json = around.formatted("{ \"city\":1}");
    assertThat(under(ALLOW, "a2a-1.0", a2a(text(json)))).isEqualTo(Action.BLOCK_AND_DISSOLVE);
    String spelt = around.formatted("{ }").replace("{", "\\u007b\\u0022city\\u0022:1");
    String part = "{\"text\":\"" + escapedBlanks(spelt) + "\"}";
    assertThat(under(ALLOW, "a2a-1.0", a2a(part))).isEqualTo(Action.BLOCK_AND_DISSOLVE);
  }

  private static String escapedBlanks(String text) {
    String quoted = quoted(text);
    return quoted.substring(1, quoted.length() - 1).replace("\\\\u", "\\u");
  }

  @Test
  void textsThatAreJson_areHeldToTheAllowedFields_andWordsAreNot() {
    assertThat(under(ALLOW, "a2a-1.0", a2a(text("{\"name\":1,\"company\":\"x\"}"))))
        .isEqualTo(Action.PASS);
    assertThat(under(ALLOW, "a2a-1.0", a2a(text("{\"name\":1,\"city\":\"x\"}"))))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(under(ALLOW, "a2a-1.0", a2a(text("He said \"hello\": and [c1] {so on}"))))
        .isEqualTo(Action.PASS);
    assertThat(under(ALLOW, "a2a-1.0", a2a(text("[c1] The salary is high: 5"))))
        .isEqualTo(Action.PASS);
    assertThat(under(DENY, "a2a-1.0", a2a(text("The salary is high: 5")))).isEqualTo(Action.PASS);
  }

  @Test
  void namesInMetadata_count_exceptThoseOfOurOwnStatements() {
    String body =
        "{\"result\":{\"metadata\":{\"%s\":{\"salary\":1}},\"artifacts\":[{\"artifactId\":\"a\",\"name\":\"salary\",\"parts\":[]}]}}";
    assertThat(under(DENY, "a2a-0.3", body.formatted("vendor")))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    String evidence = "https://w3id.org/parlance/ext/evidence/v1";
    assertThat(under(DENY, "a2a-0.3", body.formatted(evidence)))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    String own = body.replace("salary\":1", "context\":[{\"id\":\"c\",\"text\":\"x\"}]");
    assertThat(under(DENY, "a2a-0.3", own.formatted(evidence))).isEqualTo(Action.PASS);
    assertThat(under(ALLOW, "a2a-0.3", own.formatted(evidence))).isEqualTo(Action.PASS);
    assertThat(under(DENY, "a2a-1.0", a2a("{\"text\":\"x\",\"metadata\":{\"a\":[{\"ssn\":1}]}}")))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(under(ALLOW, "a2a-1.0", a2a("{\"text\":\"x\",\"metadata\":{\"adk_id\":1}}")))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"result\":{\"message\":{\"parts\":[{\"text\":\"x\"}],\"SSN\":\"1\"}}}",
        "{\"result\":{\"message\":{\"parts\":[{\"text\":\"x\",\"s-s-n\":\"1\"}]}}}",
        "{\"result\":{\"message\":{\"extra\":[{\"ssn\":1}],\"parts\":[]}}}",
        "{\"result\":{\"message\":{\"messageId\":\"{\\\"ssn\\\":1}\",\"parts\":[]}}}",
        "{\"result\":{\"metadata\":{\"any.key\":{\"deep\":{\"Ssn\":1}}}}}",
        "{\"result\":{\"parts\":[{\"data\":{\"\u017f\u017fn\":1}}]}}",
        "{\"result\":{\"parts\":[{\"text\":\"{\\\"name\\\":1}\\n{\\\"ssn\\\":1}\"}]}}",
        "{\"result\":{\"parts\":[{\"text\":\"{\\\"name\\\":\\\"{\\\\\\\"name\\\\\\\":1}\\\\n{\\\\\\\"ssn\\\\\\\":1}\\\"}\"}]}}",
        "{\"ssn\":1,\"result\":{}}",
        "{\"result\":{\"parts\":[{\"data\":{\"s\u200bsn\":1}}]}}",
        "{\"result\":{\"parts\":[{\"data\":{\"s\uFE0Fsn\":1}}]}}",
        "{\"result\":{\"parts\":[{\"data\":{\"s\u034Fsn\":1}}]}}",
        "{\"result\":{\"parts\":[{\"data\":{\"\u0455\u0455n\":1}}]}}",
        "{\"result\":{\"parts\":[{\"data\":{\"\u0405\u0405N\":1}}]}}",
        "{\"result\":{\"parts\":[{\"text\":\"{\\\"s\u0332sn\\\":1}\"}]}}",
      })
  void P2_aField_isFoundWhereverItStands_inWhateverSpelling(String body) {
    assertThat(under(DENY, "a2a-1.0", body)).isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(under(ALLOW, "a2a-1.0", body)).isEqualTo(Action.BLOCK_AND_DISSOLVE);
    String mcp = body.replace("\"parts\"", "\"contents\"");
    assertThat(under(ALLOW, "mcp", mcp)).isEqualTo(Action.BLOCK_AND_DISSOLVE);
  }

  @Test
  void P2_namesAreFolded_unlessTheClauseSaysExact() {
    String body = a2a(data("{\"companyName\":1,\"COMPANY_NAME\":2,\"company-name\":3}"));
    assertThat(under("fields=company_name", "a2a-1.0", body)).isEqualTo(Action.PASS);
    assertThat(under("fields=company_name;exact", "a2a-1.0", body))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(under("deny_fields=SSN;exact", "a2a-1.0", a2a(data("{\"ssn\":1}"))))
        .isEqualTo(Action.PASS);
  }

  @Test
  void P2_namesBesideTheBody_queryFieldsAndCookies() {
    for (String one :
        List.of(
            "?SSN=1",
            "?x=%7B%22ssn%22%3A1%7D",
            "x-ssn:1",
            "Ssn:1",
            "Cookie:a=1; ssn=2",
            "Cookie:x={\"ssn\":2}",
            ";SSN=1/tasks",
            ";%73sn=1/tasks",
            ";x=%7B%22ssn%22%3A1%7D",
            "?x=%EF%BB%BF%7B%22ssn%22%3A1%7D",
            "?x=%7B%22name%22%3A1%7D%0A%7B%22ssn%22%3A1%7D",
            "?x=a%0A%60%60%60json%0A%7B%22ssn%22%3A1%7D%0A%60%60%60",
            "Cookie:x=%7B%22ssn%22%3A2%7D",
            "Cookie:x=\"%7B%22ssn%22%3A2%7D\"",
            "baggage:a=%7B%22ssn%22%3A2%7D;p=1",
            "User-Agent:{\"ssn\":1}")) {
      DefaultHttpHeaders fields = new DefaultHttpHeaders();
      fields.set("Content-Type", "application/json").set("Parlance-Agent", "a");
      boolean isTarget = one.startsWith("?") || one.startsWith(";");
      if (!isTarget) {
        fields.set(one.substring(0, one.indexOf(':')), one.substring(one.indexOf(':') + 1));
      }
      PactBeside beside =
          new PactBeside(
              PactTerms.Leg.REQUEST,
              fields,
              "/a2a" + (isTarget ? one : "?historyLength=1"),
              SpokenProtocols.named("a2a-1.0"));
      PactCheck allowed = new PactCheck(List.of(new Predicate("s", "scope", ALLOW)));
      PactCheck denied =
          new PactCheck(List.of(new Predicate("s", "scope", "deny_fields=ssn,x_ssn")));
      assertThat(allowed.violated(beside)).as(one).isPresent();
      assertThat(denied.violated(beside)).as(one).isPresent();
      assertThat(beside.offender().toLowerCase(Locale.ROOT)).contains("ssn");
    }
  }

  @Test
  void P2_namesBesideTheBody_inQuotesAmongWords() {
    for (String target : List.of("/a?q=see%20%7B%27ssn%27%3A1%7D", "/a?q=the%20%22SSN%22:%201")) {
      PactBeside beside = beside(new DefaultHttpHeaders(), target);
      assertThat(new PactCheck(List.of(new Predicate("s", "scope", DENY))).violated(beside))
          .as(target)
          .isPresent();
    }
    assertThat(
            new PactCheck(List.of(new Predicate("s", "scope", DENY)))
                .violated(beside(new DefaultHttpHeaders(), "/a?q=the%20ssn:%201")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?x=%7B%22a%22%3A1%2C%22a%22%3A%7B%22b%22%3A2%7D%7D",
        "x-a:{\"name\":1,\"name\":{\"b\":1}}",
        "Cookie:a=%5B%7B%22name%22%3A1%2C%22name%22%3A2%7D%5D",
      })
  void P2_jsonBesideTheBodyThatSaysANameTwice_isNeverHeld(String one) {
    DefaultHttpHeaders fields = new DefaultHttpHeaders();
    if (!one.startsWith("?")) {
      fields.set(one.substring(0, one.indexOf(':')), one.substring(one.indexOf(':') + 1));
    }
    PactBeside beside = beside(fields, "/a" + (one.startsWith("?") ? one : ""));
    assertThat(beside.isRead()).isFalse();
    assertThat(new PactCheck(List.of(new Predicate("s", "scope", DENY))).violated(beside))
        .isEmpty();
    assertThat(beside(new DefaultHttpHeaders(), "/a?x=%7Bhello&y=%5B1%2C").isRead()).isTrue();
  }

  private static PactBeside beside(DefaultHttpHeaders fields, String target) {
    return new PactBeside(PactTerms.Leg.REQUEST, fields, target, SpokenProtocols.named("a2a-1.0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "\"x\"", "null", "[]", "[1]", "[\"a\",2]", "[[{\"city\":1}]]"})
  void metadataThatAreNoObject_breakNothing(String metadata) {
    String part = "{\"text\":\"x\",\"metadata\":" + metadata + "}";
    assertThat(under(DENY, "a2a-1.0", a2a(part))).isEqualTo(Action.PASS);
    assertThat(under("deny_fields=city", "a2a-1.0", a2a(part)))
        .isEqualTo(metadata.contains("city") ? Action.BLOCK_AND_DISSOLVE : Action.PASS);
    String meta = "{\"result\":{\"content\":[],\"_meta\":" + metadata + "}}";
    assertThat(under(DENY, "mcp", meta)).isEqualTo(Action.PASS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mcp", "mcp-2025-06-18"})
  void aToolOfMcp_isSeenInEveryRevision(String protocol) {
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}";
    Predicate tools = new Predicate("tools", "action", "tools=search");
    assertThat(under(tools, PactTerms.Leg.REQUEST, protocol, call.formatted("search")))
        .isEqualTo(Action.PASS);
    assertThat(under(tools, PactTerms.Leg.REQUEST, protocol, call.formatted("delete")))
        .isEqualTo(Action.BLOCK);
    assertThat(under(DENY, protocol, call.formatted("search"))).isEqualTo(Action.PASS);
  }

  @Test
  void protobufJsonOfVersion03_isReadToo() {
    String body =
        "{\"message\":{\"messageId\":\"m\",\"content\":[{\"text\":\"x\"},{\"data\":{\"data\":{\"%s\":1}}}]}}";
    assertThat(under(DENY, "a2a-0.3", body.formatted("salary")))
        .isEqualTo(Action.BLOCK_AND_DISSOLVE);
    assertThat(under(ALLOW, "a2a-0.3", body.formatted("name"))).isEqualTo(Action.PASS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\":\"file\",\"file\":{\"bytes\":\"eyJzYWxhcnkiOjF9\",\"mimeType\":\"application/json\"}}",
        "{\"raw\":\"eyJzYWxhcnkiOjF9\",\"mediaType\":\"application/json\"}",
        "{\"url\":\"https://example.org/salaries\"}",
        "{\"text\":\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\"}",
        "{\"text\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}",
      })
  void whatCannotBeLookedInto_isNeverHeld(String part) {
    assertThat(under(ALLOW, "a2a-1.0", a2a(text("x"), part))).isEqualTo(Action.UNMEASURED);
    assertThat(under(DENY, "a2a-1.0", a2a(text("x"), part))).isEqualTo(Action.UNMEASURED);
  }

  @Test
  void piecesOfArguments_andBodiesThatAreNoJson_areNeverHeld() {
    String piece =
        "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"{\\\"sal\"}}]}}]}";
    assertThat(under(DENY, "openai", piece)).isEqualTo(Action.UNMEASURED);
    assertThat(under(DENY, "a2a-1.0", "\u0000\u0001")).isEqualTo(Action.UNMEASURED);
    assertThat(under(DENY, "a2a-grpc", "\n\u0005hello")).isEqualTo(Action.UNMEASURED);
    assertThat(under(DENY, "anything", "{}")).isEqualTo(Action.UNMEASURED);
  }

  @Test
  void jsonInStringsInStrings_isBoundedInDepth() {
    String inner = "{\"x\":1}";
    for (int i = 0; i < 6; i++) {
      inner = "{\"name\":" + quoted(inner) + "}";
    }
    assertThat(under("fields=name,x", "a2a-1.0", a2a(data(inner)))).isEqualTo(Action.UNMEASURED);
  }

  @ParameterizedTest
  @CsvSource({"64,true", "64,false", "20000,true", "20000,false"})
  void manyNames_areAllLookedAt(int count, boolean denied) {
    StringBuilder names = new StringBuilder("{\"name\":0");
    for (int i = 0; i < count; i++) {
      names.append(",\"n").append(i).append("\":").append(i);
    }
    names.append(denied ? ",\"ssn\":1}" : "}");
    assertThat(under(DENY, "a2a-1.0", a2a(data(names.toString()))))
        .isEqualTo(denied ? Action.BLOCK_AND_DISSOLVE : Action.PASS);
  }

  @Test
  void wherever_aDeniedNameIsPut_itIsFoundOrNotKnown() {
    for (int seed = 0; seed < 2_000; seed++) {
      String body = somewhere(seed, "salary", "s\\u0061lary");
      assertThat(under(DENY, "a2a-1.0", body))
          .as("seed %d: %s", seed, body)
          .isNotEqualTo(Action.PASS);
      String harmless = somewhere(seed, "wages", "w\\u0061ges");
      if (!harmless.contains("\"raw\"")) {
        assertThat(under(DENY, "a2a-1.0", harmless))
            .as("seed %d: %s", seed, harmless)
            .isEqualTo(Action.PASS);
      }
    }
  }

  private static String somewhere(int seed, String... spelt) {
    Random random = new Random(seed);
    return a2a(part(random, spelt), part(random), text("hello"));
  }

  private static String part(Random random, String... spelt) {
    boolean with = spelt.length > 0;
    String json = nested(random, with ? 1 + random.nextInt(4) : 0, spelt);
    return switch (random.nextInt(with ? 5 : 4)) {
      case 0 -> data(json);
      case 1 -> text(json);
      case 2 -> text("So:\n```json\n" + json + "\n```\n");
      case 3 -> "{\"text\":\"x\",\"metadata\":{\"k\":" + json + "}}";
      default -> "{\"raw\":\"AAAA\"}";
    };
  }

  private static String nested(Random random, int depth, String... spelt) {
    if (depth == 0) {
      return spelt.length > 0
          ? "{\"" + spelt[random.nextInt(spelt.length)] + "\":1}"
          : "{\"a\":[1,\"b\"]}";
    }
    String inner = nested(random, depth - 1, spelt);
    List<String> shapes = List.of("{\"a\":%s,\"b\":2}", "[1,%s]", "{\"c\":[[%s]]}");
    String shape = shapes.get(random.nextInt(shapes.size()));
    return shape.formatted(random.nextInt(3) == 0 ? quoted(inner) : inner);
  }
}
