package dev.parlance.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.parlance.wire.Wire;
import dev.parlance.wire.bytes.WireFault;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Our scanner against Jackson, and against the public JSON test suite. */
@Tag("differential")
class JsonOracleTest {
  private static final Set<String> REPEATED_NAMES =
      Set.of("y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json");

  private static Optional<JsonNode> jackson(byte[] body) {
    try {
      return Optional.of(Wire.JACKSON.readTree(body)).filter(node -> !node.isMissingNode());
    } catch (JacksonException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static void assertSame(JsonDocument json, int node, JsonNode expected) {
    if (expected.isObject()) {
      List<String> names = new ArrayList<>();
      for (int name = json.first(node);
          name != JsonDocument.NONE;
          name = json.nextName(node, name)) {
        names.add(json.string(name));
        assertSame(json, name + 1, expected.get(json.string(name)));
        assertThat(json.member(node, json.string(name))).isEqualTo(name + 1);
      }
      assertThat(names).containsExactlyElementsOf(expected.propertyNames());
    } else if (expected.isArray()) {
      int index = 0;
      for (int at = json.first(node); at != JsonDocument.NONE; at = json.nextElement(node, at)) {
        assertSame(json, at, expected.get(index++));
      }
      assertThat(index).isEqualTo(expected.size());
    } else if (expected.isString()) {
      assertThat(json.string(node)).isEqualTo(expected.stringValue());
    } else if (expected.isNumber()) {
      assertThat(new BigDecimal(json.raw(node))).isEqualByComparingTo(expected.decimalValue());
    } else {
      assertThat(json.raw(node)).isEqualTo(expected.toString());
    }
  }

  @Test
  void randomDocuments_readAsJacksonReadsThem() {
    Random random = new Random(20261121);
    for (int i = 0; i < 1000; i++) {
      StringBuilder text = new StringBuilder();
      randomValue(random, text, 5);
      byte[] body = Wire.bytes(text.toString());
      JsonScanner.Scan scan = JsonScanner.scan(body, JsonScanner.Limits.DEFAULT);
      if (scan instanceof JsonScanner.Scanned scanned) {
        assertSame(scanned.document(), 0, Wire.tree(body));
      } else {
        fail("refused " + scan + ": " + text);
      }
    }
  }

  @Test
  void mutatedDocuments_areNeverAcceptedWhereJacksonRefuses_norReadOtherwise() {
    Random random = new Random(7);
    int accepted = 0;
    int refused = 0;
    for (int i = 0; i < 6000; i++) {
      StringBuilder text = new StringBuilder();
      randomValue(random, text, 4);
      byte[] body = mutate(random, Wire.bytes(text.toString()));
      Optional<JsonNode> expected = jackson(body);
      switch (JsonScanner.scan(body, JsonScanner.Limits.DEFAULT)) {
        case JsonScanner.Scanned scanned -> {
          accepted++;
          assertThat(expected).isPresent();
          assertSame(scanned.document(), 0, expected.orElseThrow());
        }
        case JsonScanner.Refused refusal -> {
          refused++;
          // Jackson takes lone surrogate escapes, some broken UTF-8 and names in other case.
          boolean stricter =
              refusal.fault() != WireFault.BAD_JSON || refusal.detail().startsWith("bad escape");
          if (!stricter) {
            assertThat(expected)
                .as("%s: %s", refusal, new String(body, java.nio.charset.StandardCharsets.UTF_8))
                .isEmpty();
          }
        }
      }
    }
    assertThat(accepted).isGreaterThan(300);
    assertThat(refused).isGreaterThan(300);
  }

  private static byte[] mutate(Random random, byte[] body) {
    byte[] out = body.clone();
    String alphabet = "{}[]\",:0123456789.eE+-\\u tfn/'x\n";
    for (int times = 1 + random.nextInt(2); times > 0 && out.length > 1; times--) {
      int at = random.nextInt(out.length);
      switch (random.nextInt(4)) {
        case 0 -> out[at] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
        case 1 -> out[at] = (byte) random.nextInt(256);
        case 2 -> {
          byte[] shorter = new byte[out.length - 1];
          System.arraycopy(out, 0, shorter, 0, at);
          System.arraycopy(out, at + 1, shorter, at, out.length - at - 1);
          out = shorter;
        }
        default -> out = java.util.Arrays.copyOf(out, at + 1);
      }
    }
    return out;
  }

  private static void randomValue(Random random, StringBuilder out, int depth) {
    space(random, out);
    switch (random.nextInt(depth > 0 ? 8 : 5)) {
      case 0 -> out.append(random.nextBoolean());
      case 1 -> out.append("null");
      case 2 -> randomNumber(random, out);
      case 3, 4 -> randomString(random, out, "");
      case 5 -> {
        out.append('[');
        for (int i = random.nextInt(5); i > 0; i--) {
          randomValue(random, out, depth - 1);
          out.append(i == 1 ? "" : ",");
        }
        out.append(']');
      }
      default -> {
        out.append('{');
        for (int i = random.nextInt(14); i > 0; i--) {
          space(random, out);
          randomString(random, out, i + ".");
          space(random, out);
          out.append(':');
          randomValue(random, out, depth - 2);
          out.append(i == 1 ? "" : ",");
        }
        out.append('}');
      }
    }
    space(random, out);
  }

  private static void space(Random random, StringBuilder out) {
    if (random.nextInt(4) == 0) {
      out.append(" \t\r\n".charAt(random.nextInt(4)));
    }
  }

  private static void randomNumber(Random random, StringBuilder out) {
    switch (random.nextInt(4)) {
      case 0 -> out.append(random.nextLong());
      case 1 -> out.append(random.nextGaussian());
      case 2 -> out.append(random.nextInt(100)).append("e").append(random.nextInt(200) - 100);
      default ->
          out.append("-0.").append(random.nextInt(1000)).append("E+").append(random.nextInt(9));
    }
  }

  private static void randomString(Random random, StringBuilder out, String prefix) {
    String[] pieces = {
      "a",
      "B",
      " ",
      "\u00e9",
      "\u65e5",
      "\ud83d\ude00",
      "\\n",
      "\\\"",
      "\\\\",
      "\\/",
      "\\u0041",
      "\\u00E9",
      "\\ud83d\\ude00",
      "\u2028",
      "\u007f",
      "e\u0301"
    };
    out.append('"').append(prefix);
    for (int i = random.nextInt(10); i > 0; i--) {
      out.append(pieces[random.nextInt(pieces.length)]);
    }
    out.append('"');
  }

  private static Optional<Path> suite() {
    List<String> roots = new ArrayList<>();
    Optional.ofNullable(System.getProperty("parlance.vectors")).ifPresent(roots::add);
    Optional.ofNullable(System.getenv("PARLANCE_VECTORS")).ifPresent(roots::add);
    roots.add("../../shared/vectors");
    roots.add("../shared/vectors");
    return roots.stream()
        .map(root -> Path.of(root, "json-test-suite", "test_parsing"))
        .filter(Files::isDirectory)
        .findFirst();
  }

  @TestFactory
  Stream<DynamicTest> B7_publicJsonTestSuite() throws IOException {
    Optional<Path> suite = suite();
    Assumptions.assumeTrue(
        suite.isPresent(),
        "JSONTestSuite not found: set PARLANCE_VECTORS to the folder that holds json-test-suite");
    try (Stream<Path> files = Files.list(suite.orElseThrow())) {
      List<Path> cases = files.sorted().toList();
      assertThat(cases).hasSizeGreaterThan(300);
      return cases.stream()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
    }
  }

  private static void check(Path file) throws IOException {
    String name = file.getFileName().toString();
    byte[] body = Files.readAllBytes(file);
    JsonScanner.Scan scan = JsonScanner.scan(body, JsonScanner.Limits.DEFAULT);
    if (REPEATED_NAMES.contains(name)) {
      assertThat(((JsonScanner.Refused) scan).fault()).isEqualTo(WireFault.DUPLICATE_KEY);
    } else if (name.startsWith("y_")) {
      assertThat(scan).isInstanceOf(JsonScanner.Scanned.class);
      assertSame(((JsonScanner.Scanned) scan).document(), 0, Wire.tree(body));
    } else if (name.startsWith("n_")) {
      assertThat(scan).isInstanceOf(JsonScanner.Refused.class);
    } else {
      assertThat(scan).isNotNull();
    }
  }

  @Test
  void JacksonItself_isStrictEnoughToBeAnOracle() {
    assertThatThrownBy(() -> Wire.tree("{\"a\":1,\"a\":2}")).isInstanceOf(JacksonException.class);
    assertThatThrownBy(() -> Wire.tree("{} x")).isInstanceOf(JacksonException.class);
  }
}
