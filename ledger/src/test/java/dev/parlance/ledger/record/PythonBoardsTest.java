package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.PythonVerifier.Run;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verifier of a stranger comes to the same boards of coined terms as we do. */
@Tag("differential")
class PythonBoardsTest {
  @TempDir private static Path directory = Path.of("");
  private static final LedgerWriter SAMPLE = SampleBoards.write(3);

  @BeforeAll
  static void python() throws Exception {
    PythonVerifier.assumePresent();
  }

  private static Run verify(List<byte[]> entries) throws Exception {
    PythonVerifier python = new PythonVerifier(directory);
    return python.verify(python.export(entries), Optional.of(ExportTest.KEY.verifier().format()));
  }

  /** What both say of boards: every line, with the digest of all that a board is. */
  private static List<String> boards(String report) {
    return report.lines().filter(line -> line.startsWith("note: board ")).toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 4, 5})
  void itComesToTheSameBoards(long seed) throws Exception {
    List<byte[]> entries = SampleBoards.write(seed).bytes();
    RecomputationReport report = RecomputationTest.recompute(entries);
    assertThat(report.disagreements()).isEmpty();
    RecomputationReport.Boards ours = report.boards();
    assertThat(ours.refused()).isGreaterThan(50);
    assertThat(ours.promoted()).isPositive();
    Run run = verify(entries);
    assertThat(boards(run.output())).isEqualTo(boards(report.format())).hasSize(9);
    assertThat(run.output())
        .contains("sound: ")
        .contains(", " + ours.opened() + " boards, " + ours.turns() + " turns,")
        .contains(", " + ours.coined() + " coined terms, " + ours.challenged() + " challenges,")
        .contains(", " + ours.repaired() + " repairs, " + ours.refused() + " refused,")
        .contains(", " + report.decisions() + " decisions, " + report.cores() + " cores,")
        .contains(", " + report.duplicates() + " repeated,");
    assertThat(run.status()).isZero();
  }

  @Test
  void itFindsAPromotionThatRestsOnTooLittle() throws Exception {
    int at = SampleBoards.first(SAMPLE, LexiconEntry.Promoted.class).orElseThrow();
    Run run =
        new PythonVerifier(directory)
            .verifyChanged(
                SAMPLE.bytes(), at, text -> text.replaceAll("\"uses\":\\d+", "\"uses\":999"));
    assertThat(run.status()).isEqualTo(1);
  }

  /** Changed before it was signed, a turn leads to another board, for both. */
  @ParameterizedTest
  @CsvSource({
    "'times\":1','times\":3'",
    "'checkpoint\":false','checkpoint\":true'",
    "'after\":[0-9]+','after\":0'"
  })
  void usesThatWereChanged_leadToOtherBoards(String part, String other) throws Exception {
    List<byte[]> entries = new ArrayList<>();
    for (byte[] entry : SAMPLE.bytes()) {
      String text = new String(entry, StandardCharsets.UTF_8);
      entries.add(text.replaceAll(part, other).getBytes(StandardCharsets.UTF_8));
    }
    RecomputationReport changed = RecomputationTest.recompute(entries);
    assertThat(boards(changed.format()))
        .isNotEqualTo(boards(RecomputationTest.recompute(SAMPLE.bytes()).format()));
    assertThat(boards(verify(entries).output())).isEqualTo(boards(changed.format()));
  }

  private static void refused(Class<? extends LexiconEntry> type, UnaryOperator<String> change)
      throws Exception {
    int at = SampleBoards.first(SAMPLE, type).orElseThrow();
    assertThat(new PythonVerifier(directory).verifyChanged(SAMPLE.bytes(), at, change).status())
        .isEqualTo(1);
  }

  @Test
  void itRefusesEntriesThatWeRefuse() throws Exception {
    refused(LexiconEntry.BoardOpened.class, text -> text.replace("\"left\"", "\"zeta\""));
    refused(LexiconEntry.BoardOpened.class, text -> text.replace("\"auto\"", "\"never\""));
    refused(LexiconEntry.Used.class, text -> text.replaceAll(":(true|false)", ":0"));
    refused(LexiconEntry.Used.class, text -> text.replaceAll("\"board\":\"b-", "\"board\":\"c-"));
    refused(
        LexiconEntry.Coined.class,
        text -> text.replaceAll("\"term\":\"[^\"]*\"", "\"term\":\"Yes\""));
    refused(
        LexiconEntry.Coined.class,
        text -> text.replaceAll("\"term\":\"[^\"]*\"", "\"term\":\"a b c d e\""));
    refused(
        LexiconEntry.Coined.class,
        text -> text.replaceAll("(\"definition\":\").*(\",\"atMs)", "$1...$2"));
    refused(
        LexiconEntry.Challenged.class,
        text -> text.replaceAll("(\"reason\":\").*(\",\"atMs)", "$1$2"));
    refused(LexiconEntry.Challenged.class, text -> text.replaceAll("\"key\":\"", "\"key\":\" "));
    refused(LexiconEntry.Challenged.class, text -> text.replace("\\t", "\\u0009"));
    refused(LexiconEntry.Shared.class, text -> text.replace("operator", "who is it"));
  }

  @Test
  void itReadsTheSameTokens() throws Exception {
    List<String> texts =
        List.of(
            "Open-Gap",
            "\u0130stanbul \uFB01ne",
            "e\u0301t\u00E9 T\u0308",
            "\u6F22\u5B57kana\u30AB",
            "soft\u00ADhyphen a\u200Bb",
            "x\u0301\u0302\u0303",
            "\uFF76\uFF9E half",
            "\u2460 \u00BD",
            "a" + "\u0301".repeat(140) + "\u0300b",
            "\u03A3\u03AF\u03C3\u03C5\u03C6\u03BF\u03C2",
            "...");
    LedgerWriter ledger = new LedgerWriter(1);
    LexiconEntry.BoardOpened opened =
        new LexiconEntry.BoardOpened(LexiconWriter.board(1), List.of(), LexiconEntry.Share.AUTO, 1);
    ledger.append(opened);
    int number = 0;
    for (String text : texts) {
      String term = text.length() > 48 || text.equals("...") ? "t" + number : text;
      LexiconEntry.TurnId id =
          new LexiconEntry.TurnId(opened.board(), Digest.of(text), "ann", "public");
      ledger.append(new LexiconEntry.Used(id, number++, 0, 9, false, List.of(), ledger.now()));
      ledger.append(new LexiconEntry.Coined(id, 0, term, text + " as meant", ledger.now()));
    }
    String line = boards(RecomputationTest.recompute(ledger.bytes()).format()).getFirst();
    assertThat(line).contains(texts.size() + " terms");
    assertThat(boards(verify(ledger.bytes()).output())).containsExactly(line);
  }

  @Test
  void itForgetsTheSameBoards() throws Exception {
    List<byte[]> entries = new ArrayList<>();
    List<LexiconEntry> few = new ArrayList<>();
    for (int i = 0; i < LexiconLedger.BOARDS_MAX + 30; i++) {
      few.add(
          new LexiconEntry.BoardOpened(
              LexiconWriter.board(i), List.of(), LexiconEntry.Share.AUTO, i));
      if (i % 100 == 99) {
        // The first ones go on being used, so that others are forgotten.
        LexiconEntry.TurnId id =
            new LexiconEntry.TurnId(
                LexiconWriter.board(i % 7), Digest.of("turn " + i), "ann", "public");
        few.add(new LexiconEntry.Used(id, i, 0, 3, false, List.of(), i));
      }
    }
    few.forEach(entry -> entries.add(EntryCodec.encode(entry)));
    RecomputationReport ours = RecomputationTest.recompute(entries);
    assertThat(ours.boards().kept()).isEqualTo(LexiconLedger.BOARDS_MAX);
    Run run = verify(entries);
    assertThat(boards(run.output())).isEqualTo(boards(ours.format())).hasSize(20);
    assertThat(run.output()).contains("note: and 9980 more boards\n");
  }
}
