package dev.parlance.wire.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.Wire;
import dev.parlance.wire.a2a.ProtoSchema;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtoScannerTest {
  private static final int MOST = 10_000;

  private static ProtoScanner.Scan scan(byte[] body) {
    return ProtoScanner.scan(body, ProtoSchema.V1_0.message(), MOST);
  }

  private static ProtoScanner.Scanned scanned(byte[] body) {
    ProtoScanner.Scan scan = scan(body);
    assertThat(scan).isInstanceOf(ProtoScanner.Scanned.class);
    return (ProtoScanner.Scanned) scan;
  }

  private static WireFault fault(byte[] body) {
    ProtoScanner.Scan scan = scan(body);
    assertThat(scan).isInstanceOf(ProtoScanner.Refused.class);
    assertThat(((ProtoScanner.Refused) scan).detail()).hasSizeBetween(1, 200);
    return ((ProtoScanner.Refused) scan).fault();
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  @Test
  void knownFields_areWhereTheyStand() {
    byte[] part = new ProtoWriter().string(1, "said \u00e9").toBytes();
    byte[] body =
        new ProtoWriter().string(1, "m1").number(4, 2).bytes(5, part).bytes(5, part).toBytes();
    ProtoMessage message = scanned(body).message();
    assertThat(message.string("messageId")).contains("m1");
    assertThat(message.number("role")).isEqualTo(2);
    assertThat(message.messages("parts"))
        .hasSize(2)
        .allSatisfy(found -> assertThat(found.string("text")).contains("said \u00e9"));
    for (ProtoMessage.Field field : message.fields()) {
      assertThat(body[field.tagStart()] >>> 3).isEqualTo(field.known().number());
      assertThat(field.start()).isBetween(field.lengthStart(), field.end());
    }
    assertThat(message.string("contextId")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    // a length past the end, of 2^31, of 2^32 and of 2^63
    "0a05616263",
    "0a8080808008",
    "0a8080808010",
    "0a80808080808080808001",
    // no end of a number, and eleven bytes of one
    "0a80",
    "20808080808080808080808001",
    // ten bytes with more than 64 bits
    "20ffffffffffffffffff02",
    // field number 0, and one past 2^29
    "0001",
    "8080808080 01",
    // a group, its end alone, and deep ones
    "0b0c",
    "0c",
    "0b0b0b0b0b0b0c0c0c0c0c0c",
    "f303f403",
    // wire types 6 and 7
    "0e",
    "7f",
    // text as a number, as eight and as four bytes
    "0801",
    "090000000000000000",
    "0d00000000",
    // the role as packed numbers, and packed past the end
    "220101",
    "2205ffffffffff",
    // longer than it needs to be: tag, length, number
    "8a0001 61",
    "0a810061",
    "208200",
    // a role and a boolean past their type
    "208080808020",
    // twice the message id, twice the metadata
    "0a01610a0162",
    "32003200",
    // a number cut short, in an unknown field
    "f9010000",
    "fd0100"
  })
  void B11_whatReadersReadInSeveralWays_isRefused(String hex) {
    assertThat(fault(hex(hex.replace(" ", "")))).isEqualTo(WireFault.BAD_PROTOBUF);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "c080", "eda080", "f4908080", "e282", "80"})
  void B11_invalidUtf8InText_isRefused(String hex) {
    byte[] text = hex(hex);
    assertThat(fault(new ProtoWriter().bytes(1, text).toBytes())).isEqualTo(WireFault.BAD_ENCODING);
    byte[] part = new ProtoWriter().bytes(1, text).toBytes();
    assertThat(fault(new ProtoWriter().bytes(5, part).toBytes())).isEqualTo(WireFault.BAD_ENCODING);
  }

  @Test
  void twoMembersOfAOneof_areRefused() {
    byte[] part = new ProtoWriter().string(1, "seen").string(3, "http://a/").toBytes();
    assertThat(fault(new ProtoWriter().bytes(5, part).toBytes())).isEqualTo(WireFault.BAD_PROTOBUF);
  }

  @Test
  void B11_depthAndFields_areBounded() {
    byte[] deep = new byte[0];
    for (int i = 0; i < 40; i++) {
      byte[] value = new ProtoWriter().bytes(5, deep).toBytes();
      deep = new ProtoWriter().bytes(1, new ProtoWriter().bytes(2, value).toBytes()).toBytes();
    }
    assertThat(fault(new ProtoWriter().bytes(6, deep).toBytes()))
        .isEqualTo(WireFault.PROTOBUF_LIMIT);
    byte[] many = new byte[2 * MOST + 2];
    Arrays.fill(many, (byte) 0x48);
    for (int i = 1; i < many.length; i += 2) {
      many[i] = 1;
    }
    assertThat(fault(many)).isEqualTo(WireFault.PROTOBUF_LIMIT);
  }

  @Test
  void B11_unknownFields_areTolerated() {
    byte[] unknown =
        new ProtoWriter()
            .string(1, "m1")
            .number(99, 7)
            .real(100, 0.5)
            .string(101, "short")
            .bytes(102, new byte[300])
            .toBytes();
    assertThat(scanned(unknown).beside()).isEmpty();
  }

  @Test
  void B11_longTextInUnknownFields_isReported() {
    String said = "Nobody shows this, they say, and yet it can be read by everybody here.";
    assertThat(scanned(new ProtoWriter().string(99, said).toBytes()).beside())
        .containsExactly(Utf8Span.of(said));
    ProtoWriter nested = new ProtoWriter().number(3, 1000).string(15, said).number(4, 1);
    assertThat(scanned(new ProtoWriter().message(99, nested).toBytes()).beside())
        .singleElement()
        .satisfies(text -> assertThat(text.toString()).contains(said));
  }

  @Test
  void B11_textCutIntoManyUnknownFields_isReported() {
    ProtoWriter body = new ProtoWriter();
    for (int i = 0; i < 5; i++) {
      body.string(99, "a piece of a text ");
    }
    assertThat(scanned(body.toBytes()).beside()).hasSize(5);
  }

  @Test
  void opaqueData_isNotReported() {
    byte[] configuration = new ProtoWriter().string(1, "x".repeat(300)).toBytes();
    byte[] body = new ProtoWriter().bytes(3, configuration).toBytes();
    ProtoScanner.Scan scan = ProtoScanner.scan(body, ProtoSchema.V1_0.sendRequest(), MOST);
    assertThat(scan)
        .isInstanceOfSatisfying(
            ProtoScanner.Scanned.class, found -> assertThat(found.beside()).isEmpty());
  }

  @Test
  void structs_areReadAsProtobufWritesThem() {
    Struct struct =
        Struct.newBuilder()
            .putFields("a", Value.newBuilder().setNumberValue(-0.5).build())
            .putFields("b", Value.newBuilder().setBoolValue(true).build())
            .putFields(
                "c",
                Value.newBuilder()
                    .setListValue(
                        ListValue.newBuilder()
                            .addValues(Value.newBuilder().setStringValue("d").build())
                            .addValues(
                                Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build()))
                    .build())
            .build();
    ProtoMessage message =
        scanned(new ProtoWriter().bytes(6, struct.toByteArray()).toBytes()).message();
    List<ProtoMessage> entries = message.message("metadata").orElseThrow().messages("fields");
    assertThat(entries)
        .extracting(entry -> entry.string("key").orElseThrow())
        .containsExactly("a", "b", "c");
    ProtoMessage number = entries.getFirst().message("value").orElseThrow();
    assertThat(Double.longBitsToDouble(number.number("number"))).isEqualTo(-0.5);
  }

  @Test
  void numbersAreWrittenAsProtobufWritesThem() throws IOException {
    for (long value : new long[] {0, 1, 127, 128, 16383, 16384, Integer.MAX_VALUE, -1, 1L << 62}) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      CodedOutputStream coded = CodedOutputStream.newInstance(out);
      coded.writeUInt64NoTag(value);
      coded.flush();
      assertThat(ProtoWriter.varint(value)).isEqualTo(out.toByteArray());
    }
  }

  @Test
  void jsonBecomesTheStructThatProtobufReads() throws IOException {
    String json = "{\"a\":[1,2.5,null,true,false,{\"b\":\"\\u00e9\"}],\"\":{}}";
    JsonDocument document =
        ((JsonScanner.Scanned) JsonScanner.scan(Wire.bytes(json), JsonScanner.Limits.DEFAULT))
            .document();
    Struct struct = Struct.parseFrom(ProtoWriter.struct(document, document.root()));
    List<Value> list = struct.getFieldsOrThrow("a").getListValue().getValuesList();
    assertThat(list).hasSize(6);
    assertThat(list.get(1).getNumberValue()).isEqualTo(2.5);
    assertThat(list.get(2).getKindCase()).isEqualTo(Value.KindCase.NULL_VALUE);
    assertThat(list.get(4).getKindCase()).isEqualTo(Value.KindCase.BOOL_VALUE);
    assertThat(list.get(5).getStructValue().getFieldsOrThrow("b").getStringValue())
        .isEqualTo("\u00e9");
    assertThat(struct.getFieldsOrThrow("").getStructValue().getFieldsCount()).isZero();
  }
}
