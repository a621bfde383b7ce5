package dev.parlance.demo.license;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.Licence;
import dev.parlance.demo.license.Extractor.Quote;
import dev.parlance.demo.license.Retriever.Passage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetrieverTest {
  private static final List<Passage> PASSAGES = Retriever.Chunker.chunk(Licence.text());
  private static final Retriever RETRIEVER = new Retriever(PASSAGES);
  private static final Extractor EXTRACTOR = new Extractor(RETRIEVER);

  @Test
  void licence_isTheOfficialText() throws NoSuchAlgorithmException {
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest(Licence.text().getBytes(StandardCharsets.UTF_8));
    assertThat(HexFormat.of().formatHex(digest))
        .isEqualTo("cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30");
  }

  @Test
  void pieces_areAtMostTheTargetLong_andNoWordIsLost() {
    assertThat(PASSAGES)
        .hasSizeGreaterThan(5)
        .allSatisfy(passage ->
            assertThat(Retriever.IndexWords.of(passage.text()))
                .hasSizeLessThanOrEqualTo(Retriever.Chunker.TARGET_WORDS));
    assertThat(
            Retriever.IndexWords.of(
                String.join(" ", PASSAGES.stream().map(Passage::text).toList())))
        .containsAll(Retriever.IndexWords.of(Licence.text()));
    assertThat(PASSAGES.getFirst().id()).isEqualTo("c01");
  }

  @Test
  void neighbours_shareTheParagraphBetweenThem() {
    List<Passage> pieces =
        Retriever.Chunker.chunk(
            "a ".repeat(150) + "\n\n" + "b ".repeat(60) + "\n\n" + "c ".repeat(100));
    assertThat(pieces).hasSize(2);
    assertThat(pieces.get(0).text()).contains("a a").contains("b b").doesNotContain("c c");
    assertThat(pieces.get(1).text()).startsWith("b b").contains("c c");
  }

  @Test
  void longParagraph_isNotRepeated() {
    List<Passage> pieces = Retriever.Chunker.chunk("a ".repeat(200) + "\n\n" + "b ".repeat(200));
    assertThat(pieces).hasSize(2);
    assertThat(pieces.get(1).text()).doesNotContain("a a");
  }

  @Test
  void emptyDocument_hasNoPieces() {
    assertThat(Retriever.Chunker.chunk(" \n\n \n")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "What does \"Contributor\" mean?|\"Contributor\" shall mean",
        "What is a Contribution?|\"Contribution\" shall mean",
        "What counts as \"Derivative Works\"?|\"Derivative Works\" shall mean",
        "Who is the Licensor?|\"Licensor\" shall mean",
        "What does \"Source\" form mean?|\"Source\" form shall mean",
        "What does \"You\" mean?|\"You\" (or \"Your\") shall mean",
        "What does \"submitted\" mean?|\"submitted\" means",
      })
  void definitionalQuestion_findsTheDefinitionFirst(String question, String definition) {
    List<Passage> top = RETRIEVER.top(question, Retriever.TOP);
    assertThat(top.getFirst().text()).contains(definition);
    assertThat(EXTRACTOR.quotes(question, top).getFirst().text()).contains(definition);
  }

  @Test
  void definitionBonus_isOneForShallMean_halfForOtherSyntax_noneForUse() {
    Retriever.AskedTerm term = new Retriever.AskedTerm("License");
    assertThat(term.bonus("\"License\" shall mean the terms")).isEqualTo(1.0);
    assertThat(term.bonus("Licensed under the Apache License (the \"License\");")).isEqualTo(0.5);
    assertThat(term.bonus("permissions granted by this License")).isEqualTo(0.0);
  }

  @Test
  void quote_isWordForWordInThePieceItNames() {
    String question = "What happens to patent licenses if You institute patent litigation?";
    List<Passage> top = RETRIEVER.top(question, Retriever.TOP);
    assertThat(top).hasSize(3);
    for (Quote quote : EXTRACTOR.quotes(question, top)) {
      assertThat(top)
          .filteredOn(passage -> passage.id().equals(quote.passageId()))
          .singleElement()
          .satisfies(passage -> assertThat(passage.text()).contains(quote.text()));
    }
  }

  @Test
  void questionWithoutAnyKnownWord_findsNothing() {
    assertThat(RETRIEVER.top("Zebra xylophone?", Retriever.TOP)).isEmpty();
  }
}
