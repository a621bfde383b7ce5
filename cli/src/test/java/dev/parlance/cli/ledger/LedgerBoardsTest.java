package dev.parlance.cli.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardNote;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.ledger.record.LexiconEntry.TurnId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What {@code ledger verify} says of boards of coined terms. */
class LedgerBoardsTest {
  private static final String BOARD = "b-" + "01".repeat(16);
  private static final SignerKey SIGNER = SignerKey.generate("test/log", KeyType.ED25519);

  @TempDir private Path folder = Path.of("");

  /** A term that another agent takes up; the same turn once more; a promotion for some uses. */
  private static List<Entry> entries(int uses) {
    List<Entry> entries = new ArrayList<>();
    entries.add(new LexiconEntry.BoardOpened(BOARD, List.of(), LexiconEntry.Share.AUTO, 1));
    TurnId coins = new TurnId(BOARD, Digest.of("coins"), "ann", "public");
    entries.add(new LexiconEntry.Used(coins, 1, 0, 8, false, List.of(), 2));
    entries.add(new LexiconEntry.Coined(coins, 3, "Open-Gap", "what is left open", 2));
    TurnId takesUp = new TurnId(BOARD, Digest.of("takes up"), "bob", "public");
    Entry used =
        new LexiconEntry.Used(
            takesUp, 2, 1, 12, true, List.of(new LexiconEntry.Use("public", "open gap", 2)), 3);
    entries.add(used);
    entries.add(used);
    entries.add(
        new LexiconEntry.Promoted(
            BOARD, "public", "open gap", "licence", "law", 1, 1, uses, 2, "operator", 4));
    return entries;
  }

  private Run verify(List<Entry> entries, String... more) throws Exception {
    Path place = folder.resolve("ledger-" + entries.hashCode() + more.length);
    try (var storage = FileStorage.open(place, SIGNER.verifier());
        var log = Log.open(storage, SIGNER, LogOptions.DEFAULTS)) {
      log.append(entries.stream().map(EntryCodec::encode).toList())
          .toCompletableFuture()
          .get(60, TimeUnit.SECONDS);
    }
    List<String> args =
        new ArrayList<>(
            List.of("ledger", "verify", place.toString(), "--vkey", SIGNER.verifier().format()));
    args.addAll(List.of(more));
    return Run.of(args.toArray(String[]::new));
  }

  private static String document(List<Entry> entries) {
    LedgerState state = new LedgerState();
    for (int i = 0; i < entries.size(); i++) {
      state.apply(i, entries.get(i));
    }
    return BoardNote.documentSha256(BoardDocument.of(state.board(BOARD).orElseThrow()));
  }

  @Test
  void boards_areRecomputed_withTheirMeasures_andTheDocumentThatIsSigned() throws Exception {
    Run run = verify(entries(1));
    assertThat(run.status()).as(run.out() + run.err()).isZero();
    assertThat(run.out())
        .contains(
            "note: board "
                + BOARD
                + ": 2 turns, 1 terms, reuse 1, uptake 1.0, cross-speaker share 1.0,"
                + " persistence 1.0, footprint 0.3, compression none, document "
                + document(entries(1))
                + "\n")
        .contains("1 boards with 2 turns, 1 coined terms, 0 challenges, 0 repairs (0 refused)")
        .contains("sound: ");
    JsonNode boards =
        Json.MAPPER
            .readTree(verify(entries(1), "-o", "json").out())
            .path("recomputation")
            .path("boards");
    assertThat(boards.path("promoted").intValue()).isEqualTo(1);
    JsonNode board = boards.path("boards").path(0);
    assertThat(board.path("uptake").doubleValue()).isEqualTo(1.0);
    assertThat(board.path("counts").path("occurrences").intValue()).isEqualTo(2);
    assertThat(board.path("documentSha256").asString()).isEqualTo(document(entries(1)));
  }

  @Test
  void aPromotionForUsesThatThereWereNot_isNamed() throws Exception {
    Run run = verify(entries(2));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("entry 5 too_few_uses: stands {\"type\":\"term_promoted\"")
        .contains("not sound");
  }
}
