package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.LexiconEntry.TurnId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one form of entries about boards, and what none can say. */
class LexiconEntryTest {
  private static final String BOARD = "b-0123456789abcdef0123456789abcdef";
  private static final String HEX = "ab".repeat(32);
  private static final TurnId ID = new TurnId(BOARD, HEX, "team/ann@example", "faction:left");
  private static final String TURN =
      "\"board\":\""
          + BOARD
          + "\",\"turn\":\""
          + HEX
          + "\",\"speaker\":\"team/ann@example\",\"channel\":\"faction:left\",";

  private static void isForm(Entry entry, String text) {
    assertThat(EntryCodec.encode(entry)).asString(StandardCharsets.UTF_8).isEqualTo(text);
    assertThat(EntryCodec.decode(text.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new EntryCodec.Decoded.Read(entry));
  }

  @Test
  void everyType_hasItsOneForm() {
    isForm(
        new LexiconEntry.BoardOpened(
            BOARD,
            List.of(
                new LexiconEntry.Group("left", List.of("ann", "bob")),
                new LexiconEntry.Group("right", List.of())),
            LexiconEntry.Share.REVIEWED,
            7),
        "{\"type\":\"board_opened\",\"board\":\""
            + BOARD
            + "\",\"groups\":[{\"name\":\"left\",\"members\":[\"ann\",\"bob\"]},"
            + "{\"name\":\"right\",\"members\":[]}],\"share\":\"reviewed\",\"atMs\":7}");
    isForm(
        new LexiconEntry.Used(
            ID, 3, 2, 40, true, List.of(new LexiconEntry.Use("public", "open gap", 2)), 7),
        "{\"type\":\"term_used\","
            + TURN
            + "\"number\":3,\"after\":2,\"tokens\":40,\"checkpoint\":true,\"uses\":["
            + "{\"visibility\":\"public\",\"key\":\"open gap\",\"times\":2}],\"atMs\":7}");
    isForm(
        new LexiconEntry.Coined(ID, 4, "Open-Gap", "\"a\\b\"\tthen\u0001\u00E9", 7),
        "{\"type\":\"term_coined\","
            + TURN
            + "\"line\":4,\"term\":\"Open-Gap\","
            + "\"definition\":\"\\\"a\\\\b\\\"\\tthen\\u0001\u00E9\",\"atMs\":7}");
    isForm(
        new LexiconEntry.Challenged(ID, 0, "public", "gap", "...", 7),
        "{\"type\":\"term_challenged\","
            + TURN
            + "\"line\":0,\"visibility\":\"public\",\"key\":\"gap\",\"reason\":\"...\",\"atMs\":7}");
    isForm(
        new LexiconEntry.Repaired(ID, 1, "faction:left", "gap", "a hole", 7),
        "{\"type\":\"term_repaired\","
            + TURN
            + "\"line\":1,\"visibility\":\"faction:left\",\"key\":\"gap\","
            + "\"definition\":\"a hole\",\"atMs\":7}");
    String term = "\"board\":\"" + BOARD + "\",\"visibility\":\"public\",\"key\":\"gap\",";
    isForm(
        new LexiconEntry.Shared(BOARD, "public", "gap", "operator", 7),
        "{\"type\":\"term_shared\"," + term + "\"by\":\"operator\",\"atMs\":7}");
    isForm(
        new LexiconEntry.Promoted(BOARD, "public", "gap", "licence", "law", 4, 2, 9, 3, "rule", 7),
        "{\"type\":\"term_promoted\","
            + term
            + "\"plan\":\"licence\",\"domain\":\"law\",\"revision\":4,\"version\":2,\"uses\":9,\"speakers\":3,"
            + "\"by\":\"rule\",\"atMs\":7}");
    isForm(
        new LexiconEntry.Retired(BOARD, "public", "gap", "operator", 7),
        "{\"type\":\"term_retired\"," + term + "\"by\":\"operator\",\"atMs\":7}");
    isForm(
        new LexiconEntry.Retracted(BOARD, ID.turn(), "ann", 7),
        "{\"type\":\"turn_retracted\",\"board\":\""
            + BOARD
            + "\",\"turn\":\""
            + ID.turn()
            + "\",\"by\":\"ann\",\"atMs\":7}");
  }

  /** A key whose letters join their marks once they are in lower case is not its own key. */
  @Test
  void aKeyThatIsNotItsOwnKey_isOne() {
    LexiconEntry.Challenged entry =
        new LexiconEntry.Challenged(ID, 0, "public", "j\u030Cot", "why", 7);
    assertThat(EntryCodec.decode(EntryCodec.encode(entry)))
        .isEqualTo(new EntryCodec.Decoded.Read(entry));
  }

  @ParameterizedTest
  @CsvSource({
    "'b-01','b-g1'",
    "'abab','ABab'",
    "'ann@','ann '",
    "'faction:left','faction:'",
    "'faction:left','faction:a@b'",
    "'faction:left','secret'",
    "'Open-Gap','yes'",
    "'Open-Gap','...'",
    "'Open-Gap','one two three four five'",
    "'Open-Gap','open\\ngap'",
    "'Open-Gap','\\ud800gap'",
    "'a hole','...'",
    "'a hole','a\\nhole'",
    "'\"line\":0','\"line\":-1'",
    "'\"atMs\":7','\"atMs\":-7'",
  })
  void whatNoBoardTakes_isRefused(String part, String other) {
    String coined = EntryCodec.line(new LexiconEntry.Coined(ID, 0, "Open-Gap", "a hole", 7));
    String changed = coined.replaceFirst(part, other.replace("\\", "\\\\"));
    assertThat(changed).isNotEqualTo(coined);
    assertThat(EntryCodec.decode(changed.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new EntryCodec.Decoded.Unreadable("impossible_value"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{'name':'b','members':[]},{'name':'a','members':[]}]",
        "[{'name':'a','members':[]},{'name':'a','members':[]}]",
        "[{'name':'a','members':['y','x']}]",
        "[{'name':'a@b','members':[]}]",
        "[{'name':'a','members':['x y']}]",
      })
  void groupsThatAreNone_areRefused(String groups) {
    String text =
        "{'type':'board_opened','board':'"
            + BOARD
            + "','groups':"
            + groups
            + ",'share':'auto','atMs':7}";
    assertThat(EntryCodec.decode(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new EntryCodec.Decoded.Unreadable("impossible_value"));
  }

  @Test
  void whatIsTooMuch_isRefused() {
    List<String> many = IntStream.range(100, 501).mapToObj(i -> "a" + i).toList();
    assertThat(new LexiconEntry.Group("left", many.subList(0, 400)).members()).hasSize(400);
    assertThat(refused(() -> opened(new LexiconEntry.Group("left", many)))).isTrue();
    List<LexiconEntry.Use> uses =
        many.stream().map(key -> new LexiconEntry.Use("public", key, 1)).toList();
    assertThat(refused(() -> new LexiconEntry.Used(ID, 0, 0, 0, false, uses, 0))).isTrue();
    byte[] longest =
        EntryCodec.encode(
            opened(new LexiconEntry.Group("left", longNames(LexiconEntry.MEMBERS_MAX))));
    assertThat(longest.length).isLessThan(EntryCodec.MAX_BYTES);
  }

  private static List<String> longNames(int count) {
    return IntStream.range(100, 100 + count).mapToObj(i -> "a".repeat(125) + i).toList();
  }

  private static LexiconEntry.BoardOpened opened(LexiconEntry.Group group) {
    return new LexiconEntry.BoardOpened(BOARD, List.of(group), LexiconEntry.Share.AUTO, 7);
  }

  private static boolean refused(Runnable what) {
    try {
      what.run();
      return false;
    } catch (IllegalArgumentException expected) {
      return true;
    }
  }
}
