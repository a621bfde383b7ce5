package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.LexiconEntry.Share;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.policy.lexicon.TurnFacts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is shown what of a board, and that a signed board reads back as it was. */
class BoardNoteTest {
  private static final SignerKey KEY = SignerKey.generate("control.example", KeyType.ED25519);
  private static final BoardRules RULES =
      BoardRules.DEFAULT.with(Map.of("left", Set.of("ann", "bob")));
  private static final Channel LEFT = Channel.of("faction:left").orElseThrow();

  private final LedgerState state = new LedgerState();
  private long index;
  private long changes;

  private BoardRecord record(Share share, Turn... turns) {
    LexiconEntry.BoardOpened opened = LexiconWriter.opened(LexiconWriter.board(1), RULES, share);
    state.apply(index++, opened);
    Board board = state.board(opened.board()).orElseThrow().board();
    for (Turn turn : turns) {
      TurnFacts facts = board.read(turn);
      Board.Step step = board.apply(facts);
      LexiconWriter.Told told = LexiconWriter.told(opened, facts, step.accepted(), index, changes);
      changes += told.changes() ? 1 : 0;
      told.entries().forEach(entry -> state.apply(index++, entry));
      board = step.next();
    }
    return state.board(opened.board()).orElseThrow();
  }

  private static Turn coins(String speaker, Channel channel, String term) {
    return new Turn(
        speaker, channel, term + " it is\n[PART 2]\n" + term + " = \"a\\b\"\tas said", false);
  }

  private static List<String> shown(BoardRecord record, String agent) {
    return BoardDocument.of(record).shownTo(agent).stream().map(KnownTerms.Term::key).toList();
  }

  @Test
  void aSignedBoard_readsBack_andIsTheSameBoardToRead() {
    BoardRecord record =
        record(
            Share.AUTO,
            coins("ann", LEFT, "core lock"),
            coins("cid", Channel.PUBLIC, "Open-Gap"),
            new Turn("ann", Channel.PUBLIC, "an open gap and a core lock", false));
    BoardDocument document = BoardDocument.of(record);

    byte[] note = BoardNote.sign(document, KEY);

    assertThat(BoardNote.read(note, List.of(KEY.verifier())))
        .isEqualTo(new BoardNote.BoardReading.Good(document));
    assertThat(
            BoardNote.read(note, List.of(SignerKey.generate("other", KeyType.ED25519).verifier())))
        .isInstanceOf(BoardNote.BoardReading.Refused.class);
    Turn next = new Turn("ann", Channel.PUBLIC, "core lock\nCHALLENGE open gap: why", false);
    assertThat(document.readableBy("ann").read(next)).isEqualTo(record.board().read(next));
  }

  @Test
  void aFactionsTerm_isReadEverywhere_andShownToItsMembersUntilItLeaks() {
    BoardRecord record = record(Share.AUTO, coins("ann", LEFT, "core lock"));
    Turn leak = new Turn("ann", Channel.PUBLIC, "the core lock", false);

    assertThat(shown(record, "bob")).containsExactly("core lock");
    assertThat(shown(record, "cid")).isEmpty();
    assertThat(BoardDocument.of(record).readableBy("ann").read(leak).uses()).hasSize(1);

    assertThat(shown(record(Share.AUTO, leak), "cid")).containsExactly("core lock");
  }

  @Test
  void aTermThatWaits_isShownToItsCoinerAlone_untilItIsShared_andToNobodyOnceRetired() {
    BoardRecord record = record(Share.REVIEWED, coins("ann", Channel.PUBLIC, "gap"));
    assertThat(shown(record, "ann")).containsExactly("gap");
    assertThat(shown(record, "bob")).isEmpty();

    state.apply(index++, new LexiconEntry.Shared(record.id(), "public", "gap", "operator", 9));
    assertThat(shown(state.board(record.id()).orElseThrow(), "bob")).containsExactly("gap");

    state.apply(index++, new LexiconEntry.Retired(record.id(), "public", "gap", "operator", 9));
    assertThat(shown(state.board(record.id()).orElseThrow(), "ann")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'reuse\":0','reuse\":3',impossible",
    "'turn\":0','turn\":-1',impossible",
    "'\"left\"','\"le ft\"',impossible",
    "'\"status\":\"active\"','\"status\":\"new\"',malformed",
    "'\"term\":\"gap\"','\"term\":\"...\"',impossible",
    "'revision\":3','revision\":0',impossible",
    "'changes\":1','changes\": 1',malformed",
    "'parlance-board-v1','parlance-board-v2',malformed",
  })
  void whatNoBoardIs_isRefused_howeverItIsSigned(String part, String other, String fault) {
    BoardRecord record = record(Share.AUTO, coins("ann", Channel.PUBLIC, "gap"));
    String text = BoardNote.text(BoardDocument.of(record));
    String changed = text.replace(part, other);
    assertThat(changed).isNotEqualTo(text);
    assertThat(BoardNote.read(Note.sign(changed, KEY).bytes(), List.of(KEY.verifier())))
        .isInstanceOfSatisfying(
            BoardNote.BoardReading.Refused.class,
            refused -> assertThat(refused.fault().code()).isEqualTo(fault));
  }

  @Test
  void aTermThatStandsThereTwice_isRefused() {
    BoardDocument one = BoardDocument.of(record(Share.AUTO, coins("ann", Channel.PUBLIC, "gap")));
    String text = BoardNote.text(one);
    String term = text.substring(text.indexOf("{\"visibility"), text.lastIndexOf(']'));
    String twice = text.replace(term, term + "," + term);
    assertThat(BoardNote.read(Note.sign(twice, KEY).bytes(), List.of(KEY.verifier())))
        .isInstanceOf(BoardNote.BoardReading.Refused.class);
    assertThat(BoardNote.read(BoardNote.text(one).getBytes(StandardCharsets.UTF_8), List.of()))
        .isInstanceOf(BoardNote.BoardReading.Refused.class);
  }
}
