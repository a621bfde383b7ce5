package dev.parlance.service.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpiffeIdTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "spiffe://example.org",
        "spiffe://example.org/ns/shop/sa/buyer",
        "spiffe://a_b-c.1/A.b_C-9/...",
      })
  void ids_areReadAsTheyAreWritten(String text) {
    assertThat(SpiffeId.parse(text)).hasValueSatisfying(id -> assertThat(id).hasToString(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "spiffe://",
        "spiffe:///path",
        "SPIFFE://example.org/x",
        "https://example.org/x",
        "spiffe://Example.org/x",
        "spiffe://example.org:80/x",
        "spiffe://user@example.org/x",
        "spiffe://example.org/",
        "spiffe://example.org/x/",
        "spiffe://example.org//x",
        "spiffe://example.org/./x",
        "spiffe://example.org/x/..",
        "spiffe://example.org/x?y",
        "spiffe://example.org/x#y",
        "spiffe://example.org/%61",
        "spiffe://example.org/x y",
        "spiffe://example.org/x*",
        "spiffe://ex\u0430mple.org/x",
        "spiffe://example.org/\u0445",
        " spiffe://example.org/x",
      })
  void everythingElse_isNone(String text) {
    assertThat(SpiffeId.parse(text)).isEmpty();
  }

  @Test
  void length_isBounded() {
    String path = "/" + "a".repeat(SpiffeId.MAX_CHARS - "spiffe://d/".length());
    assertThat(SpiffeId.parse("spiffe://d" + path)).isPresent();
    assertThat(SpiffeId.parse("spiffe://d" + path + "a")).isEmpty();
    assertThat(SpiffeId.parse("spiffe://" + "d".repeat(256) + "/x")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "*, spiffe://any.example/x, true",
    "spiffe://d/ns/a/sa/b, spiffe://d/ns/a/sa/b, true",
    "spiffe://d/ns/a/sa/b, spiffe://d/ns/a/sa/bc, false",
    "spiffe://d/ns/a/sa/b, spiffe://e/ns/a/sa/b, false",
    "spiffe://d/ns/*/sa/b, spiffe://d/ns/x/sa/b, true",
    "spiffe://d/ns/*/sa/b, spiffe://d/ns/x/y/sa/b, false",
    "spiffe://d/ns/a/sa/b*, spiffe://d/ns/a/sa/b, true",
    "spiffe://d/ns/a/sa/b*, spiffe://d/ns/a/sa/buyer, true",
    "spiffe://d/ns/a/sa/b*, spiffe://d/ns/a/sa/buyer/x, false",
    "spiffe://d/ns/a/**, spiffe://d/ns/a/sa/b, true",
    "spiffe://d/ns/a/**, spiffe://d/ns/a/b, true",
    "spiffe://d/ns/a/**, spiffe://d/ns/a, false",
    "spiffe://d/ns/a/**, spiffe://d/ns/ab/sa/b, false",
    "spiffe://d/**, spiffe://d/x, true",
    "spiffe://d/*, spiffe://d, false",
  })
  void patterns_matchSegmentBySegment(String pattern, String id, boolean matches) {
    assertThat(SpiffePattern.parse(pattern).orElseThrow().matches(SpiffeId.parse(id).orElseThrow()))
        .isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "**",
        "spiffe://*/x",
        "spiffe://d",
        "spiffe://d/",
        "spiffe://d/a*b",
        "spiffe://d/**/x",
        "spiffe://d/a**",
        "spiffe://d//x",
        "spiffe://d/../*",
        "anonymous",
      })
  void otherPatterns_areNone(String text) {
    assertThat(SpiffePattern.parse(text)).isEmpty();
  }
}
