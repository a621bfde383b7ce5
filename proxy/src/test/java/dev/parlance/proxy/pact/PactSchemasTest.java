package dev.parlance.proxy.pact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parlance.proxy.gate.AnswerSchemas;
import dev.parlance.proxy.gate.AnswerSchemas.AnswerSchema;
import dev.parlance.proxy.gate.Digests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which schemas a folder gives, and what they say of JSON. */
class PactSchemasTest {
  private static final String TOTALS =
      "{\"type\":\"object\",\"required\":[\"total\"],"
          + "\"properties\":{\"total\":{\"type\":\"integer\",\"minimum\":0}}}";

  @TempDir Path dir = Path.of("");
  private List<String> texts = List.of();
  private final PactSchemas folder = new PactSchemas(() -> Optional.of(dir), () -> texts);

  private String put(String schema, String suffix) throws IOException {
    byte[] bytes = schema.getBytes(StandardCharsets.UTF_8);
    Files.write(dir.resolve(Digests.sha256(bytes) + suffix), bytes);
    folder.refresh();
    return "sha256:" + Digests.sha256(bytes);
  }

  private static Optional<String> fault(AnswerSchema schema, String json) {
    return schema.fault(json.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {".json", ""})
  void aFileNamedByItsHash_isASchema(String suffix) throws IOException {
    AnswerSchema schema = folder.named(put(TOTALS, suffix)).orElseThrow();
    assertThat(fault(schema, "{\"total\":3}")).isEmpty();
    assertThat(fault(schema, "{\"total\":-1}"))
        .hasValueSatisfying(text -> assertThat(text).contains("total"));
    assertThat(fault(schema, "{}")).isPresent();
    assertThat(fault(schema, "[]")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "123456789012345678901234567890", "-0", "1.5e-400", "1e999999"})
  void numbersOfAnySize_areHeldAgainstItWithoutHarm(String number) throws IOException {
    AnswerSchema schema = folder.named(put(TOTALS, ".json")).orElseThrow();
    assertThat(fault(schema, "{\"total\":" + number + "}")).isNotNull();
    assertThat(fault(schema, "{\"total\":\"" + number + "\"}")).isPresent();
  }

  @Test
  void aPattern_takesTimeInProportionToTheText_orItsSchemaIsNone() throws IOException {
    AnswerSchema schema =
        folder.named(put("{\"type\":\"string\",\"pattern\":\"^(a|a)*$\"}", ".json")).orElseThrow();
    String text = "a".repeat(3_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          assertThat(fault(schema, "\"" + text + "\"")).isEmpty();
          assertThat(fault(schema, "\"" + text + "b\"")).isPresent();
        });
    assertThat(folder.named(put("{\"pattern\":\"(?=a)b\"}", ".json"))).isEmpty();
  }

  @Test
  void aCheckThatFails_measuresNothing() throws IOException {
    AnswerSchema schema =
        folder
            .named(
                put("{\"$id\":\"urn:x\",\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}", ".json"))
            .orElseThrow();
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    assertThat(fault(schema, deep)).contains(AnswerSchemas.UNHELD);
  }

  @Test
  void anotherName_noSchemaAtAll_andOneThatIsTooLarge_areNotUsed() throws IOException {
    byte[] bytes = TOTALS.getBytes(StandardCharsets.UTF_8);
    Files.write(dir.resolve("ab".repeat(32) + ".json"), bytes);
    Files.write(dir.resolve("totals.json"), bytes);
    folder.refresh();
    assertThat(folder.named("sha256:" + "ab".repeat(32))).isEmpty();
    assertThat(folder.named("sha256:" + Digests.sha256(bytes))).isEmpty();
    assertThat(folder.named(put("{\"type\":", ".json"))).isEmpty();
    assertThat(folder.named(put("{\"title\":\"" + "x".repeat(300_000) + "\"}", ".json"))).isEmpty();
  }

  @Test
  void theSettings_holdSchemasToo() throws IOException {
    texts = List.of(TOTALS, "{\"type\":7}");
    folder.refresh();
    String name = "sha256:" + Digests.sha256(TOTALS.getBytes(StandardCharsets.UTF_8));
    assertThat(fault(folder.named(name).orElseThrow(), "{}")).isPresent();
    String other = put("{\"type\":\"string\"}", ".json");
    assertThat(folder.named(name)).isPresent();
    assertThat(folder.named(other)).isPresent();
    texts = List.of();
    folder.refresh();
    assertThat(folder.named(name)).isEmpty();
    assertThat(folder.named(other)).isPresent();
  }

  @Test
  void aReferenceElsewhere_isNeverFetched() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      other.setSoTimeout(200);
      String schema = "{\"$ref\":\"http://127.0.0.1:" + other.getLocalPort() + "/s.json\"}";
      Optional<AnswerSchema> found = folder.named(put(schema, ".json"));
      found.ifPresent(one -> assertThat(fault(one, "{}")).isPresent());
      boolean called;
      try {
        other.accept().close();
        called = true;
      } catch (SocketTimeoutException e) {
        called = false;
      }
      assertThat(called).isFalse();
      assertThat(found).isEmpty();
    }
  }

  @Test
  void aSchemaComesAndGoesWithItsFile() throws IOException {
    String name = put(TOTALS, ".json");
    assertThat(folder.named(name)).isPresent();
    Files.delete(dir.resolve(name.substring("sha256:".length()) + ".json"));
    folder.refresh();
    assertThat(folder.named(name)).isEmpty();
    assertThat(folder.named(put(TOTALS, ".json"))).isPresent();
  }

  @Test
  void aFolderThatIsNotThere_hasNone_andAnotherDraftIsReadAsItself() throws IOException {
    PactSchemas none = new PactSchemas(() -> Optional.of(dir.resolve("none")), List::of);
    none.refresh();
    assertThat(none.named("sha256:" + "ab".repeat(32))).isEmpty();
    String draft4 =
        "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"minimum\":5,"
            + "\"exclusiveMinimum\":true}";
    AnswerSchema schema = folder.named(put(draft4, ".json")).orElseThrow();
    assertThat(fault(schema, "5")).isPresent();
    assertThat(fault(schema, "6")).isEmpty();
  }
}
