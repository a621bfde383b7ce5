package dev.parlance.policy.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CitationScannerTest {
  private final NormalizedText text = new NormalizedText();
  private final CitationScanner scanner = new CitationScanner();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[Chunk 12] | 12",
        "(chunk c1) | c1",
        "[CHUNKS: A1; b2 & c3 and d4] | a1 b2 c3 d4",
        "[chunk7] | 7",
        "[chunk c1 and chunk c2] | c1 c2",
        "[chunk 3-5] | 3 4 5",
        "[chunk 3\u20135] | 3 4 5",
        "[chunk 08-10] | 8 9 10",
        "[chunk 5\u20143] | 5-3",
        "[chunk 1-64] | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27"
            + " 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54"
            + " 55 56 57 58 59 60 61 62 63 64",
        "[chunk 1-65] | 1-65",
        "[12, 13;14] | 12 13 14",
        "[ 12 ] | 12",
        "[[chunk 1]] | 1",
        "(see [chunk 1]) | 1",
        "[chunk doc-12#3/a.b:c_9] | doc-12#3/a.b:c_9",
        "\uff3b\uff23hunk\u30001\uff3d | 1"
      })
  void markers_areRead(String marker, String ids) {
    assertThat(ids(marker)).isEqualTo(List.of(ids.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Section 1.6",
        "chunk 1",
        "[chunk 1)",
        "[chunk 1",
        "[chunk one]",
        "[chunk a1, bad id]",
        "[chunk a1,]",
        "[chunk]",
        "[chunkc1]",
        "[chunky 1]",
        "[chunk .1]",
        "[chunk 1.]",
        "[chunk\n1]",
        "[1234567890]",
        "(12)",
        "[-7]",
        "[7-9]",
        "[12 13]",
        "[12 and 13]",
        "[\u0661]",
        "[]"
      })
  void otherBrackets_stayText(String bracket) {
    assertThat(ids(bracket)).isEmpty();
    assertThat(scanner.markers()).isZero();
  }

  @Test
  void aBodyOf256Characters_isRead_oneMoreIsNot() {
    String padding = " ".repeat(250);
    assertThat(ids("[chunk" + padding + "1]")).containsExactly("1");
    assertThat(ids("[chunk " + padding + "1]")).isEmpty();
    assertThat(ids("[chunk " + padding + "1 [chunk 2]")).containsExactly("2");
  }

  @Test
  void structuredCitations_followThoseInTheText_withoutRepeats() {
    ids("[chunk b2] then [1]");
    List.of(" B2 ", "", "\u200b", "free text").forEach(scanner::addStructured);
    assertThat(scanner.ids()).containsExactly("b2", "1", "free text");
    assertThat(scanner.markers()).isEqualTo(2);
  }

  @Test
  void markers_tellWhereTheyStand() {
    ids("ab [chunk 1] c");
    assertThat(scanner.markerStart(0)).isEqualTo(text.start() + 3);
    assertThat(scanner.markerEnd(0)).isEqualTo(text.start() + 12);
  }

  private List<String> ids(String answer) {
    text.set(Utf8Span.of(answer));
    scanner.scan(text);
    return scanner.ids();
  }
}
