package dev.parlance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.BodyDecoder;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Fuzz targets. A plain test run replays the seeds beside this class; {@code JAZZER_FUZZ=1}
 * searches.
 */
@Tag("fuzz")
class WireFuzzTest {
  private static final RequestView ASKED = Wire.a2a(Wire.recorded("a2a-v1.0-message.req"));
  private static final RequestView ASKED_OLD = Wire.a2a(Wire.recorded("a2a-v0.3-message.req"));

  @FuzzTest(maxDuration = "2m")
  void scanner(byte[] body) {
    if (JsonScanner.scan(body, JsonScanner.Limits.DEFAULT) instanceof JsonScanner.Scanned scanned) {
      JsonDocument json = scanned.document();
      for (int node = 0; node < json.nodes(); node++) {
        assertThat(json.start(node)).isBetween(0, body.length - 1);
        assertThat(json.end(node)).isBetween(json.start(node) + 1, body.length);
        assertThat(json.skip(node)).isBetween(node + 1, json.nodes());
        if (json.isString(node)) {
          assertThat(Utf8.firstInvalid(json.text(node).toByteArray())).isNegative();
        }
      }
      assertThat(Wire.JACKSON.readTree(body).isMissingNode()).isFalse();
    }
  }

  @FuzzTest(maxDuration = "2m")
  void a2aRequest(byte[] body) {
    if (Wire.read("a2a", body) instanceof Reading.Readable<RequestView> readable) {
      RequestView view = readable.view();
      byte[] annotated = Splicer.applyToBytes(body, view.annotate(Wire.verdict()));
      RequestView again = Wire.a2a(annotated);
      assertThat(again.message()).isEqualTo(view.message());
      assertThat(again.round()).isEqualTo(view.round());
      assertThat(again.cutRounds()).isZero();
      assertThat(Wire.a2a(Splicer.applyToBytes(annotated, again.strip())).forgedVerdicts())
          .isZero();
      assertThat(
              JsonScanner.scan(
                  view.refuse(Wire.notice(Notice.Kind.YIELD)).body(), JsonScanner.Limits.DEFAULT))
          .isInstanceOf(JsonScanner.Scanned.class);
    }
  }

  @FuzzTest(maxDuration = "2m")
  void a2aResponse(byte[] body) {
    for (RequestView request : List.of(ASKED, ASKED_OLD)) {
      if (request.readResponse(Wire.OK_JSON, body)
          instanceof Reading.Readable<ResponseView> readable) {
        ResponseView view = readable.view();
        byte[] annotated = Splicer.applyToBytes(body, view.annotate(Wire.verdict()));
        ResponseView again = Wire.answer(request, annotated);
        assertThat(again.message()).isEqualTo(view.message());
        assertThat(again.round()).isEqualTo(view.round());
        assertThat(again.cutRounds()).isZero();
        request
            .repair(view, "again", "m2")
            .ifPresent(repaired -> assertThat(Wire.a2a(repaired).message()).isPresent());
      }
    }
  }

  @FuzzTest(maxDuration = "2m")
  void decoder(byte[] body) {
    for (String coding : List.of("gzip", "deflate")) {
      BodyDecoder.Decoding decoding = BodyDecoder.decode(List.of(coding), body, 1 << 16, 100);
      if (decoding instanceof BodyDecoder.Decoding.Decoded decoded) {
        assertThat(decoded.body().length).isLessThanOrEqualTo(1 << 16);
      }
    }
  }
}
