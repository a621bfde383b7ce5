package dev.parlance.wire.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyDecoderTest {
  private static final int CAP = 1 << 20;
  private static final byte[] TEXT = Wire.bytes("{\"text\":\"na\u00efve\"}".repeat(50));

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  private static byte[] zlib(byte[] plain, boolean raw) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(9, raw);
    try (DeflaterOutputStream stream = new DeflaterOutputStream(out, deflater)) {
      stream.write(plain);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  private static BodyDecoder.Decoding decode(String coding, byte[] body) {
    return BodyDecoder.decode(List.of(coding), body, CAP, 100);
  }

  private static byte[] decoded(String coding, byte[] body) {
    BodyDecoder.Decoding decoding = decode(coding, body);
    assertThat(decoding).isInstanceOf(BodyDecoder.Decoding.Decoded.class);
    return ((BodyDecoder.Decoding.Decoded) decoding).body();
  }

  private static WireFault fault(BodyDecoder.Decoding decoding) {
    assertThat(decoding).isInstanceOf(BodyDecoder.Decoding.Refused.class);
    return ((BodyDecoder.Decoding.Refused) decoding).fault();
  }

  private static byte[] joined(byte[]... pieces) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Arrays.stream(pieces).forEach(out::writeBytes);
    return out.toByteArray();
  }

  @Test
  void uncodedBody_isHandedOnWithoutACopy() {
    for (List<String> codings :
        List.of(List.<String>of(), List.of("identity"), List.of(" Identity "), List.of(""))) {
      BodyDecoder.Decoding decoding = BodyDecoder.decode(codings, TEXT, CAP, 100);
      assertThat(((BodyDecoder.Decoding.Decoded) decoding).body()).isSameAs(TEXT);
      assertThat(((BodyDecoder.Decoding.Decoded) decoding).coded()).isFalse();
    }
  }

  @Test
  void gzipAndDeflate_areDecoded() throws IOException {
    assertThat(decoded("gzip", gzip(TEXT))).isEqualTo(TEXT);
    assertThat(decoded("X-GZIP", gzip(TEXT))).isEqualTo(TEXT);
    assertThat(decoded("deflate", zlib(TEXT, false))).isEqualTo(TEXT);
    assertThat(decoded("gzip", gzip(new byte[0]))).isEmpty();
    byte[] noise = new byte[300_000];
    new Random(1).nextBytes(noise);
    assertThat(decoded("gzip", gzip(noise))).isEqualTo(noise);
  }

  @Test
  void gzipHeader_withEveryOptionalField_isRead() throws IOException {
    byte[] plain = gzip(TEXT);
    byte[] fields =
        joined(
            HexFormat.of().parseHex("1f8b081e000000000003"),
            HexFormat.of().parseHex("0300616263"),
            Wire.bytes("name\0comment\0"));
    CRC32 crc = new CRC32();
    crc.update(fields);
    byte[] check = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
    byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
    assertThat(decoded("gzip", joined(fields, check, rest))).isEqualTo(TEXT);
    byte[] wrong = {(byte) ~check[0], check[1]};
    assertThat(fault(decode("gzip", joined(fields, wrong, rest)))).isEqualTo(WireFault.BAD_CODING);
    for (int length = 0; length < fields.length + 2; length++) {
      byte[] cut = Arrays.copyOf(joined(fields, check), length);
      assertThat(fault(decode("gzip", cut))).isEqualTo(WireFault.BAD_CODING);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "br",
        "zstd",
        "compress",
        "snappy",
        "gzip, gzip",
        "gzip,deflate",
        "gz ip",
        "aws-chunked"
      })
  void B3_otherOrSeveralCodings_areBadCoding(String coding) throws IOException {
    assertThat(fault(decode(coding, gzip(TEXT)))).isEqualTo(WireFault.BAD_CODING);
  }

  @Test
  void B3_twoCodingFields_areBadCoding() throws IOException {
    assertThat(fault(BodyDecoder.decode(List.of("gzip", "gzip"), gzip(gzip(TEXT)), CAP, 100)))
        .isEqualTo(WireFault.BAD_CODING);
  }

  @Test
  void B3_everyTruncation_isBadCoding() throws IOException {
    for (byte[] gzip : List.of(gzip(TEXT), joined(gzip(new byte[0]), gzip(TEXT)))) {
      for (int length = 0; length < gzip.length; length++) {
        if (length != gzip(new byte[0]).length || gzip[length] != 0x1f) {
          assertThat(fault(decode("gzip", Arrays.copyOf(gzip, length))))
              .isEqualTo(WireFault.BAD_CODING);
        }
      }
    }
    for (byte[] deflate : List.of(zlib(TEXT, false), zlib(TEXT, true))) {
      for (int length = 0; length < deflate.length; length++) {
        assertThat(fault(decode("deflate", Arrays.copyOf(deflate, length))))
            .isEqualTo(WireFault.BAD_CODING);
      }
    }
  }

  @Test
  void W10_membersOfGzip_areOneText() throws IOException {
    byte[] half = Arrays.copyOf(TEXT, 301);
    byte[] rest = Arrays.copyOfRange(TEXT, 301, TEXT.length);
    assertThat(decoded("gzip", joined(gzip(half), gzip(rest)))).isEqualTo(TEXT);
    byte[] none = gzip(new byte[0]);
    assertThat(decoded("gzip", joined(none, gzip(half), none, gzip(rest), none))).isEqualTo(TEXT);
    byte[] first = gzip(half);
    first[first.length - 8] ^= 1;
    assertThat(fault(decode("gzip", joined(first, gzip(rest))))).isEqualTo(WireFault.BAD_CODING);
  }

  @Test
  void W10_membersTogether_areHeldToCapAndRatio() throws IOException {
    byte[] noise = new byte[40_000];
    new Random(3).nextBytes(noise);
    byte[] member = gzip(noise);
    assertThat(decoded("gzip", joined(member, member))).hasSize(80_000);
    byte[][] many = new byte[30][];
    Arrays.fill(many, gzip(new byte[40_000]));
    assertThat(fault(decode("gzip", joined(many)))).isEqualTo(WireFault.INFLATION_LIMIT);
    assertThat(fault(BodyDecoder.decode(List.of("gzip"), joined(member, member), 79_999, 1000)))
        .isEqualTo(WireFault.INFLATION_LIMIT);
  }

  @Test
  void W10_deflateWithAndWithoutItsHeader_isDecoded() throws IOException {
    assertThat(decoded("deflate", zlib(TEXT, true))).isEqualTo(TEXT);
    assertThat(decoded("deflate", zlib(TEXT, false))).isEqualTo(TEXT);
    byte[] broken = zlib(TEXT, false);
    broken[broken.length - 1] ^= 1;
    assertThat(fault(decode("deflate", broken))).isEqualTo(WireFault.BAD_CODING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity,gzip", "gzip, identity", "x-gzip", "GZip", " gzip ,", ",gzip"})
  void W10_codingInOtherWords_isTheSame(String coding) throws IOException {
    assertThat(decoded(coding, gzip(TEXT))).isEqualTo(TEXT);
  }

  @Test
  void B3_badCheckSum_andTrailingData_areBadCoding() throws IOException {
    byte[] gzip = gzip(TEXT);
    for (int at = gzip.length - 8; at < gzip.length; at++) {
      byte[] bad = gzip.clone();
      bad[at] ^= 1;
      assertThat(fault(decode("gzip", bad))).isEqualTo(WireFault.BAD_CODING);
    }
    byte[] reserved = gzip.clone();
    reserved[3] = (byte) 0x80;
    for (byte[] bad : List.of(joined(gzip, new byte[] {0}), joined(gzip, TEXT), reserved, TEXT)) {
      assertThat(fault(decode("gzip", bad))).isEqualTo(WireFault.BAD_CODING);
    }
    byte[] behind = {0};
    for (byte[] bad :
        List.of(joined(zlib(TEXT, true), behind), joined(zlib(TEXT, false), behind), TEXT)) {
      assertThat(fault(decode("deflate", bad))).isEqualTo(WireFault.BAD_CODING);
    }
  }

  @Test
  void B3_bombs_areStoppedByRatioAndByCap() throws IOException {
    byte[] zeros = gzip(new byte[900_000]);
    assertThat(fault(decode("gzip", zeros))).isEqualTo(WireFault.INFLATION_LIMIT);
    assertThat(fault(decode("deflate", zlib(new byte[900_000], false))))
        .isEqualTo(WireFault.INFLATION_LIMIT);
    byte[] noise = new byte[2000];
    new Random(2).nextBytes(noise);
    byte[] body = gzip(noise);
    assertThat(BodyDecoder.decode(List.of("gzip"), body, 2000, 100))
        .isInstanceOf(BodyDecoder.Decoding.Decoded.class);
    assertThat(fault(BodyDecoder.decode(List.of("gzip"), body, 1999, 100)))
        .isEqualTo(WireFault.INFLATION_LIMIT);
  }

  @Test
  void aBodyInPieces_isTheSameAsWhole_howeverItIsCut() throws IOException {
    Random random = new Random(4);
    byte[] noise = new byte[70_000];
    random.nextBytes(noise);
    byte[] fields = joined(HexFormat.of().parseHex("1f8b0818000000000003"), Wire.bytes("n\0c\0"));
    byte[] named = joined(fields, Arrays.copyOfRange(gzip(TEXT), 10, gzip(TEXT).length));
    for (byte[] body : List.of(joined(gzip(TEXT), named, gzip(noise)), zlib(noise, false))) {
      String coding = body[0] == 0x1f ? "gzip" : "deflate";
      for (int most : new int[] {1, 7, 5000}) {
        try (Inflation inflation = BodyDecoder.pieces(List.of(coding), CAP, 100).orElseThrow()) {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          for (int at = 0; at < body.length; ) {
            int next = Math.min(body.length, at + 1 + random.nextInt(most));
            out.writeBytes(
                ((BodyDecoder.Decoding.Decoded) inflation.piece(Arrays.copyOfRange(body, at, next)))
                    .body());
            at = next;
          }
          assertThat(inflation.end()).isEmpty();
          assertThat(out.toByteArray()).isEqualTo(decoded(coding, body));
        }
      }
    }
  }

  @Test
  void B3_aBombInPieces_isStoppedAtItsRatio_andHeadersWithoutEndAreNotKept() throws IOException {
    byte[] bomb = gzip(new byte[50_000_000]);
    long given = 0;
    try (Inflation inflation = BodyDecoder.pieces(List.of("gzip"), CAP, 100).orElseThrow()) {
      for (int at = 0; at < bomb.length; at += 100) {
        BodyDecoder.Decoding piece = inflation.piece(Arrays.copyOfRange(bomb, at, at + 100));
        if (piece instanceof BodyDecoder.Decoding.Refused refused) {
          assertThat(refused.fault()).isEqualTo(WireFault.INFLATION_LIMIT);
          break;
        }
        given += ((BodyDecoder.Decoding.Decoded) piece).body().length;
      }
    }
    assertThat(given).isLessThanOrEqualTo(64 * 1024);
    byte[] name = new byte[5_000];
    Arrays.fill(name, (byte) 'n');
    byte[] endless = joined(HexFormat.of().parseHex("1f8b0808000000000003"), name);
    try (Inflation inflation = BodyDecoder.pieces(List.of("gzip"), CAP, 100).orElseThrow()) {
      assertThat(fault(inflation.piece(endless))).isEqualTo(WireFault.BAD_CODING);
    }
  }
}
