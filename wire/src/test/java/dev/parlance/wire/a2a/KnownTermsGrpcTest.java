package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoScanner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The block of terms in protobuf of A2A: where it is put, and that it is taken out again. */
class KnownTermsGrpcTest {
  private static final String BLOCK =
      KnownTerms.of(
              List.of(
                  new KnownTerms.Term("L\u00fccke", "l\u00fccke", "a \"point\"", 4, 0, "s", false)))
          .text();
  private static final String QUOTED = JsonWriter.quoted(BLOCK);
  private static final String MESSAGE =
      "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"Is it"
          + " so?\"}]%s}}";

  private enum Version {
    V1_0(ProtoSchema.V1_0, GrpcWire.CURRENT),
    V0_3(ProtoSchema.V0_3, GrpcWire.OLD);

    private final ProtoSchema schema;
    private final String service;

    Version(ProtoSchema schema, String service) {
      this.schema = schema;
      this.service = service;
    }

    /** A framed request. */
    byte[] request(String json) {
      return GrpcFraming.framed(GrpcWire.encode(schema.sendRequest(), Wire.tree(json)));
    }

    RequestView read(byte[] framed) {
      return Wire.readable(
          Wire.CODECS.read(
              "auto", JsonPointers.NONE, GrpcWire.head(service + "SendMessage"), framed));
    }

    JsonNode tree(byte[] framed) {
      return Wire.tree(ProtoJson.of(scanned(framed), List.of()));
    }

    private ProtoMessage scanned(byte[] framed) {
      assertThat(framed).hasSizeGreaterThan(GrpcFraming.PREFIX_BYTES);
      byte[] message = Arrays.copyOfRange(framed, GrpcFraming.PREFIX_BYTES, framed.length);
      assertThat(Arrays.copyOfRange(framed, 1, GrpcFraming.PREFIX_BYTES))
          .isEqualTo(GrpcFraming.lengthBytes(message.length));
      ProtoScanner.Scan scan = ProtoScanner.scan(message, schema.sendRequest(), 10_000);
      assertThat(scan).isInstanceOf(ProtoScanner.Scanned.class);
      return ((ProtoScanner.Scanned) scan).message();
    }
  }

  private static byte[] shown(Version version, byte[] body, Show where) {
    RequestView view = version.read(body);
    assertThat(view.show(BLOCK, where)).isTrue();
    return Splicer.applyToBytes(body, view.strip());
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void itIsPutInMetadata_andIntoAPart(Version version) {
    for (String members :
        List.of(
            "",
            ",\"metadata\":{\"a\":1},\"extensions\":[\"b\"]",
            ",\"metadata\":{\"" + LexiconMark.URI + "\":{\"coin\":[]}}",
            ",\"metadata\":{\"" + LexiconMark.URI + "\":null}")) {
      JsonNode message =
          version
              .tree(shown(version, version.request(MESSAGE.formatted(members)), Show.BOTH))
              .get("message");
      JsonNode metadata = message.get("metadata");
      assertThat(metadata.get(LexiconMark.URI).get("known").stringValue()).isEqualTo(BLOCK);
      assertThat(metadata.get(LexiconMark.URI).has("coin")).isEqualTo(members.contains("coin"));
      assertThat(metadata.has("a")).isEqualTo(members.contains("\"a\""));
      assertThat(message.get("extensions").toString()).contains(LexiconMark.URI);
      assertThat(message.get("parts")).hasSize(2);
      assertThat(message.get("parts").get(1).get("text").stringValue()).isEqualTo(BLOCK);
      assertThat(
              message
                  .get("parts")
                  .get(1)
                  .get("metadata")
                  .get(LexiconMark.URI)
                  .get("known")
                  .booleanValue())
          .isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void whatWePut_isNotTheAgentsWords_andGoes(Version version) {
    for (String members :
        List.of(
            "",
            ",\"metadata\":{\"a\":1},\"extensions\":[\"b\"]",
            ",\"metadata\":{\"" + LexiconMark.URI + "\":{\"coin\":[]}}")) {
      byte[] body = version.request(MESSAGE.formatted(members));
      for (Show where : Show.values()) {
        byte[] told = shown(version, body, where);
        RequestView again = version.read(told);
        assertThat(again.message().orElseThrow().answer()).hasToString("Is it so?");
        byte[] clean = Splicer.applyToBytes(told, again.strip());
        JsonNode tree = version.tree(clean);
        JsonNode before = version.tree(body);
        assertThat(Wire.withoutEmpty(tree).get("message").get("parts"))
            .isEqualTo(before.get("message").get("parts"));
        assertThat(Wire.withoutEmpty(tree).path("message").path("metadata"))
            .isEqualTo(before.path("message").path("metadata"));
        assertThat(version.read(clean).strip()).isEmpty();
        byte[] twice = shown(version, told, Show.BOTH);
        assertThat(version.tree(twice).get("message").get("parts")).hasSize(2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void atTheEndOfAText_andAlone_itGoesToo(Version version) {
    String echo = JsonWriter.quoted("\u00c4 b\n" + BLOCK);
    byte[] body = version.request(MESSAGE.formatted("").replace("\"Is it so?\"", echo));
    RequestView view = version.read(body);
    assertThat(view.message().orElseThrow().answer()).hasToString("\u00c4 b");
    JsonNode clean = version.tree(Splicer.applyToBytes(body, view.strip()));
    assertThat(clean.at("/message/parts/0/text").stringValue()).isEqualTo("\u00c4 b");

    String part = "{\"text\":" + QUOTED + "}";
    byte[] alone =
        version.request(
            MESSAGE.formatted("").replace("{\"text\":\"Is it so?\"}", part + "," + part));
    RequestView silent = version.read(alone);
    assertThat(silent.message().orElseThrow().answer()).hasToString("");
    assertThat(version.tree(Splicer.applyToBytes(alone, silent.strip())).at("/message/parts"))
        .hasSize(1);
    assertThat(version.tree(shown(version, alone, Show.PART)).at("/message/parts")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void anAgentThatIsAskedAgain_seesItToo(Version version) {
    byte[] body =
        version.request(
            MESSAGE.formatted(
                ",\"metadata\":{\"https://w3id.org/parlance/ext/asp/v1\":{\"route\":\"execute\"}}"));
    RequestView view = version.read(body);
    assertThat(view.show(BLOCK, Show.BOTH)).isTrue();
    byte[] answer =
        GrpcFraming.framed(
            GrpcWire.encode(
                version.schema.event(),
                Wire.tree(
                    "{\"message\":{\"messageId\":\"x\",\"role\":\"ROLE_AGENT\","
                        + "\"parts\":[{\"text\":\"Yes.\"}]}}")));
    ResponseView rejected = Wire.readable(view.readResponse(GrpcWire.ok(), answer));
    JsonNode again =
        version.tree(view.repair(rejected, "Cite [c1].", "m-2").orElseThrow()).get("message");
    assertThat(again.get("parts")).hasSize(3);
    assertThat(again.get("metadata").get(LexiconMark.URI).get("known").stringValue())
        .isEqualTo(BLOCK);
    assertThat(again.get("metadata").toString()).doesNotContain("ext/asp/v1");
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void inAnAnswer_itGoesFromEveryPlace(Version version) {
    String part = "{\"text\":" + QUOTED + "}";
    String meta = "\"metadata\":{\"a\":1,\"" + LexiconMark.URI + "\":{\"known\":" + QUOTED + "}}";
    String message =
        "{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"Is it so?\"},"
            + part
            + "],"
            + meta
            + "}";
    String task =
        "{\"task\":{\"id\":\"t\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\",\"message\":"
            + message.replace("Is it so?", "Done.")
            + "},\"artifacts\":[{\"artifactId\":\"a\",\"parts\":[{\"text\":\"Yes.\"},"
            + part
            + "],"
            + meta
            + "}],\"history\":["
            + message
            + "],"
            + meta
            + "}}";
    byte[] body = GrpcFraming.framed(GrpcWire.encode(version.schema.event(), Wire.tree(task)));
    RequestView request = version.read(version.request(MESSAGE.formatted("")));
    Reading<ResponseView> reading = request.readResponse(GrpcWire.ok(), body);
    ResponseView answer = Wire.readable(reading);
    assertThat(answer.message().orElseThrow().answer()).hasToString("Yes.\nDone.");
    for (List<Edit> edits : List.of(answer.strip(), answer.annotate(Wire.verdict()))) {
      byte[] clean = Splicer.applyToBytes(body, edits);
      assertThat(new String(clean, StandardCharsets.UTF_8))
          .doesNotContain("KNOWN_TERMS")
          .doesNotContain(LexiconMark.URI);
      ResponseView again = Wire.readable(request.readResponse(GrpcWire.ok(), clean));
      assertThat(again.message()).isEqualTo(answer.message());
    }
  }

  @Test
  void aStatementIsReadFromTheStruct() {
    String coin =
        ",\"metadata\":{\""
            + LexiconMark.URI
            + "\":{\"coin\":[{\"term\":\"open gap\",\"definition\":\"left open\"}]}}";
    LexiconMark mark = Version.V1_0.read(Version.V1_0.request(MESSAGE.formatted(coin))).lexicon();
    assertThat(mark).isInstanceOf(LexiconMark.Statement.class);
    assertThat(((LexiconMark.Statement) mark).turn())
        .isEqualTo("Is it so?\n[PART 2]\nopen gap = left open");
  }
}
