package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Exchanges after public bug reports of proxies, gateways and SDKs, byte for byte through a sidecar
 * that observes and one that enforces, all else default. What is right stands in {@code
 * cases/wire/expect.json}.
 */
class WireCasesIT {
  private static final String FOLDER = "/cases/wire/";

  private static RawOrigin origin;
  private static BothModes sidecars;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    origin = new RawOrigin();
    sidecars = BothModes.inFrontOf(origin.port(), folder);
  }

  @AfterAll
  static void stop() throws IOException {
    sidecars.close();
    origin.close();
  }

  static Stream<Arguments> cases() throws IOException {
    JsonNode all = new ObjectMapper().readTree(resource("expect.json"));
    return StreamSupport.stream(all.spliterator(), false)
        .flatMap(found ->
            Stream.of("observe", "enforce")
                .filter(found::has)
                .map(mode -> Arguments.of(found.get("id").asString(), mode, found.get(mode))));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("cases")
  void caseComesOutRight(String id, String mode, JsonNode expected) throws IOException {
    origin.answer(resource(id + ".resp"));
    Outcome outcome = exchange(sidecars.in(mode), resource(id + ".req"));

    List<String> faults = outcome.faults(expected);

    assertThat(faults).as("%s %s: %s", id, mode, outcome).isEmpty();
  }

  private static Outcome exchange(LocalSidecar sidecar, byte[] request) throws IOException {
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(request);
      String all = client.rest();
      try {
        InputStream in = new ByteArrayInputStream(all.getBytes(ISO_8859_1));
        return new Outcome(all, HttpBytes.readResponse(in, false), origin.asked());
      } catch (IOException broken) {
        return new Outcome(all, Optional.empty(), origin.asked());
      }
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = WireCasesIT.class.getResourceAsStream(FOLDER + name)) {
      return in.readAllBytes();
    }
  }

  /**
   * What came of a request.
   *
   * @param raw all that the caller got
   * @param whole the same as a message; empty if it breaks off
   * @param asked what reached the origin
   */
  private record Outcome(String raw, Optional<HttpBytes> whole, List<String> asked) {
    /** What is not as expected. */
    List<String> faults(JsonNode expected) {
      List<String> faults = new ArrayList<>();
      for (var member : expected.properties()) {
        JsonNode want = member.getValue();
        boolean holds =
            switch (member.getKey()) {
              case "status" -> values(want).anyMatch(status -> status.asInt() == status());
              case "has" -> values(want).allMatch(part -> text().contains(part.asString()));
              case "lacks" -> values(want).noneMatch(part -> text().contains(part.asString()));
              case "head" ->
                  want.properties().stream()
                      .allMatch(field ->
                          field(field.getKey()).equals(Optional.of(field.getValue().asString())));
              case "asked" ->
                  asked.size() >= want.get(0).asInt() && asked.size() <= want.get(1).asInt();
              case "asked_text" ->
                  asked.stream().filter(it -> it.contains(want.get("text").asString())).count()
                      <= want.get("max").asInt();
              case "end" -> whole.isEmpty();
              case "any_of" -> values(want).anyMatch(one -> faults(one).isEmpty());
              default -> throw new IllegalArgumentException(member.getKey());
            };
        if (!holds) {
          faults.add(member.getKey() + " " + want);
        }
      }
      return faults;
    }

    private static Stream<JsonNode> values(JsonNode list) {
      return StreamSupport.stream(list.spliterator(), false);
    }

    private int status() {
      String[] parts = raw.split(" ", 3);
      return parts.length < 2 ? 0 : Integer.parseInt(parts[1]);
    }

    private Optional<String> field(String name) {
      return whole.flatMap(message -> message.field(name));
    }

    private String text() {
      return whole
          .map(message -> raw.substring(0, raw.indexOf("\r\n\r\n")) + "\n\n" + body(message))
          .orElse(raw);
    }

    private static String body(HttpBytes message) {
      if (!message.field("content-encoding").equals(Optional.of("gzip"))) {
        return new String(message.body(), UTF_8);
      }
      try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(message.body()))) {
        return new String(in.readAllBytes(), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String toString() {
      return "asked " + asked.size() + " times, " + (whole.isEmpty() ? "broken: " : "") + raw;
    }
  }
}
