package dev.parlance.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DataNamesTest {
  private static boolean exceeded(Stream<String> names) {
    DataNames found = new DataNames();
    names.forEach(name -> found.add(Utf8Span.of(name)));
    return found.exceeded();
  }

  @Test
  void B17_usualNames_areNames_howeverOftenTheyCome() {
    List<String> table =
        List.of("Co", "CO", "id", "unit_price", "Cost per unit (EUR)", "Größe in mm", "2026-11-26");
    assertThat(exceeded(IntStream.range(0, 1000).boxed().flatMap(_ -> table.stream()))).isFalse();
    assertThat(exceeded(IntStream.range(0, 500).mapToObj(row -> "row" + row))).isFalse();
    assertThat(exceeded(Stream.of("https://example.com/a/long/address/of/a/thing".repeat(3))))
        .isFalse();
    assertThat(exceeded(Stream.of("A heading with as many words as this one has"))).isFalse();
  }

  @Test
  void K14_sentences_areNoNames_whateverPartsTheirWords() {
    String sentence = "The walrus of the north hall was sold to the topaz and nobody knows";
    assertThat(exceeded(Stream.of(sentence))).isTrue();
    assertThat(exceeded(Stream.of(sentence.replace(' ', '_')))).isTrue();
    assertThat(exceeded(Stream.of(sentence.replace(' ', '.')))).isTrue();
  }

  @Test
  void K14_essayInPieces_isNoNames() {
    Stream<String> pieces =
        Stream.of(
            "The walrus of the north hall",
            "was sold to the topaz, and nobody",
            "may tell the candle about it",
            "The topaz of the north hall",
            "was sold to the candle, and nobody");
    assertThat(exceeded(pieces)).isTrue();
    assertThat(exceeded(IntStream.range(0, 1000).mapToObj(word -> "word" + word))).isTrue();
  }
}
