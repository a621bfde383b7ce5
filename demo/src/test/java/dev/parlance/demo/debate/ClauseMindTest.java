package dev.parlance.demo.debate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.demo.license.LicenseTerms.TermReading.Answer;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardEvent;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.KnownTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The minds alone, with what sidecars would do simulated. */
class ClauseMindTest {
  private static final String CONVERSATION = "c";
  private static final String LEXICON =
      KnownTerms.of(
              List.of(
                  new KnownTerms.Term(
                      "white spot",
                      "white spot",
                      "a point that the clause neither grants nor denies",
                      3,
                      1,
                      LicenseTerms.SCHOLAR,
                      false)))
          .text();

  private static List<ProofStatus> expected() {
    return ClauseClaim.claims().stream().map(ClauseClaim::status).toList();
  }

  private static List<ProofStatus> decided(SimulatedMesh mesh) {
    return mesh.decideAll(CONVERSATION).stream().map(Optional::orElseThrow).toList();
  }

  private static String ask(ClauseMind mind, String text) {
    return mind.answer(CONVERSATION, ShownTerms.in(text), (_, _) -> Optional.empty());
  }

  // ---- the script ----

  @Test
  void everyClause_standsInTheLicence() throws IOException {
    String licence = Files.readString(Path.of("..", "LICENSE")).replaceAll("\\s+", " ");
    assertThat(ClauseClaim.clauses()).allSatisfy(one -> assertThat(licence).contains(one.text()));
  }

  @Test
  void everyClaim_quotesAndIsDecidedByClausesThatThereAre() {
    List<String> ids = ClauseClaim.clauses().stream().map(ClauseClaim.Clause::id).toList();
    assertThat(ClauseClaim.claims())
        .allSatisfy(one -> assertThat(ids).containsAll(one.quoted()).containsAll(one.decidedBy()));
    assertThat(expected()).contains(ProofStatus.values());
  }

  @ParameterizedTest
  @EnumSource(ProofPoint.class)
  void everyDefinition_isUnderstoodAsItsOwnPoint(ProofPoint point) {
    String definition = point.coinage().substring(point.coinage().indexOf('=') + 2);
    assertThat(ProofPoint.definedAs(definition)).contains(point);
    assertThat(ProofPoint.isWide(definition)).isFalse();
    assertThat(ProofPoint.definedAs("a horse of another colour")).isEmpty();
  }

  @Test
  void theRepairedDefinition_isStillAboutTheSamePoint() {
    assertThat(ProofPoint.definedAs(ProofPoint.WIDE)).contains(ProofPoint.OPEN);
    assertThat(ProofPoint.isWide(ProofPoint.WIDE)).isTrue();
  }

  // ---- what minds do ----

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyClaim_isDecidedAsItIs_withoutAndWithTheLexicon(boolean lexicon) {
    assertThat(decided(new SimulatedMesh(lexicon))).isEqualTo(expected());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoHasReadTheSame_saysTheSame(boolean lexicon) {
    SimulatedMesh first = new SimulatedMesh(lexicon);
    SimulatedMesh second = new SimulatedMesh(lexicon);
    assertThat(decided(first)).isEqualTo(decided(second));
    assertThat(first.transcript.messages(CONVERSATION))
        .isEqualTo(second.transcript.messages(CONVERSATION));
  }

  @Test
  void withoutTheLexicon_thePhraseIsRepeated_andNothingIsCoined() {
    SimulatedMesh mesh = new SimulatedMesh(false);
    decided(mesh);
    List<Transcript.Message> said = mesh.transcript.messages(CONVERSATION);
    assertThat(said)
        .noneMatch(one -> one.text().contains("[PART 2]"))
        .noneMatch(one -> one.text().contains(ProofPoint.OPEN.term()));
    assertThat(said.stream().filter(one -> one.text().contains(ProofPoint.OPEN.phrase())))
        .hasSizeGreaterThan(10);
    assertThat(mesh.transcript.shownTimes(CONVERSATION)).isZero();
  }

  @Test
  void withTheLexicon_everyPointGetsItsTerm_andEveryTermIsTakenUpByOthers() {
    SimulatedMesh mesh = new SimulatedMesh(true);
    decided(mesh);
    assertThat(mesh.board().entries().stream().map(BoardEntry::term))
        .containsExactlyInAnyOrderElementsOf(
            List.of("open gap", "must-follow path", "contradiction path", "linkvoid"));
    assertThat(mesh.board().entries()).allMatch(one -> one.reuse() >= 3);
    assertThat(mesh.board().metrics().crossSpeaker()).isEqualTo(4);
    assertThat(mesh.refusals)
        .extracting(CoinRefusal::reason)
        .containsExactly(CoinRefusal.Reason.NOT_USED, CoinRefusal.Reason.BLOCKED);
  }

  @Test
  void aTermThatLeavesAClauseOpenThatAnotherDecides_isChallenged_andRepaired() {
    SimulatedMesh mesh = new SimulatedMesh(true);
    decided(mesh);
    assertThat(events(mesh, BoardEvent.Type.CHALLENGE)).containsExactly("open gap");
    assertThat(events(mesh, BoardEvent.Type.REPAIR)).containsExactly("open gap");
    BoardEntry repaired = entry(mesh.board(), "open gap");
    assertThat(repaired.version()).isEqualTo(2);
    assertThat(repaired.contested()).isFalse();
    assertThat(repaired.definition()).isEqualTo(ProofPoint.WIDE);
  }

  @Test
  void theTermBetweenTwo_leaks_andIsEchoed() {
    SimulatedMesh mesh = new SimulatedMesh(true);
    decided(mesh);
    assertThat(events(mesh, BoardEvent.Type.LEAK)).containsExactly("linkvoid");
    assertThat(events(mesh, BoardEvent.Type.ECHO)).contains("linkvoid");
    assertThat(entry(mesh.board(), "linkvoid").visibility().isPublic()).isFalse();
  }

  @Test
  void messagesGetShorter_andWhatIsShownIsCounted() {
    SimulatedMesh without = new SimulatedMesh(false);
    SimulatedMesh with = new SimulatedMesh(true);
    decided(without);
    decided(with);
    assertThat(with.transcript.saidTokens(CONVERSATION))
        .isLessThan(without.transcript.saidTokens(CONVERSATION));
    assertThat(with.transcript.shownTokens(CONVERSATION)).isPositive();
  }

  @Test
  void theTranscriptAlone_givesTheSameBoard() {
    SimulatedMesh mesh = new SimulatedMesh(true);
    decided(mesh);
    Transcript.Replay replay =
        mesh.transcript.replay(
            CONVERSATION, ClauseMind.AGENTS, SimulatedMesh.GROUP, ClauseMind.CHAMBERS);
    assertThat(replay.board()).isEqualTo(mesh.board());
    assertThat(replay.events()).isEqualTo(mesh.events);
    assertThat(replay.refused()).isEqualTo(Map.of("blocked", 1L, "not_used", 1L));
  }

  @Test
  void tokens_areCountedByTask_andThoseAboutTermsApart() {
    SimulatedMesh mesh = new SimulatedMesh(true);
    decided(mesh);
    Transcript said = mesh.transcript;
    List<Integer> parts = said.partTokens(CONVERSATION, SimulatedMesh.MODERATOR);
    assertThat(parts).hasSize(ClauseClaim.claims().size() + 1);
    assertThat(parts.stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(said.saidTokens(CONVERSATION));
    assertThat(said.aboutTerms(CONVERSATION)).isBetween(60, 120);
    assertThat(said.warmUp(CONVERSATION, SimulatedMesh.MODERATOR)).isEqualTo(5);
    assertThat(said.lastBlock(CONVERSATION, ClauseMind.COUNSEL).orElse(""))
        .contains("- open gap = " + ProofPoint.WIDE);
    assertThat(said.lastBlock("another", ClauseMind.COUNSEL)).isEmpty();
    assertThat(
            new Transcript.Message("c", "a", "b", "One two.\n[PART 2]\ntwo = 2 of them")
                .aboutTerms())
        .isEqualTo(6);
  }

  // ---- what a mind reads ----

  @Test
  void aTermOfAnotherName_isTakenUp_ifItsDefinitionIsAboutThePoint() {
    ClauseMind scholar = new ClauseMind(LicenseTerms.SCHOLAR);
    String task = ClauseMind.task(1, false);
    assertThat(ask(scholar, task)).contains(ProofPoint.OPEN.phrase());
    assertThat(ask(scholar, task + "\n" + LEXICON)).endsWith("It is a white spot.");
    assertThat(ask(scholar, task)).contains(ProofPoint.OPEN.phrase());
  }

  @Test
  void whoIsNotShownItsTerm_doesNotCoinItAgain() {
    ClauseMind scholar = new ClauseMind(LicenseTerms.SCHOLAR);
    assertThat(ask(scholar, ClauseMind.task(1, true))).doesNotContain("[PART 2]");
    assertThat(ask(scholar, ClauseMind.task(3, false))).contains("\nopen gap = ");
    assertThat(ask(scholar, ClauseMind.task(8, false)))
        .contains(ProofPoint.OPEN.phrase())
        .doesNotContain("[PART 2]");
  }

  @Test
  void theBlock_isToldFromTheWords_whereverItStands() {
    ShownTerms behind = ShownTerms.in("Task 1.\n" + LEXICON);
    assertThat(behind.words()).isEqualTo("Task 1.");
    assertThat(behind.block()).isEqualTo(LEXICON);
    assertThat(behind.terms())
        .containsExactly(
            new ShownTerms.ShownTerm(
                "white spot",
                "a point that the clause neither grants nor denies",
                LicenseTerms.SCHOLAR,
                false));
    assertThat(ShownTerms.in(LEXICON + "\nTask 1.").words()).isEqualTo("Task 1.");
    assertThat(ShownTerms.in("Task 1.").terms()).isEmpty();
  }

  @Test
  void whoCannotBeHeard_isNamed_andThereIsNoVerdict() {
    ClauseMind officer = new ClauseMind(LicenseTerms.OFFICER);
    String answer = ask(officer, ClauseMind.task(1, false));
    assertThat(answer).contains(LicenseTerms.SCHOLAR + " is not heard");
    assertThat(ProofStatus.in(answer)).isEmpty();
  }

  // ---- what a mind says of terms in an audit ----

  @Test
  void aTermThatWasNeverShown_isNothingToSayOf() {
    String event = ClauseClaim.events().getFirst().text();
    ClauseMind officer = new ClauseMind(LicenseTerms.OFFICER);
    assertThat(officer.witness("white spot", event)).isEqualTo(Answer.NEUTRAL);
    assertThat(officer.witness(ClauseMind.SETTLED, event)).isEqualTo(Answer.DISSENT);
    assertThat(officer.witness(ClauseMind.SETTLED, "It rains.")).isEqualTo(Answer.NEUTRAL);
  }

  @Test
  void whoHasLearntTheRepair_judgesOtherwiseThanWhoHasNot() {
    ClauseMind late = new ClauseMind(LicenseTerms.OFFICER);
    ask(late, ClauseMind.REPORT + "\n" + LEXICON);
    ClauseMind upToDate = new ClauseMind(LicenseTerms.SCHOLAR);
    ask(
        upToDate,
        ClauseMind.REPORT
            + "\n"
            + LEXICON.replace(
                "the clause neither grants nor denies", "no clause grants or denies"));
    List<Boolean> same = new ArrayList<>();
    ClauseClaim.events()
        .forEach(one ->
            same.add(
                late.witness("white spot", one.text())
                    == upToDate.witness("white spot", one.text())));
    assertThat(same).contains(true, false);
  }

  @Test
  void afterTheTalk_officerAndScholarUseEveryPublicTermAlike() {
    SimulatedMesh mesh = new SimulatedMesh(true);
    decided(mesh);
    List<Answer> answers = new ArrayList<>();
    ClauseClaim.events()
        .forEach(event -> {
          Answer officer = mesh.mind(LicenseTerms.OFFICER).witness("open gap", event.text());
          assertThat(mesh.mind(LicenseTerms.SCHOLAR).witness("open gap", event.text()))
              .as(event.text())
              .isEqualTo(officer);
          answers.add(officer);
        });
    assertThat(answers).contains(Answer.ASSENT, Answer.DISSENT).doesNotContain(Answer.NEUTRAL);
    assertThat(ClauseClaim.events().stream().map(one -> one.text()).distinct())
        .hasSize(ClauseClaim.events().size());
  }

  private static List<String> events(SimulatedMesh mesh, BoardEvent.Type type) {
    return mesh.events.stream()
        .filter(one -> one.type() == type)
        .map(one -> one.term().orElse(""))
        .toList();
  }

  private static BoardEntry entry(Board board, String term) {
    return board.entries().stream()
        .filter(one -> one.term().equals(term))
        .findFirst()
        .orElseThrow();
  }
}
