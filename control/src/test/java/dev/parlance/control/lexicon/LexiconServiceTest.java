package dev.parlance.control.lexicon;

import static dev.parlance.control.testing.Lexicographer.BOARD;
import static dev.parlance.control.testing.Lexicographer.first;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.config.LexiconSettings.Promotion;
import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.control.testing.Minds;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.CoinRequest;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceBlockingStub;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.ListBoardsRequest;
import dev.parlance.proto.v1.RefusedLine;
import dev.parlance.proto.v1.ReportTurnsResponse;
import dev.parlance.proto.v1.RetractRequest;
import dev.parlance.proto.v1.ReviewTermRequest;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.proto.v1.TermUse;
import dev.parlance.proto.v1.TermView;
import dev.parlance.proto.v1.WatchBoardsRequest;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Boards over real gRPC, as sidecars and operators ask for them. */
final class LexiconServiceTest {
  private static final String COINING =
      "The text leaves an open gap here.\n[PART 2]\nopen gap = a point that the text leaves open";

  @TempDir Path data;
  private Kit kit;
  private Lexicographer sidecars;

  @BeforeEach
  void open() throws IOException {
    start(LexiconSettings.DEFAULT.withGroups(new TreeMap<>(Map.of("wolves", List.of("w1", "w2")))));
  }

  private void start(LexiconSettings settings) throws IOException {
    kit = Kit.start(Kit.config(data).withLexicon(settings));
    sidecars = kit.keep(Lexicographer.at(kit.plane));
    for (String agent : List.of("alice", "bob", "w1", "w2")) {
      kit.attach(agent, Minds.plain());
    }
    kit.awaitAttached("alice", "bob", "w1", "w2");
  }

  @AfterEach
  void close() {
    kit.close();
  }

  private BoardView show() {
    return sidecars.as("bob").showBoard(GetBoardRequest.newBuilder().setBoard(BOARD).build());
  }

  private TermView term(String key) {
    return show().getTermsList().stream()
        .filter(term -> term.getKey().equals(key))
        .findFirst()
        .orElseThrow();
  }

  private String checkpoint() {
    return kit.ledger
        .getCheckpoint(GetCheckpointRequest.getDefaultInstance())
        .getNote()
        .toStringUtf8();
  }

  private static void assertRefused(ThrowingCallable call, String reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getDescription()).startsWith(reason + ": "));
  }

  private static void assertReported(
      ReportTurnsResponse response, int counted, int repeated, int ignored) {
    assertThat(List.of(response.getCounted(), response.getRepeatedTurns(), response.getIgnored()))
        .containsExactly(counted, repeated, ignored);
  }

  // ---- coining ----

  @Test
  void whereEveryLineMustCount_oneThatDoesNotKeepsTheOthersFromTheLedger() throws IOException {
    LexiconTurn turn =
        first("alice", "An open gap.\n[PART 2]\nopen gap = left open\nnever used = not said");
    LexiconTurn both =
        turn.toBuilder()
            .clearCoinages()
            .addCoinages(turn.getCoinages(0))
            .addCoinages(
                turn.getCoinages(0).toBuilder().setLine(3).setTerm("x").setDefinition("  "))
            .build();
    CoinRequest whole = CoinRequest.newBuilder().setTurn(both).setWhole(true).build();
    CoinResponse refused = sidecars.as("alice").coin(whole);
    assertThat(refused.getAcceptedList()).isEmpty();
    assertThat(refused.getRefusedList()).extracting(line -> line.getLine()).containsExactly(3);
    assertThat(refused.hasBoard()).isFalse();
    assertThat(sidecars.coin(turn).getAcceptedList()).hasSize(1);
  }

  @Test
  void coinage_isOnTheBoardOfEveryReader_whenTheCallReturns() {
    CoinResponse coined = sidecars.coin(first("alice", COINING));
    assertThat(coined.getAcceptedList()).containsExactly(2);
    assertThat(coined.getRefusedList()).isEmpty();
    BoardDocument own = sidecars.read(coined.getBoard());
    assertThat(own.changes()).isEqualTo(1);
    assertThat(own.groups()).singleElement().matches(group -> group.name().equals("wolves"));
    BoardDocument others = sidecars.board("bob", BOARD);
    assertThat(others.terms()).isEqualTo(own.terms());
    assertThat(others.terms())
        .singleElement()
        .satisfies(term -> {
          assertThat(term.term()).isEqualTo("open gap");
          assertThat(term.definition()).isEqualTo("a point that the text leaves open");
          assertThat(term.by()).isEqualTo("alice");
        });
    kit.client.assertLedgerAgrees();
  }

  @Test
  void coinageOfATermThatIsThere_isRefused_andLeavesNothingOnTheLedger() {
    sidecars.coin(first("alice", COINING));
    String before = checkpoint();
    CoinResponse again =
        sidecars.coin(first("bob", "An open gap again.\n[PART 2]\nopen gap = something else"));
    assertThat(again.getAcceptedList()).isEmpty();
    assertThat(again.getRefusedList())
        .containsExactly(RefusedLine.newBuilder().setLine(2).setReason("not_novel").build());
    assertThat(sidecars.read(again.getBoard()).terms()).hasSize(1);
    assertThat(checkpoint()).isEqualTo(before);
    assertThat(kit.plane.metrics())
        .contains("parlance_control_lexicon_rejected_total{reason=\"not_novel\"} 1.0");
  }

  @Test
  void coinageThatIsRefusedWhole_opensNoBoard() {
    LexiconTurn turn = first("alice", COINING);
    CoinResponse refused =
        sidecars.coin(
            turn.toBuilder()
                .setCoinages(0, turn.getCoinages(0).toBuilder().setTerm("Answer"))
                .build());
    assertThat(refused.getRefused(0).getReason()).isEqualTo("blocked");
    assertThat(refused.hasBoard()).isFalse();
    assertRefused(() -> sidecars.board("bob", BOARD), "board_unknown");
  }

  @Test
  void sameTurnAgain_hasTheSameAnswer_andCountsOnce() {
    LexiconTurn turn = first("alice", COINING);
    CoinResponse once = sidecars.coin(turn);
    String before = checkpoint();
    assertThat(sidecars.coin(turn)).isEqualTo(once);
    assertThat(checkpoint()).isEqualTo(before);
    assertThat(show().getSummary().getTurns()).isEqualTo(1);
  }

  private boolean retracted(String agent, LexiconTurn turn) {
    return sidecars.as(agent).retract(RetractRequest.newBuilder().setTurn(turn).build()).getGone();
  }

  @Test
  void turnThatNobodyHeard_isTakenOffItsBoard_andCountsIfItIsSaidAgain() {
    LexiconTurn turn = first("alice", COINING);
    assertThat(retracted("bob", turn)).as("there is none").isTrue();
    sidecars.coin(turn);
    assertThat(retracted("bob", turn)).isTrue();
    assertThat(show().getTermsList()).isEmpty();
    assertThat(show().getSummary().getTurns()).isZero();
    assertThat(retracted("bob", turn)).isTrue();
    assertThat(sidecars.coin(turn).getAcceptedList()).containsExactly(2);
    assertReported(sidecars.report("bob", sidecars.next("bob", "One open gap more.")), 1, 0, 0);
    assertThat(retracted("bob", turn)).as("it was taken up").isFalse();
    assertThat(term("open gap").getReuse()).isEqualTo(1);
    kit.client.assertLedgerAgrees();
  }

  @Test
  void turnOfAChannelThatTheSidecarDoesNotHear_isNotItsToTakeBack() {
    LexiconTurn turn = first("w1", COINING).toBuilder().setChannel("faction:wolves").build();
    sidecars.coin(turn);
    assertThat(retracted("bob", turn)).isFalse();
    assertThat(show().getTermsList()).hasSize(1);
    assertThat(retracted("w2", turn)).isTrue();
  }

  @Test
  void challengeAndRepair_changeTheTerm_andOnesOfUnknownTermsAreText() {
    sidecars.coin(first("alice", COINING));
    CoinResponse challenged =
        sidecars.coin(sidecars.next("bob", "CHALLENGE open gap: too wide\nCHALLENGE gap: what"));
    assertThat(challenged.getAcceptedList()).containsExactly(0);
    assertThat(term("open gap").getStatus()).isEqualTo("contested");
    sidecars.coin(sidecars.next("alice", "REPAIR open gap = neither stated nor excluded"));
    assertThat(term("open gap"))
        .matches(term -> term.getStatus().equals("active"))
        .matches(term -> term.getVersion() == 2)
        .matches(term -> term.getDefinition().equals("neither stated nor excluded"));
    LexiconTurn unknown = sidecars.next("bob", "CHALLENGE open gap: no");
    CoinResponse refused =
        sidecars.coin(
            unknown.toBuilder()
                .setDirectives(0, unknown.getDirectives(0).toBuilder().setKey("core lock"))
                .build());
    assertThat(refused.getRefused(0).getReason()).isEqualTo("term_not_seen");
    kit.client.assertLedgerAgrees();
  }

  @Test
  void ninthLine_isTooMany() {
    StringBuilder text = new StringBuilder("a1 a2 a3 a4 a5 a6 a7 a8 a9\n[PART 2]");
    for (int i = 1; i <= 9; i++) {
      text.append("\na").append(i).append(" = meaning ").append(i);
    }
    CoinResponse coined = sidecars.coin(first("alice", text.toString()));
    assertThat(coined.getAcceptedList()).hasSize(8);
    assertThat(coined.getRefusedList())
        .singleElement()
        .matches(line -> line.getReason().equals("too_many_lines") && line.getLine() == 10);
  }

  @Test
  void turnThatCannotBe_isRefused() {
    LexiconTurn turn = first("alice", COINING);
    for (LexiconTurn bad :
        List.of(
            turn.toBuilder().setBoard("b-1").build(),
            turn.toBuilder().setDigest(ByteString.copyFromUtf8("short")).build(),
            turn.toBuilder().setChannel("private").build(),
            turn.toBuilder().setNumber(-1).build(),
            turn.toBuilder().setNumber((1L << 53) + 1).build(),
            turn.toBuilder().setTokens(-1).build(),
            turn.toBuilder().addCoinages(turn.getCoinages(0)).build(),
            turn.toBuilder()
                .addUses(TermUse.newBuilder().setVisibility("public").setKey("x"))
                .build(),
            turn.toBuilder()
                .addUses(TermUse.newBuilder().setVisibility("public").setKey("x\ny").setTimes(1))
                .build())) {
      assertRefused(
          () -> sidecars.as("alice").coin(CoinRequest.newBuilder().setTurn(bad).build()),
          "bad_turn");
    }
    assertRefused(
        () ->
            sidecars
                .as("alice")
                .coin(
                    CoinRequest.newBuilder()
                        .setTurn(turn.toBuilder().setSpeaker("two words"))
                        .build()),
        "bad_turn");
  }

  @Test
  void speakerWhoIsNotOfTheFaction_coinsNothingThere() {
    LexiconTurn turn = first("alice", COINING).toBuilder().setChannel("faction:wolves").build();
    assertThat(sidecars.coin(turn).getRefused(0).getReason()).isEqualTo("not_heard");
  }

  @Test
  void sidecarOfAStranger_saysNothingOnAFactionsChannel() {
    LexiconTurn turn =
        first("w1", "A night plan.\n[PART 2]\nnight plan = who goes first").toBuilder()
            .setChannel("faction:wolves")
            .build();
    CoinRequest request = CoinRequest.newBuilder().setTurn(turn).build();
    assertThat(sidecars.as("bob").coin(request).getRefused(0).getReason()).isEqualTo("not_heard");
    assertThat(sidecars.as("w2").coin(request).getAcceptedList()).hasSize(1);
    LexiconTurn use = sidecars.next("w1", "faction:wolves", "The night plan again.");
    assertReported(sidecars.report("bob", use), 0, 0, 1);
    assertReported(sidecars.report("w2", use), 1, 0, 0);
  }

  // ---- reporting ----

  @Test
  void use_countsOnce_howeverOftenItIsReported_andWhoeverReportsIt() {
    sidecars.coin(first("alice", COINING));
    LexiconTurn turn = sidecars.next("bob", "That open gap again; an open gap.");
    assertReported(sidecars.report("alice", turn), 1, 0, 0);
    assertReported(sidecars.report("bob", turn, turn), 0, 2, 0);
    assertThat(term("open gap"))
        .matches(term -> term.getReuse() == 1)
        .matches(term -> term.getOccurrences() == 2)
        .matches(term -> term.getSpeakersList().equals(List.of("alice", "bob")));
    assertThat(kit.plane.metrics())
        .contains("parlance_control_lexicon_reuse_total{channel=\"public\"} 1.0")
        .contains("parlance_control_lexicon_turns_total{result=\"repeated\"} 2.0");
    kit.client.assertLedgerAgrees();
  }

  @Test
  void reportOfABoardThatThereIsNot_isIgnored() {
    assertReported(sidecars.report("alice", first("alice", "An open gap.")), 0, 0, 1);
    assertThat(
            sidecars.as("bob").listBoards(ListBoardsRequest.getDefaultInstance()).getBoardsList())
        .isEmpty();
  }

  @Test
  void linesOfAReport_haveNoEffect() {
    sidecars.coin(first("alice", COINING));
    sidecars.report("bob", sidecars.next("bob", "A core lock.\n[PART 2]\ncore lock = two clauses"));
    assertThat(show().getTermsList()).hasSize(1);
    assertThat(show().getSummary().getTurns()).isEqualTo(2);
  }

  @Test
  void lateUse_standsWhereItWasRead() {
    sidecars.coin(first("w1", "Go.\n[PART 2]").toBuilder().clearCoinages().build());
    LexiconTurn hidden =
        first("w1", "A night plan.\n[PART 2]\nnight plan = who goes first").toBuilder()
            .setChannel("faction:wolves")
            .build();
    sidecars.coin(hidden);
    LexiconTurn leak = sidecars.next("w2", "The night plan holds.");
    LexiconTurn echo =
        leak.toBuilder()
            .setSpeaker("bob")
            .setNumber(leak.getNumber() + 1)
            .setDigest(ByteString.copyFrom(new byte[32]))
            .build();
    sidecars.report("alice", echo);
    assertThat(term("night plan").getReuse()).isZero();
    sidecars.report("alice", leak);
    assertThat(term("night plan"))
        .matches(TermView::getLeaked)
        .matches(term -> term.getReuse() == 2)
        .matches(term -> term.getSpeakersList().equals(List.of("w2", "bob")));
    kit.client.assertLedgerAgrees();
  }

  // ---- who may ----

  @Test
  void strangerAndOperator_areNoSidecars() {
    LexiconTurn turn = first("alice", COINING);
    CoinRequest request = CoinRequest.newBuilder().setTurn(turn).build();
    assertRefused(() -> sidecars.with("wrong").coin(request), "token_wrong");
    assertRefused(() -> sidecars.with(kit.plane.operatorToken()).coin(request), "token_wrong");
    assertRefused(() -> sidecars.as("nobody").coin(request), "token_wrong");
    // The receiver's sidecar is one.
    assertThat(sidecars.as("bob").coin(request).getAcceptedList()).hasSize(1);
  }

  @Test
  void sidecarThatIsWelcome_isKnownAtOnce() throws Exception {
    GetBoardRequest request = GetBoardRequest.newBuilder().setBoard(BOARD).build();
    for (int i = 0; i < 5; i++) {
      String agent = "newcomer-" + i;
      // Whoever is looked up in vain makes the replica remember who is in the store.
      assertRefused(() -> sidecars.as(agent).getBoard(request), "token_wrong");
      kit.attach(agent, Minds.plain()).welcomed.get(60, TimeUnit.SECONDS);
      assertRefused(() -> sidecars.as(agent).getBoard(request), "board_unknown");
    }
  }

  @Test
  void factionsTerm_isOnEverybodysBoard_andShownToItsMembers() {
    sidecars.coin(
        first("w1", "A night plan.\n[PART 2]\nnight plan = who goes first").toBuilder()
            .setChannel("faction:wolves")
            .build());
    BoardDocument board = sidecars.board("bob", BOARD);
    assertThat(board.terms()).hasSize(1);
    assertThat(board.shownTo("w2")).hasSize(1);
    assertThat(board.shownTo("bob")).isEmpty();
  }

  @Test
  void planeWithoutLexicon_takesNoTurn() throws IOException {
    kit.close();
    start(
        new LexiconSettings(
            false,
            new TreeMap<>(),
            LexiconSettings.Sharing.AUTO,
            new Promotion(3, 2, Optional.empty())));
    LexiconTurn turn = first("alice", COINING);
    assertRefused(() -> sidecars.coin(turn), "lexicon_off");
    assertRefused(() -> sidecars.report("alice", turn), "lexicon_off");
  }

  @Test
  void termThatWaits_isItsCoinersAlone_untilAPersonHasSharedIt() throws IOException {
    kit.close();
    start(LexiconSettings.DEFAULT.sharing(LexiconSettings.Sharing.REVIEWED));
    sidecars.coin(first("alice", COINING));
    assertThat(term("open gap").getStatus()).isEqualTo("waiting");
    assertThat(show().getSummary().getWaiting()).isEqualTo(1);
    assertThat(sidecars.board("bob", BOARD).shownTo("alice")).hasSize(1);
    assertThat(sidecars.board("alice", BOARD).shownTo("bob")).isEmpty();
    TermRequest term = TermRequest.newBuilder().setBoard(BOARD).setKey("open gap").build();
    assertRefused(() -> sidecars.as("alice").share(term), "token_wrong");
    BoardView shared = sidecars.with(kit.plane.operatorToken()).share(term);
    assertThat(shared.getTerms(0).getStatus()).isEqualTo("active");
    assertThat(sidecars.board("alice", BOARD).shownTo("bob")).hasSize(1);
    String before = checkpoint();
    assertThat(sidecars.with(kit.plane.operatorToken()).share(term)).isEqualTo(shared);
    assertThat(checkpoint()).isEqualTo(before);
    kit.client.assertLedgerAgrees();
  }

  private boolean reviewed(String agent, String key, String visibility, boolean share) {
    return sidecars
        .as(agent)
        .review(
            ReviewTermRequest.newBuilder()
                .setTerm(
                    TermRequest.newBuilder().setBoard(BOARD).setVisibility(visibility).setKey(key))
                .setShare(share)
                .build())
        .getShared();
  }

  @Test
  void termThatWaits_isDecidedOnAtASidecarThatHearsIt_once() throws IOException {
    kit.close();
    start(
        LexiconSettings.DEFAULT
            .withGroups(new TreeMap<>(Map.of("wolves", List.of("w1", "w2"))))
            .sharing(LexiconSettings.Sharing.REVIEWED));
    sidecars.coin(first("alice", COINING));
    sidecars.coin(sidecars.next("alice", "A core lock.\n[PART 2]\ncore lock = both"));
    sidecars.coin(
        sidecars.next("w1", "faction:wolves", "A night plan.\n[PART 2]\nnight plan = ours"));
    assertRefused(() -> reviewed("bob", "night plan", "faction:wolves", true), "term_unknown");
    assertRefused(() -> reviewed("bob", "day plan", "public", true), "term_unknown");
    assertThat(reviewed("w2", "night plan", "faction:wolves", true)).isTrue();
    assertThat(reviewed("bob", "open gap", "public", true)).isTrue();
    assertThat(reviewed("bob", "core lock", "public", false)).isFalse();
    assertThat(term("open gap").getStatus()).isEqualTo("active");
    assertThat(term("core lock").getStatus()).isEqualTo("retired");
    // Who comes later learns what holds, and a term that is in use is nobody's to retire there.
    assertThat(reviewed("bob", "core lock", "public", true)).isFalse();
    assertThat(reviewed("bob", "open gap", "public", false)).isTrue();
    kit.client.assertLedgerAgrees();
  }

  @Test
  void retiredTerm_isOffEveryBoard_andItsKeyStaysTaken() {
    sidecars.coin(first("alice", COINING));
    TermRequest term = TermRequest.newBuilder().setBoard(BOARD).setKey("open gap").build();
    assertRefused(() -> sidecars.as("alice").retire(term), "token_wrong");
    LexiconServiceBlockingStub operator = sidecars.with(kit.plane.operatorToken());
    assertRefused(
        () -> operator.retire(term.toBuilder().setKey("core lock").build()), "term_unknown");
    assertRefused(() -> operator.retire(term.toBuilder().setBoard("b-2").build()), "board_unknown");
    LexiconTurn late = sidecars.next("bob", "An open gap.\nCHALLENGE open gap: too wide");
    assertThat(operator.retire(term).getTerms(0).getStatus()).isEqualTo("retired");
    assertThat(sidecars.board("bob", BOARD).shownTo("alice")).isEmpty();
    assertThat(sidecars.board("bob", BOARD).readableBy("alice").entries()).isEmpty();
    assertThat(sidecars.coin(late).getRefused(0).getReason()).isEqualTo("term_retired");
    sidecars.report("bob", late);
    assertThat(term("open gap").getReuse()).isZero();
    assertThat(
            sidecars
                .coin(sidecars.next("bob", "An open gap.\n[PART 2]\nopen gap = another meaning"))
                .getRefused(0)
                .getReason())
        .isEqualTo("not_novel");
    assertRefused(() -> operator.share(term), "term_retired");
    kit.client.assertLedgerAgrees();
  }

  // ---- what is shown ----

  @Test
  void boards_areListed_theLastChangedFirst_withTheirMeasures() {
    sidecars.coin(first("alice", COINING));
    String other = "b-" + "f".repeat(32);
    sidecars.coin(first("bob", COINING).toBuilder().setBoard(other).build());
    sidecars.report("bob", sidecars.next("bob", "An open gap."));
    assertThat(
            sidecars.as("bob").listBoards(ListBoardsRequest.getDefaultInstance()).getBoardsList())
        .extracting(board -> board.getBoard() + " " + board.getTerms() + " " + board.getReuse())
        .containsExactly(BOARD + " 1 1", other + " 1 0");
    assertThat(show().getMetricsMap())
        .containsEntry("terms", 1.0)
        .containsEntry("uptake", 1.0)
        .containsEntry("cross_speaker", 1.0)
        .doesNotContainKey("persistence");
    assertRefused(
        () -> sidecars.as("bob").listBoards(ListBoardsRequest.newBuilder().setLimit(-1).build()),
        "limit_out_of_range");
    assertThat(kit.plane.metrics())
        .contains("parlance_control_lexicon_boards 2.0")
        .contains("parlance_lexicon_terms{status=\"active\",visibility=\"public\"}");
  }

  @Test
  void changes_areWatched_fromNowOn() throws Exception {
    sidecars.coin(first("alice", COINING));
    List<String> seen = new CopyOnWriteArrayList<>();
    try (Context.CancellableContext watching = Context.current().withCancellation();
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<?> reading =
          threads.submit(
              watching.wrap(() -> {
                Iterator<BoardChange> changes =
                    sidecars
                        .as("bob")
                        .watchBoards(WatchBoardsRequest.newBuilder().setBoard(BOARD).build());
                while (true) {
                  BoardChange change = changes.next();
                  seen.add(change.getType() + " " + change.getTerm() + " " + change.getBy());
                }
              }));
      // Nobody is told when the watch has begun.
      await()
          .atMost(Kit.PATIENCE)
          .until(() -> {
            sidecars.report("bob", sidecars.next("bob", "An open gap."));
            return !seen.isEmpty();
          });
      seen.clear();
      sidecars.coin(sidecars.next("bob", "CHALLENGE open gap: too wide"));
      sidecars.coin(sidecars.next("alice", "REPAIR open gap = neither stated nor excluded"));
      await()
          .atMost(Kit.PATIENCE)
          .until(
              () -> seen.containsAll(List.of("challenge open gap bob", "repair open gap alice")));
      assertThat(seen).allMatch(line -> !line.startsWith("coin"));
      watching.cancel(null);
      reading.cancel(true);
    }
  }

  // ---- pushes ----

  @Test
  void sidecarThatWantsABoard_hasItAtOnce_andWithEveryChange() {
    FakeSidecar alice = kit.attach("alice", Minds.plain()).want(BOARD, 0);
    sidecars.coin(first("bob", COINING));
    await().atMost(Kit.PATIENCE).until(() -> alice.boards.size() == 1);
    FakeSidecar late = kit.attach("bob", Minds.plain()).want(BOARD, 0);
    await().atMost(Kit.PATIENCE).until(() -> late.boards.size() == 1);
    sidecars.coin(sidecars.next("bob", "A core lock.\n[PART 2]\ncore lock = two clauses"));
    await().atMost(Kit.PATIENCE).untilAsserted(() -> assertThat(newest(alice).terms()).hasSize(2));
    sidecars.report("bob", sidecars.next("bob", "An open gap."));
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(() -> assertThat(newest(alice).terms().getFirst().reuse()).isEqualTo(1));
    await()
        .atMost(Kit.PATIENCE)
        .until(() ->
            kit.plane.metrics().contains("parlance_control_board_pushes_total{result=\"acked\"}"));
  }

  private BoardDocument newest(FakeSidecar sidecar) {
    SignedBoard last = sidecar.boards.getLast();
    BoardDocument document = sidecars.read(last);
    assertThat(last.getRevision()).isEqualTo(document.revision());
    return document;
  }

  @Test
  void nameThatIsNoBoard_isNotWanted_andEndsNoStream() {
    FakeSidecar alice = kit.attach("alice", Minds.plain()).want("b-1", 0).want(BOARD, 0);
    sidecars.coin(first("bob", COINING));
    await().atMost(Kit.PATIENCE).until(() -> alice.boards.size() == 1);
    assertThat(alice.ended).isNotDone();
  }
}
