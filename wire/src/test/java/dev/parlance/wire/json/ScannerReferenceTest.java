package dev.parlance.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.wire.Wire;
import dev.parlance.wire.bytes.WireFault;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scanner says of every body what the one says that goes byte by byte: the same tree, or the
 * same refusal with the same offset. And the codes of member names say what the names say.
 */
@Tag("differential")
class ScannerReferenceTest {
  private static final int ROUNDS = 2500 * Integer.getInteger("soak", 5);
  private static final JsonScanner.Limits LIMITS = new JsonScanner.Limits(6, 60);
  private static final MemberName[] MEMBERS = MemberName.values();
  private static final List<String> PIECES =
      List.of(
          "a",
          " ",
          "x y",
          "naïve",
          "日本語",
          "\uD83D\uDE00",
          "\\\"",
          "\\\\",
          "\\/",
          "\\n",
          "\\u00e9",
          "\\u0074",
          "\\uD83D\\uDE00",
          "\\ud800",
          "\\u12",
          "\\x",
          "\u0001",
          "\u007f",
          "]",
          "}",
          ":",
          "0123456789abcdef0123456789ABCDEF",
          "the quick brown fox jumps over the lazy dog");

  private final Random random = new Random(20261122);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void everyBody_isReadOrRefused_asByteByByte() {
    int scanned = 0;
    int refused = 0;
    Set<WireFault> faults = new HashSet<>();
    for (int i = 0; i < ROUNDS; i++) {
      byte[] body = body();
      JsonScanner.Scan expected = ReferenceScanner.scan(body, LIMITS);
      JsonScanner.Scan found = JsonScanner.scan(body, LIMITS);
      switch (expected) {
        case JsonScanner.Refused refusal -> {
          refused++;
          faults.add(refusal.fault());
          assertThat(found).as(text(body)).isEqualTo(refusal);
        }
        case JsonScanner.Scanned(JsonDocument tree) -> {
          scanned++;
          assertThat(found).as(text(body)).isInstanceOf(JsonScanner.Scanned.class);
          assertSame(((JsonScanner.Scanned) found).document(), tree, body);
        }
      }
    }
    assertThat(scanned).isGreaterThan(ROUNDS / 10);
    assertThat(refused).isGreaterThan(ROUNDS / 10);
    assertThat(faults)
        .contains(
            WireFault.BAD_JSON,
            WireFault.BAD_ENCODING,
            WireFault.DUPLICATE_KEY,
            WireFault.JSON_LIMIT);
  }

  @Test
  void everyByteInEveryPlaceOfAString_isReadOrRefused_asByteByByte() {
    for (int length = 1; length <= 40; length++) {
      for (int at = 0; at < length; at++) {
        for (int b :
            new int[] {
              0, 1, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xa2, 0xc3, 0xdc,
              0xff
            }) {
          byte[] body = new byte[length + 2];
          Arrays.fill(body, (byte) (at % 2 == 0 ? 'a' : '#'));
          body[0] = '"';
          body[length + 1] = '"';
          body[at + 1] = (byte) b;
          JsonScanner.Scan expected = ReferenceScanner.scan(body, LIMITS);
          JsonScanner.Scan found = JsonScanner.scan(body, LIMITS);
          if (expected instanceof JsonScanner.Scanned(JsonDocument tree)) {
            assertThat(found).isInstanceOf(JsonScanner.Scanned.class);
            assertSame(((JsonScanner.Scanned) found).document(), tree, body);
          } else {
            assertThat(found).as(text(body)).isEqualTo(expected);
          }
        }
      }
    }
  }

  private static void assertSame(JsonDocument found, JsonDocument expected, byte[] body) {
    assertThat(found.nodes()).isEqualTo(expected.nodes());
    for (int node = 0; node < found.nodes(); node++) {
      assertThat(List.of(found.start(node), found.end(node), found.skip(node), found.isName(node)))
          .as("node %s of %s", node, text(body))
          .isEqualTo(
              List.of(
                  expected.start(node),
                  expected.end(node),
                  expected.skip(node),
                  expected.isName(node)));
      if (found.isName(node) || found.isString(node)) {
        String text = decoded(body, found.start(node), found.end(node));
        assertThat(found.string(node)).isEqualTo(text);
        if (found.isEscaped(node)) {
          assertThat(found.text(node, 7).toString()).isEqualTo(text);
        }
      }
      if (found.isObject(node)) {
        assertMembers(found, node);
      }
    }
  }

  /** What is asked by code is what is asked by name. */
  private static void assertMembers(JsonDocument json, int object) {
    for (MemberName member : MEMBERS) {
      assertThat(json.nameOf(object, member)).isEqualTo(json.nameOf(object, member.text()));
      long alone = MemberName.set(member);
      assertThat(json.misspelt(object, alone).map(MemberName::text))
          .isEqualTo(json.misspelt(object, Set.of(member.text())));
      int name = json.first(object);
      while (name != JsonDocument.NONE) {
        boolean same = json.string(name).equals(member.text());
        assertThat(json.is(name, member)).isEqualTo(same);
        assertThat(json.isAmong(name, alone)).isEqualTo(same);
        name = json.nextName(object, name);
      }
    }
  }

  @Test
  void members_differInMoreThanCase_andFitIntoAMask() {
    Set<String> names = new HashSet<>();
    for (MemberName member : MEMBERS) {
      assertThat(names.add(member.text().toLowerCase(Locale.ROOT))).isTrue();
      assertThat(member.code()).isBetween(1, Long.SIZE - 1);
      assertThat(MemberName.ofCode(member.code())).isEqualTo(member);
      byte[] bytes = Wire.bytes(member.text());
      assertThat(MemberName.codeOf(bytes, 0, bytes.length)).isEqualTo(member.code());
      byte[] upper = Wire.bytes(member.text().toUpperCase(Locale.ROOT));
      assertThat(MemberName.codeOf(upper, 0, upper.length))
          .isEqualTo(member.code() | MemberName.VARIANT);
    }
  }

  /** The text between the quotes, decoded in the plainest way. */
  private static String decoded(byte[] body, int start, int end) {
    String raw = new String(body, start + 1, end - start - 2, StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder();
    int i = 0;
    while (i < raw.length()) {
      char c = raw.charAt(i++);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escape = raw.charAt(i++);
      switch (escape) {
        case 'u' -> {
          text.append((char) Integer.parseInt(raw.substring(i, i + 4), 16));
          i += 4;
        }
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        default -> text.append(escape);
      }
    }
    return text.toString();
  }

  // ---- bodies ----

  private byte[] body() {
    out.reset();
    value(random.nextInt(5) == 0 ? 8 : 4);
    byte[] body = out.toByteArray();
    for (int times = random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0; times > 0; times--) {
      body = mutated(body);
    }
    return body;
  }

  private byte[] mutated(byte[] body) {
    if (body.length == 0) {
      return body;
    }
    int at = random.nextInt(body.length);
    switch (random.nextInt(5)) {
      case 0 -> body[at] = (byte) "{}[]\",:0\\u .eE-\n".charAt(random.nextInt(16));
      case 1 -> body[at] = (byte) random.nextInt(256);
      case 2 -> {
        byte[] shorter = Arrays.copyOf(body, body.length - 1);
        System.arraycopy(body, at + 1, shorter, at, body.length - at - 1);
        return shorter;
      }
      case 3 -> {
        byte[] longer = Arrays.copyOf(body, body.length + 1);
        System.arraycopy(body, at, longer, at + 1, body.length - at);
        return longer;
      }
      default -> {
        return Arrays.copyOf(body, at);
      }
    }
    return body;
  }

  private void put(String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private void space() {
    put(random.nextInt(8) == 0 ? " \n\t\r".substring(random.nextInt(4)) : "");
  }

  private void value(int depth) {
    space();
    switch (random.nextInt(depth > 0 ? 10 : 5)) {
      case 0 -> put(random.nextBoolean() ? "true" : "null");
      case 1 -> put(random.nextBoolean() ? "-0.5e+3" : "12");
      case 2, 3, 4 -> string();
      case 5, 6 -> {
        put("[");
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
          put(i == 0 ? "" : ",");
          value(depth - 1);
        }
        put("]");
      }
      default -> {
        put("{");
        int count = random.nextInt(random.nextInt(6) == 0 ? 14 : 4);
        for (int i = 0; i < count; i++) {
          put(i == 0 ? "" : ",");
          space();
          name();
          space();
          put(":");
          value(depth - 1);
        }
        put("}");
      }
    }
    space();
  }

  private void string() {
    put("\"");
    for (int times = random.nextInt(4); times > 0; times--) {
      // Pieces that are no JSON are rare, or nothing would be read at all.
      int piece = random.nextInt(PIECES.size());
      boolean broken = piece >= 13 && piece <= 16;
      put(PIECES.get(broken && random.nextInt(10) > 0 ? 0 : piece));
    }
    put("\"");
  }

  private void name() {
    Optional<String> known =
        random.nextInt(4) == 0
            ? Optional.empty()
            : Optional.of(MEMBERS[random.nextInt(MEMBERS.length)].text());
    String name = known.orElse("n" + random.nextInt(30));
    switch (random.nextInt(25)) {
      case 0 -> name = name.toUpperCase(Locale.ROOT);
      case 1 -> name = name.replace('s', '\u017f').replace('k', '\u212a');
      case 2 -> name = name.replace('i', '\u0131').replace('e', '\u00e9');
      case 3 -> name = name.replace('t', '\uff54');
      case 4 -> name = String.format("\\u%04x", (int) name.charAt(0)) + name.substring(1);
      case 5 -> name = name + "_";
      case 6 -> name = name.substring(1);
      default -> {}
    }
    put("\"" + name + "\"");
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.ISO_8859_1);
  }
}
