package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.policy.lexicon.TurnFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The golden transcripts as entries of a ledger: both verifiers come to their boards. */
class GoldenBoardsTest {
  private static final int LINES_MAX = 8;

  @TempDir private static Path directory = Path.of("");

  /** A transcript on the ledger, and what the vector says of its board. */
  private record Golden(LexiconEntry.BoardOpened opened, Board board, JsonNode wanted) {}

  private final LedgerWriter ledger = new LedgerWriter(1);

  private List<Golden> write() throws Exception {
    Path golden =
        PythonVerifier.besideTheModules("policy/src/test/resources/golden/cogent-transcripts.json");
    JsonNode vectors = JsonMapper.builder().build().readTree(Files.readString(golden));
    List<Golden> written = new ArrayList<>();
    for (JsonNode vector : vectors.path("vectors")) {
      JsonNode in = vector.path("in");
      if (!in.has("blocklist") && !in.has("markers")) {
        write(written.size(), in, vector.path("out")).ifPresent(written::add);
      }
    }
    return written;
  }

  private Optional<Golden> write(int number, JsonNode in, JsonNode wanted) {
    Map<String, Set<String>> factions = new TreeMap<>();
    in.path("factions")
        .propertyStream()
        .forEach(faction -> {
          Set<String> members = new TreeSet<>();
          faction.getValue().forEach(member -> members.add(member.asString()));
          factions.put(faction.getKey(), members);
        });
    BoardRules rules = BoardRules.DEFAULT.with(factions);
    LexiconEntry.BoardOpened opened =
        LexiconWriter.opened(LexiconWriter.board(number), rules, LexiconEntry.Share.AUTO);
    Board board = Board.empty(rules);
    List<LexiconEntry> entries = new ArrayList<>(List.of(opened));
    long changes = 0;
    for (JsonNode turn : in.path("turns")) {
      TurnFacts facts =
          board.read(
              new Turn(
                  turn.path("speaker").asString(),
                  Channel.of(turn.path("channel").asString("public")).orElseThrow(),
                  turn.path("text").asString(),
                  turn.path("checkpoint").asBoolean(false)));
      Board.Step step = board.apply(facts);
      if (step.accepted().size() > LINES_MAX) {
        return Optional.empty();
      }
      LexiconWriter.Told told =
          LexiconWriter.told(opened, facts, step.accepted(), board.turns(), changes);
      changes += told.changes() ? 1 : 0;
      entries.addAll(told.entries());
      board = step.next();
    }
    entries.forEach(ledger::counts);
    return Optional.of(new Golden(opened, board, wanted));
  }

  @Test
  void everyTranscript_hasItsBoardOnTheLedger() throws Exception {
    List<Golden> written = write();
    assertThat(written).hasSizeGreaterThan(25);
    for (Golden one : written) {
      BoardRecord record = ledger.state().board(one.opened().board()).orElseThrow();
      assertThat(record.board()).isEqualTo(one.board());
      BoardDocument document = BoardDocument.of(record);
      assertThat(document.terms()).hasSize(one.wanted().path("board").size());
      for (int i = 0; i < document.terms().size(); i++) {
        JsonNode wanted = one.wanted().path("board").path(i);
        BoardDocument.Term term = document.terms().get(i);
        assertThat(term.key()).isEqualTo(wanted.path("key").asString());
        assertThat(term.definition()).isEqualTo(wanted.path("definition").asString());
        assertThat(term.status().code()).isEqualTo(wanted.path("status").asString());
        assertThat(term.reuse()).isEqualTo(wanted.path("reuse").intValue());
        assertThat(term.occurrences()).isEqualTo(wanted.path("occ").longValue());
        assertThat(term.speakers()).isEqualTo(wanted.path("speakers").size());
      }
    }
  }

  @Test
  @Tag("differential")
  void theVerifierOfAStranger_comesToTheSameBoards() throws Exception {
    PythonVerifier.assumePresent();
    List<Golden> written = write();
    PythonVerifier python = new PythonVerifier(directory);
    List<String> program =
        """
        import sys
        sys.path.insert(0, sys.argv[1])
        import verify_ledger as verifier

        ledger = verifier.Ledger()
        for index, line in enumerate(open(sys.argv[2], "rb")):
            ledger.take(index, verifier.read_entry(line.rstrip(b"\\n")))
        assert not ledger.problems, ledger.problems
        for board in ledger.boards.values():
            print(board.opened["board"], verifier.sha256(board.document().encode()).hex())
        """
            .lines()
            .toList();
    List<String> lines = ledger.entries().stream().map(entry -> EntryCodec.line(entry)).toList();
    Path entries = Files.write(directory.resolve("golden.jsonl"), lines);
    PythonVerifier.Run run = python.program(program, List.of(entries.toString()));
    StringBuilder expected = new StringBuilder();
    for (Golden one : written) {
      BoardRecord record = ledger.state().board(one.opened().board()).orElseThrow();
      expected.append(record.id()).append(' ');
      expected.append(BoardNote.documentSha256(BoardDocument.of(record))).append('\n');
    }
    assertThat(run.output()).isEqualTo(expected.toString());
    assertThat(run.status()).isZero();
  }
}
