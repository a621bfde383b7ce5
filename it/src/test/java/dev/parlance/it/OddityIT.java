package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Oddities of framing, coding and naming in every protocol, whole and streamed. Harmless ones cost
 * nothing: a sidecar that observes passes them as they came, and one that enforces delivers the
 * answer. Words of the agent that nobody reads do not get through the same doors.
 */
class OddityIT {
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

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.parlance.it.OddRows#harmless")
  void harmlessOddity_costsNothing(OddRows.Row row) throws IOException {
    for (LocalSidecar sidecar : sidecars.both()) {
      boolean isCoded = row.toString().contains("deflate") && sidecar.equals(sidecars.observing());
      String got = isCoded ? raw(sidecar, row) : exchange(sidecar, row);
      assertThat(got).startsWith("HTTP/1.1 200").contains(isCoded ? bodyOf(row) : OddMessages.SAID);
      assertThat(got).doesNotContain("\"error\"", "content_filter", "REJECTED");
      assertThat(origin.asked()).hasSize(1);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.parlance.it.OddRows#words")
  void wordsThatNobodyReads_doNotPass(OddRows.Row row) throws IOException {
    assertThat(exchange(sidecars.enforcing(), row)).doesNotContain("walrus", "topaz", "candle");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.parlance.it.OddRows#words")
  void whoObserves_passesThemAsTheyCame(OddRows.Row row) throws IOException {
    String sent = new String(row.answer(), ISO_8859_1);
    String body = bodyOf(row);
    String got = raw(sidecars.observing(), row);
    assertThat(isWithin(body, got.substring(got.indexOf("\r\n\r\n") + 4)) || sent.contains("gzip"))
        .as("%s in %s", body, got)
        .isTrue();
  }

  private static String bodyOf(OddRows.Row row) {
    String sent = new String(row.answer(), ISO_8859_1);
    return sent.substring(sent.indexOf("\r\n\r\n") + 4);
  }

  /** True if a text only has others put into it. */
  private static boolean isWithin(String text, String with) {
    int at = 0;
    for (int i = 0; i < with.length() && at < text.length(); i++) {
      at += with.charAt(i) == text.charAt(at) ? 1 : 0;
    }
    return at == text.length();
  }

  private static String raw(LocalSidecar sidecar, OddRows.Row row) throws IOException {
    origin.answer(row.answer());
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(row.request());
      String all = client.rest();
      return all.substring(0, all.indexOf("\r\n\r\n") + 4)
          + HttpBytes.readResponse(new ByteArrayInputStream(all.getBytes(ISO_8859_1)), false)
              .map(reply -> new String(reply.body(), ISO_8859_1))
              .orElseThrow();
    }
  }

  private static String exchange(LocalSidecar sidecar, OddRows.Row row) throws IOException {
    origin.answer(row.answer());
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(row.request());
      String all = client.rest();
      HttpBytes reply =
          HttpBytes.readResponse(new ByteArrayInputStream(all.getBytes(ISO_8859_1)), false)
              .orElseThrow(() -> new IOException("broken: " + all));
      byte[] body = reply.body();
      boolean zipped =
          reply.field("content-encoding").filter(it -> it.contains("gzip")).isPresent();
      return all.substring(0, all.indexOf("\r\n\r\n"))
          + "\r\n\r\n"
          + (zipped
              ? new String(
                  new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(), UTF_8)
              : new String(body, UTF_8));
    }
  }
}
