package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundRecomputationTest {
  private final LedgerWriter sample = SampleRounds.write(1);
  private List<byte[]> bytes = new ArrayList<>(sample.bytes());

  private RecomputationReport recompute() {
    return RecomputationTest.recompute(bytes);
  }

  private int find(String round, Predicate<Entry> what) {
    for (int i = 0; i < sample.entries().size(); i++) {
      if (sample.entries().get(i) instanceof RoundEntry entry
          && entry.id().bound().equals(round)
          && what.test(entry)) {
        return i;
      }
    }
    throw new IllegalStateException("the sample has no such entry of " + round);
  }

  private static boolean isDecided(Entry entry) {
    return entry instanceof RoundEntry.Decided;
  }

  private static boolean isProposed(Entry entry) {
    return entry instanceof RoundEntry.Proposed;
  }

  private void edit(int index, UnaryOperator<String> change) {
    String text = new String(bytes.get(index), StandardCharsets.UTF_8);
    String changed = change.apply(text);
    assertThat(changed).isNotEqualTo(text);
    bytes.set(index, changed.getBytes(StandardCharsets.UTF_8));
  }

  private void expect(long index, String code) {
    RecomputationReport report = recompute();
    assertThat(report.agrees()).isFalse();
    assertThat(report.disagreements())
        .anySatisfy(one -> {
          assertThat(one.index()).isEqualTo(index);
          assertThat(one.code()).isEqualTo(code);
          assertThat(one.stands()).isNotEqualTo(one.follows());
        });
  }

  @Test
  void anHonestLedgerAgrees_andCountsWhatItHas() {
    RecomputationReport report = recompute();
    assertThat(report.disagreements()).isEmpty();
    RecomputationReport.Rounds rounds = report.rounds();
    assertThat(rounds.opened()).isEqualTo(13);
    assertThat(rounds.semanticCommits()).isEqualTo(5);
    assertThat(rounds.verdictCommits()).isEqualTo(3);
    assertThat(rounds.aborts()).isEqualTo(3);
    assertThat(rounds.expired()).isEqualTo(2);
    assertThat(rounds.equivocations()).isEqualTo(1);
    assertThat(rounds.proposals())
        .isEqualTo(
            sample.entries().stream().filter(RoundRecomputationTest::isProposed).count() - 4);
    assertThat(rounds.unfinished()).containsExactly("under-way:1", "sealed-only:1");
    assertThat(rounds.overtaken().stream().map(RecomputationReport.Overtaken::code))
        .containsExactly("late", "late", "equivocated", "round_exists");
    assertThat(report.duplicates()).isEqualTo(4);
    assertThat(report.format())
        .contains("note: round under-way:1 has not ended\n")
        .contains("came too late: late\n")
        .contains("13 rounds with ")
        .contains("(5 semantic commits, 3 verdict commits, 3 aborts)");
  }

  @Test
  void aTypoInAVector_changesTheDigest_andIsReportedAtTheDecision() {
    int proposal = find("semantic:1", RoundRecomputationTest::isProposed);
    edit(
        proposal,
        text -> {
          int at = text.indexOf("\"vector\":\"") + "\"vector\":\"".length() + 3;
          return text.substring(0, at)
              + (text.charAt(at) == 'A' ? 'B' : 'A')
              + text.substring(at + 1);
        });
    expect(find("semantic:1", RoundRecomputationTest::isDecided), "round_decision_differs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "semantic:1 | \"verdict\":\"supports\"  | \"verdict\":\"refutes\"",
        "semantic:1 | \"support\":3             | \"support\":2",
        "semantic:1 | \"minCos\":0.             | \"minCos\":0.1",
        "semantic:1 | ,\"agent-2\"]             | ]",
        "semantic:1 | \"documentSha256\":\"     | \"documentSha256\":\"00",
        "semantic:1 | \"digest\":\"             | \"digest\":\"00",
        "plain:1    | \"digest\":\"             | \"digest\":\"00",
        "twice:1    | VERDICT_TIE               | SEMANTIC_DISPERSED",
        "twice:2    | \"delivered\":4           | \"delivered\":5",
        "faults:1   | \"delivered\":8           | \"delivered\":9",
      })
  void aDecisionThatLies_isReported(String round, String part, String other) {
    int decided = find(round, RoundRecomputationTest::isDecided);
    edit(
        decided,
        text -> {
          String changed = text.replace(part, other);
          // A digest keeps its length.
          return changed.replaceAll("(Sha256|digest)\":\"00([0-9a-f]{62})..", "$1\":\"00$2");
        });
    RecomputationReport report = recompute();
    assertThat(report.agrees()).isFalse();
    assertThat(report.disagreements())
        .anySatisfy(one -> assertThat(one.index()).isEqualTo(decided));
  }

  @Test
  void aLieIsReportedOnce_andTheReplicaThatDecidedRightlyIsNoContradiction() {
    int decided = find("semantic:1", RoundRecomputationTest::isDecided);
    edit(decided, text -> text.replace("\"support\":3", "\"support\":2"));
    RecomputationReport report = recompute();
    assertThat(report.disagreements())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.index()).isEqualTo(decided);
          assertThat(one.code()).isEqualTo("round_decision_differs");
          assertThat(one.stands()).contains("\"support\":2");
          assertThat(one.follows()).contains("\"support\":3");
        });
    assertThat(report.duplicates()).isEqualTo(4);
  }

  @Test
  void aSecondDecisionThatSaysSomethingElse_isAContradiction() {
    int again = find("semantic:1", RoundRecomputationTest::isDecided) + 1;
    edit(again, text -> text.replace("\"support\":3", "\"support\":2"));
    expect(again, "contradicts_earlier");
  }

  @Test
  void aDroppedEntry_isReported() {
    for (Predicate<Entry> type :
        List.<Predicate<Entry>>of(
            entry -> entry instanceof RoundEntry.Opened,
            RoundRecomputationTest::isProposed,
            entry -> entry instanceof RoundEntry.Sealed)) {
      bytes = new ArrayList<>(sample.bytes());
      bytes.remove(find("twice:2", type));
      assertThat(recompute().agrees()).isFalse();
    }
  }

  @Test
  void aVoteMovedBehindTheSeal_orASealBeforeAVote_isReported() {
    int sealed = find("twice:2", entry -> entry instanceof RoundEntry.Sealed);
    Collections.swap(bytes, sealed, sealed - 1);
    expect(sealed - 1, "not_complete");
    bytes = new ArrayList<>(sample.bytes());
    int decided = find("twice:2", RoundRecomputationTest::isDecided);
    Collections.swap(bytes, decided, decided - 1);
    expect(decided - 1, "no_decision_due");
  }

  @Test
  void aStrangersEntry_oneOfAnotherRound_andOneOfAnotherEncoder_areReported() {
    int proposal = find("under-way:1", RoundRecomputationTest::isProposed);
    edit(proposal, text -> text.replace("\"agent\":\"agent-0\"", "\"agent\":\"stranger\""));
    expect(proposal, "not_a_member");
    bytes = new ArrayList<>(sample.bytes());
    edit(proposal, text -> text.replace("\"epoch\":1", "\"epoch\":2"));
    expect(proposal, "round_unknown");
    bytes = new ArrayList<>(sample.bytes());
    edit(proposal, text -> text.replaceAll("\"vector\":\"[^\"]*\"", "\"vector\":\"AAEAAQ==\""));
    expect(proposal, "other_encoding");
  }

  @Test
  void otherConstantsInTheOpening_areReportedAtTheDecision() {
    int opened = find("faults:1", entry -> entry instanceof RoundEntry.Opened);
    edit(opened, text -> text.replace("\"faults\":2", "\"faults\":3"));
    expect(find("faults:1", RoundRecomputationTest::isDecided), "round_decision_differs");
  }

  @Test
  void anEpochAfterACommit_isReported() {
    LedgerWriter ledger = SampleRounds.write(1);
    ledger.append(RoundWriter.of(ledger, "semantic", 2, 1, 4).opened());
    bytes = new ArrayList<>(ledger.bytes());
    expect(bytes.size() - 1L, "epoch_not_due");
  }

  @Test
  void theSampleHasEveryKindOfOutcome() {
    assertThat(
            Stream.of(
                    new RoundId("semantic", 1), new RoundId("twice", 2), new RoundId("expired", 1))
                .map(id -> sample.state().round(id).flatMap(RoundRecord::outcome).orElseThrow())
                .map(Outcome::kind))
        .containsExactly("semantic_commit", "verdict_commit", "abort");
  }
}
