package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.LexiconEntry.Share;
import dev.parlance.ledger.record.LexiconEntry.TurnId;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What of a board counts, by the order of its entries alone. */
class LexiconLedgerTest {
  private static final String BOARD = LexiconWriter.board(7);
  private static final String LEFT = "faction:left";

  private final LedgerWriter ledger = new LedgerWriter(1);
  private long number;

  private void open(Share share) {
    ledger.counts(
        new LexiconEntry.BoardOpened(
            BOARD, List.of(new LexiconEntry.Group("left", List.of("ann", "bob"))), share, 1));
  }

  private BoardRecord board() {
    return ledger.state().board(BOARD).orElseThrow();
  }

  private BoardEntry term(String key) {
    return board().board().entries().stream()
        .filter(entry -> entry.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  private static TurnId id(String speaker, String channel, String turn) {
    return new TurnId(BOARD, Digest.of(turn), speaker, channel);
  }

  private LexiconEntry.Used used(TurnId id, String... keys) {
    List<LexiconEntry.Use> uses =
        List.of(keys).stream().map(key -> new LexiconEntry.Use(id.channel(), key, 1)).toList();
    return new LexiconEntry.Used(id, ++number, 9_999, 5, false, uses, ledger.now());
  }

  private LexiconEntry.Coined coined(TurnId id, int line, String term) {
    return new LexiconEntry.Coined(id, line, term, "as meant", ledger.now());
  }

  private LexiconEntry.Challenged challenged(TurnId id, int line, String visibility, String key) {
    return new LexiconEntry.Challenged(id, line, visibility, key, "why", ledger.now());
  }

  private LexiconEntry.Repaired repaired(TurnId id, int line, String key) {
    return new LexiconEntry.Repaired(id, line, "public", key, "as meant now", ledger.now());
  }

  private TurnId coin(String speaker, String channel, String term) {
    TurnId id = id(speaker, channel, speaker + " coins " + term);
    ledger.counts(used(id));
    ledger.counts(coined(id, 2, term));
    return id;
  }

  private void use(String speaker, String key) {
    ledger.counts(used(id(speaker, "public", speaker + " says " + key + number), key));
  }

  private LexiconEntry.Promoted promoted(String key, int version, int uses, int speakers) {
    return new LexiconEntry.Promoted(
        BOARD, "public", key, "plan", "domain", 1, version, uses, speakers, "rule", ledger.now());
  }

  @Test
  void aTurnCountsOnce_withItsLines_andSaysWhatBecameOfThem() {
    open(Share.AUTO);
    TurnId id = coin("ann", "public", "gap");
    ledger.ignored(Cause.DUPLICATE_IN_TURN, coined(id, 3, "Gap"));
    ledger.ignored(Cause.DUPLICATE, coined(id, 2, "lock"));
    ledger.ignored(Cause.DUPLICATE, used(id, "gap"));
    ledger.ignored(Cause.DUPLICATE, coined(id, 4, "lock"));

    assertThat(ledger.state().boardTurn(BOARD, id.turn()))
        .contains(
            new BoardRecord.TurnRecord(
                Set.of(2), new TreeMap<>(Map.of(3, Cause.DUPLICATE_IN_TURN))));
    assertThat(ledger.state().boardTurn(BOARD, Digest.of("another"))).isEmpty();
    assertThat(board().board().turns()).isEqualTo(1);
    assertThat(board().revision()).isEqualTo(3);
    assertThat(board().changes()).isEqualTo(1);
  }

  @Test
  void aLineCounts_directlyBehindItsTurnOnly() {
    open(Share.AUTO);
    TurnId first = id("ann", "public", "first");
    ledger.counts(used(first));
    ledger.counts(used(id("bob", "public", "second")));
    ledger.ignored(Cause.DUPLICATE, coined(first, 0, "gap"));
    ledger.ignored(Cause.TURN_UNKNOWN, coined(id("ann", "public", "third"), 0, "gap"));
    assertThat(board().board().entries()).isEmpty();
  }

  @Test
  void whoWasFaster_hasCoinedIt_andUsesOfTheOtherTurnStayWhereTheyWere() {
    open(Share.AUTO);
    coin("ann", "public", "gap");
    TurnId second = id("bob", "public", "slower");
    ledger.counts(used(second, "gap"));
    ledger.ignored(Cause.NOT_NOVEL, coined(second, 1, "GAP"));
    assertThat(term("gap").by()).isEqualTo("ann");
    assertThat(term("gap").reuse()).isEqualTo(1);
    assertThat(board().changes()).isEqualTo(1);
  }

  @Test
  void aStrangerContestsAFactionsTerm_onceItsLeakIsOnTheLedger() {
    open(Share.AUTO);
    coin("ann", LEFT, "core lock");
    TurnId early = id("cid", "public", "early");
    ledger.counts(used(early));
    ledger.ignored(Cause.TERM_NOT_SEEN, challenged(early, 0, LEFT, "core lock"));
    TurnId intruder = id("cid", LEFT, "intruder");
    ledger.counts(used(intruder));
    ledger.ignored(Cause.NOT_HEARD, coined(intruder, 0, "gap"));

    TurnId leak = id("bob", "public", "leak");
    ledger.counts(
        new LexiconEntry.Used(
            leak, 1, 1, 5, false, List.of(new LexiconEntry.Use(LEFT, "core lock", 1)), 1));
    TurnId late = id("cid", "public", "late");
    ledger.counts(used(late));
    ledger.counts(challenged(late, 0, LEFT, "core lock"));
    assertThat(term("core lock").leaked()).isTrue();
    assertThat(board().status(term("core lock"))).isEqualTo(CoinedStatus.CONTESTED);
  }

  @Test
  void whatWaits_isItsCoinersAlone_untilAPersonSharesIt() {
    open(Share.REVIEWED);
    coin("ann", "public", "gap");
    use("ann", "gap");
    use("bob", "gap");
    assertThat(term("gap").reuse()).isEqualTo(1);
    TurnId bob = id("bob", "public", "contests");
    ledger.counts(used(bob));
    ledger.ignored(Cause.TERM_NOT_SEEN, challenged(bob, 0, "public", "gap"));
    ledger.ignored(Cause.TERM_WAITS, promoted("gap", 1, 0, 0));
    assertThat(board().status(term("gap"))).isEqualTo(CoinedStatus.WAITING);

    ledger.counts(new LexiconEntry.Shared(BOARD, "public", "gap", "operator", 1));
    use("bob", "gap");
    assertThat(term("gap").reuse()).isEqualTo(2);
    ledger.ignored(Cause.DUPLICATE, new LexiconEntry.Shared(BOARD, "public", "gap", "operator", 1));
    ledger.ignored(
        Cause.TERM_NOT_SEEN, new LexiconEntry.Shared(BOARD, "public", "lock", "operator", 1));
  }

  @Test
  void whatIsRetired_isUsedByNobody_andNotCoinedAgain() {
    open(Share.AUTO);
    coin("ann", "public", "gap");
    LexiconEntry.Retired retired = new LexiconEntry.Retired(BOARD, "public", "gap", "operator", 1);
    ledger.counts(retired);
    ledger.ignored(Cause.DUPLICATE, retired);
    use("bob", "gap");
    assertThat(term("gap").reuse()).isZero();
    TurnId bob = id("bob", "public", "again");
    ledger.counts(used(bob));
    ledger.ignored(Cause.NOT_NOVEL, coined(bob, 0, "gap"));
    ledger.ignored(Cause.TERM_RETIRED, repaired(bob, 1, "gap"));
    ledger.ignored(Cause.TERM_RETIRED, promoted("gap", 1, 0, 0));
    assertThat(board().status(term("gap"))).isEqualTo(CoinedStatus.RETIRED);
  }

  private LexiconEntry.Retracted retracted(TurnId id) {
    return new LexiconEntry.Retracted(BOARD, id.turn(), "bob", ledger.now());
  }

  @Test
  void aTurnThatNobodyHeard_leavesNoTrace_andCountsIfItIsSaidAgain() {
    open(Share.REVIEWED);
    coin("ann", "public", "lock");
    ledger.counts(new LexiconEntry.Shared(BOARD, "public", "lock", "operator", 1));
    use("bob", "lock");
    BoardRecord before = board();
    TurnId lost = id("ann", "public", "lost");
    ledger.counts(used(lost, "lock"));
    ledger.counts(coined(lost, 1, "gap"));
    ledger.counts(repaired(lost, 2, "lock"));
    ledger.counts(used(id("cid", "public", "says nothing")));
    ledger.ignored(Cause.TURN_UNKNOWN, retracted(id("ann", "public", "another")));
    ledger.ignored(Cause.TURN_UNKNOWN, retracted(id("cid", "public", "says nothing")));

    ledger.counts(retracted(lost));
    ledger.ignored(Cause.TURN_UNKNOWN, retracted(lost));
    assertThat(board().board().entries()).isEqualTo(before.board().entries());
    assertThat(board().board().turns()).isEqualTo(before.board().turns() + 1);
    assertThat(board().waiting()).isEmpty();
    assertThat(board().revision()).isGreaterThan(before.revision());
    assertThat(board().changes()).as("places of other turns stay").isEqualTo(before.changes() + 1);
    assertThat(ledger.state().boardTurn(BOARD, lost.turn())).isEmpty();

    ledger.ignored(Cause.TURN_UNKNOWN, coined(lost, 1, "gap"));
    ledger.counts(used(lost));
    ledger.counts(coined(lost, 1, "gap"));
    assertThat(board().status(term("gap"))).isEqualTo(CoinedStatus.WAITING);
  }

  @Test
  void whatWasTakenUp_wasHeard() {
    open(Share.AUTO);
    TurnId used = coin("ann", "public", "gap");
    use("bob", "gap");
    ledger.ignored(Cause.TAKEN_UP, retracted(used));
    TurnId contested = coin("ann", "public", "lock");
    TurnId bob = id("bob", "public", "contests");
    ledger.counts(used(bob));
    ledger.counts(challenged(bob, 0, "public", "lock"));
    ledger.ignored(Cause.TAKEN_UP, retracted(contested));
    // The challenge itself was heard by nobody either.
    ledger.counts(retracted(bob));
    ledger.counts(retracted(contested));
    TurnId retired = coin("ann", "public", "lock");
    ledger.ignored(Cause.DUPLICATE, used(retired));
    ledger.counts(new LexiconEntry.Retired(BOARD, "public", "lock", "operator", 1));
    ledger.ignored(Cause.TAKEN_UP, retracted(retired));
  }

  @Test
  void aPromotionRestsOnUsesThatThereAre() {
    open(Share.AUTO);
    coin("ann", "public", "gap");
    use("bob", "gap");
    ledger.ignored(Cause.TERM_NOT_SEEN, promoted("lock", 1, 0, 0));
    ledger.ignored(Cause.TOO_FEW_USES, promoted("gap", 1, 2, 2));
    ledger.ignored(Cause.TOO_FEW_USES, promoted("gap", 1, 1, 3));
    ledger.ignored(Cause.TOO_FEW_USES, promoted("gap", 2, 1, 2));
    ledger.counts(promoted("gap", 1, 1, 2));
    ledger.ignored(Cause.DUPLICATE, promoted("gap", 1, 0, 0));
    assertThat(board().isRepaired(term("gap"))).isFalse();

    TurnId repair = id("ann", "public", "repair");
    ledger.counts(used(repair));
    ledger.counts(repaired(repair, 0, "gap"));
    assertThat(board().isRepaired(term("gap"))).isTrue();
    ledger.counts(promoted("gap", 2, 1, 2));
    assertThat(board().isRepaired(term("gap"))).isFalse();

    RecomputationReport report = RecomputationTest.recompute(ledger.bytes());
    assertThat(report.disagreements())
        .extracting(RecomputationReport.Disagreement::code)
        .containsExactly("too_few_uses", "too_few_uses", "too_few_uses");
    assertThat(report.boards().promoted()).isEqualTo(2);
  }

  @Test
  void aBoardIsOpenedOnce() {
    open(Share.AUTO);
    ledger.ignored(
        Cause.BOARD_EXISTS, new LexiconEntry.BoardOpened(BOARD, List.of(), Share.AUTO, 1));
    ledger.ignored(Cause.DUPLICATE, board().opened());
    ledger.ignored(
        Cause.BOARD_UNKNOWN,
        new LexiconEntry.Retired(LexiconWriter.board(8), "public", "gap", "operator", 1));
  }

  @Test
  void aTurnHasEightLines_andABoardAThousandTerms() {
    open(Share.AUTO);
    int terms = 0;
    while (terms < BoardHistory.TERMS_MAX) {
      TurnId id = id("ann", "public", "turn " + terms);
      ledger.counts(used(id));
      for (int line = 0; line < BoardHistory.LINES_MAX; line++) {
        ledger.counts(coined(id, line, "term " + terms++));
      }
      ledger.ignored(Cause.TOO_MANY_LINES, coined(id, 8, "term " + terms));
    }
    TurnId id = id("ann", "public", "one more");
    ledger.counts(used(id));
    ledger.ignored(Cause.BOARD_FULL, coined(id, 0, "one more"));
    assertThat(board().board().entries()).hasSize(BoardHistory.TERMS_MAX);
    assertThat(BoardNote.text(BoardDocument.of(board())).length()).isLessThan(BoardNote.MAX_BYTES);
  }

  @Test
  void theBoardThatChangedLongestAgo_isForgotten() {
    LexiconLedger few = new LexiconLedger(2, 4);
    for (int i = 0; i < 3; i++) {
      LexiconEntry.BoardOpened opened =
          new LexiconEntry.BoardOpened(LexiconWriter.board(i), List.of(), Share.AUTO, 1);
      assertThat(few.apply(i, opened)).isEqualTo(Applied.COUNTED);
    }
    assertThat(few.last(9)).extracting(BoardRecord::id).containsExactly(name(2), name(1));
    for (int turn = 0; turn < 4; turn++) {
      TurnId id = new TurnId(name(1), Digest.of("" + turn), "ann", "public");
      assertThat(few.apply(9, used(id))).isEqualTo(Applied.COUNTED);
    }
    assertThat(few.last(9)).extracting(BoardRecord::id).containsExactly(name(1), name(2));
    assertThat(few.apply(9, used(new TurnId(name(2), Digest.of("x"), "ann", "public"))))
        .isEqualTo(Applied.COUNTED);
    assertThat(few.last(9)).extracting(BoardRecord::id).containsExactly(name(2));
    assertThat(few.of(name(1))).isEqualTo(Optional.empty());
    // Whoever holds its last revision takes the new one for newer all the same.
    few.apply(20, new LexiconEntry.BoardOpened(LexiconWriter.board(1), List.of(), Share.AUTO, 2));
    assertThat(few.of(name(1)).orElseThrow().revision()).isEqualTo(21);
  }

  /** However much is coined, what is kept has an end. */
  @Test
  void aFloodOfCoinages_leavesNoMoreThanThereIsRoomFor() {
    LexiconLedger small = new LexiconLedger(100, 3_000);
    long counted = 0;
    for (int i = 0; i < 20_000; i++) {
      String board = name(i / 1_100);
      small.apply(i, new LexiconEntry.BoardOpened(board, List.of(), Share.AUTO, 1));
      TurnId id = new TurnId(board, Digest.of("turn " + i), "ann", "public");
      small.apply(i, used(id));
      Applied applied = small.apply(i, coined(id, 0, "term " + i));
      counted += applied.equals(Applied.COUNTED) ? 1 : 0;
      if (i % 1_000 == 0) {
        long kept =
            small.last(100).stream()
                .mapToLong(one -> one.board().turns() + one.board().entries().size())
                .sum();
        assertThat(kept).isLessThanOrEqualTo(3_000);
      }
    }
    assertThat(counted).isGreaterThan(18_000);
    assertThat(small.count()).isLessThanOrEqualTo(2);
  }

  /** Of 10^5 boards those that changed last are kept, in a memory with an end. */
  @Test
  void aHundredThousandBoards_takeTheMemoryOfThoseThatAreKept() {
    LexiconLedger boards = new LexiconLedger();
    long before = usedBytes();
    for (int i = 0; i < 100_000; i++) {
      String board = name(i);
      boards.apply(3L * i, new LexiconEntry.BoardOpened(board, List.of(), Share.AUTO, 1));
      TurnId id = new TurnId(board, Digest.of("turn " + i), "ann", "public");
      boards.apply(3L * i + 1, used(id));
      assertThat(boards.apply(3L * i + 2, coined(id, 0, "term " + i))).isEqualTo(Applied.COUNTED);
    }
    assertThat(boards.count()).isEqualTo(LexiconLedger.BOARDS_MAX);
    assertThat(usedBytes() - before).isLessThan(128L << 20);
    assertThat(boards.of(name(99_999))).isPresent();
    assertThat(boards.of(name(0))).isEmpty();
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static String name(int number) {
    return LexiconWriter.board(number);
  }

  // ---- terms in plans ----

  private Entry.Plan plan() {
    return ledger.plan(
        "plan",
        1,
        List.of("ann", "bob"),
        List.of("gap", "notice"),
        900,
        SampleLedger.params(Bound.WILSON),
        Multiplicity.PER_TERM,
        40);
  }

  private void repair() {
    TurnId repair = id("ann", "public", "repair" + number);
    ledger.counts(used(repair));
    ledger.counts(repaired(repair, 0, "gap"));
  }

  private void certifiedThenRepaired(Consumer<Entry.Plan> repair) {
    open(Share.AUTO);
    coin("ann", "public", "gap");
    Entry.Plan plan = plan();
    ledger.counts(promoted("gap", 1, 0, 0));
    LedgerWriter.Answers agreed = LedgerWriter.agents(1, 0.0, "bob", List.of());
    ledger.audit(plan, Entry.Kind.CERTIFY, List.of(), agreed);
    assertThat(status("gap")).isEqualTo(TermStatus.CERTIFIED);

    repair.accept(plan);
    assertThat(status("gap")).isEqualTo(TermStatus.UNTESTED);
    assertThat(status("notice")).isEqualTo(TermStatus.CERTIFIED);
    ledger.audit(plan, Entry.Kind.RECERTIFY, List.of("notice"), agreed);
    assertThat(status("gap")).isEqualTo(TermStatus.UNTESTED);
    ledger.audit(plan, Entry.Kind.CERTIFY, List.of("gap"), agreed);
    assertThat(status("gap")).isEqualTo(TermStatus.CERTIFIED);
    ledger.counts(promoted("gap", 2, 0, 0));
    assertThat(board().isRepaired(term("gap"))).isFalse();
    RecomputationReport report = RecomputationTest.recompute(ledger.bytes());
    assertThat(report.disagreements()).isEmpty();
    assertThat(report.cores()).isGreaterThanOrEqualTo(3);
  }

  private TermStatus status(String term) {
    PlanState plan = ledger.state().plan("plan").orElseThrow();
    return ledger.state().status(plan, term);
  }

  @Test
  void aRepair_makesACertifiedTermUntested() {
    certifiedThenRepaired(_ -> repair());
  }

  @Test
  void aRepairDuringAnAudit_makesItsTermUntested_onceTheAuditHasEndedAsItWasBegun() {
    certifiedThenRepaired(plan -> {
      LedgerWriter.Answers agreed = LedgerWriter.agents(1, 0.0, "bob", List.of());
      ledger.audit(plan, Entry.Kind.RECERTIFY, List.of(), agreed, _ -> repair());
    });
  }
}
