package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.RecomputationReport.Disagreement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecomputationTest {
  private static LedgerWriter sample = new LedgerWriter(0);
  private List<byte[]> bytes = new ArrayList<>(sample.bytes());

  @BeforeAll
  static void write() {
    sample = SampleLedger.write(1);
  }

  static RecomputationReport recompute(List<byte[]> entries) {
    Recomputation recomputation = new Recomputation();
    for (int i = 0; i < entries.size(); i++) {
      recomputation.entry(i, entries.get(i));
    }
    return recomputation.report(System.currentTimeMillis());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anHonestLedgerAgrees_andWithTheNaiveReferenceToo(long seed) {
    LedgerWriter ledger = SampleLedger.write(seed);
    RecomputationReport report = recompute(ledger.bytes());
    assertThat(report.disagreements()).isEmpty();
    assertThat(report.agrees()).isTrue();
    List<String> stands =
        ledger.entries().stream()
            .filter(entry -> entry instanceof Entry.Decided)
            .map(entry -> NaiveReference.line((Entry.Decided) entry))
            .toList();
    assertThat(report.decisions()).isEqualTo(stands.size()).isGreaterThan(50);
    assertThat(new NaiveReference(ledger.entries()).decisions()).isEqualTo(stands);
    assertThat(report.cores()).isGreaterThan(20);
    assertThat(report.fenced()).isEqualTo(3);
    assertThat(report.duplicates()).isEqualTo(3);
    assertThat(report.failed()).isEqualTo(7);
    assertThat(report.unfinished()).isEmpty();
    assertThat(report.format()).startsWith("recomputed: ");
  }

  @Test
  void theSampleHasEveryTypeAndEveryOutcome() {
    assertThat(sample.entries().stream().map(Entry::getClass).distinct())
        .contains(
            Entry.Plan.class,
            Entry.PlanPart.class,
            Entry.Opened.class,
            Entry.TakenOver.class,
            Entry.Test.class,
            Entry.Unanswered.class,
            Entry.Renegotiated.class,
            Entry.Decided.class,
            Entry.CoreIssued.class,
            Entry.Closed.class);
    assertThat(
            sample.entries().stream()
                .filter(entry -> entry instanceof Entry.Decided)
                .map(entry -> ((Entry.Decided) entry).outcome())
                .distinct())
        .containsExactlyInAnyOrder(Entry.Outcome.values());
  }

  // ---- the tamper matrix: what is changed, and where it is reported ----

  private int find(Predicate<Entry> what) {
    for (int i = 0; i < sample.entries().size(); i++) {
      if (what.test(sample.entries().get(i))) {
        return i;
      }
    }
    throw new IllegalStateException("the sample has no such entry");
  }

  private int change(Predicate<Entry> what, String part, String other) {
    int index = find(what);
    return edit(index, text -> text.replace(part, other));
  }

  private int edit(int index, UnaryOperator<String> change) {
    String text = new String(bytes.get(index), StandardCharsets.UTF_8);
    String changed = change.apply(text);
    assertThat(changed).isNotEqualTo(text);
    bytes.set(index, changed.getBytes(StandardCharsets.UTF_8));
    return index;
  }

  /** First index of a kind of entry at or behind an index. */
  private int next(int from, Predicate<Entry> what) {
    for (int i = from; i < sample.entries().size(); i++) {
      if (what.test(sample.entries().get(i))) {
        return i;
      }
    }
    throw new IllegalStateException("no such entry behind " + from);
  }

  private List<Disagreement> found() {
    RecomputationReport report = recompute(bytes);
    assertThat(report.agrees()).isFalse();
    assertThat(report.format()).contains("disagreements");
    return report.disagreements();
  }

  private void expect(long index, String code) {
    assertThat(found())
        .anySatisfy(one -> {
          assertThat(one.index()).isEqualTo(index);
          assertThat(one.code()).isEqualTo(code);
          assertThat(one.stands()).isNotEmpty();
          assertThat(one.follows()).isNotEmpty();
        });
  }

  private static boolean isAssent(Entry entry) {
    return entry instanceof Entry.Test test && test.verdict().code().equals("assent");
  }

  @Test
  void aFlippedVerdict_isReportedAtTheDecision() {
    int test = find(RecomputationTest::isAssent);
    Entry.Test flipped = (Entry.Test) sample.entries().get(test);
    edit(test, text -> text.replace("\"assent\"", "\"dissent\""));
    int decided =
        next(
            test, entry -> entry instanceof Entry.Decided one && one.term().equals(flipped.term()));
    expect(decided, "decision_differs");
  }

  @Test
  void aDroppedVerdict_isReported() {
    int test = find(RecomputationTest::isAssent);
    Entry.Test dropped = (Entry.Test) sample.entries().get(test);
    int decided =
        next(
            test, entry -> entry instanceof Entry.Decided one && one.term().equals(dropped.term()));
    bytes.remove(test);
    expect(decided - 1, "decision_differs");
  }

  @Test
  void droppedEntriesOfEveryOtherType_areReported() {
    for (Predicate<Entry> type :
        List.<Predicate<Entry>>of(
            entry -> entry instanceof Entry.Plan,
            entry -> entry instanceof Entry.PlanPart,
            entry -> entry instanceof Entry.Opened,
            entry -> entry instanceof Entry.TakenOver,
            entry -> entry instanceof Entry.Renegotiated offer && offer.reply().equals("adopt"),
            entry -> entry instanceof Entry.Decided,
            entry -> entry instanceof Entry.CoreIssued,
            entry -> entry instanceof Entry.Closed)) {
      bytes = new ArrayList<>(sample.bytes());
      bytes.remove(find(type));
      assertThat(found()).isNotEmpty();
    }
  }

  @Test
  void anotherThresholdInThePlan_isReportedAtDecisionsAndCores() {
    change(
        entry -> entry instanceof Entry.Plan plan && plan.plan().equals("three"),
        "\"tau\":0.2",
        "\"tau\":0.01");
    int decided =
        find(entry ->
            entry instanceof Entry.Decided one
                && one.agents().contains("carol")
                && one.outcome() == Entry.Outcome.CERTIFIED);
    expect(decided, "decision_differs");
    int core =
        find(entry -> entry instanceof Entry.CoreIssued one && one.core().agents().size() == 3);
    expect(core, "core_differs");
  }

  @Test
  void aDecisionThatLies_isReportedWithBothValues_andNothingElse() {
    int decided =
        change(
            entry -> entry instanceof Entry.Decided one && one.outcome() == Entry.Outcome.CERTIFIED,
            "\"contradictions\":0",
            "\"contradictions\":1");
    assertThat(found())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.index()).isEqualTo(decided);
          assertThat(one.code()).isEqualTo("decision_differs");
          assertThat(one.stands()).contains("contradictions 1");
          assertThat(one.follows()).contains("contradictions 0");
        });
  }

  @Test
  void aRefusalTurnedIntoACertification_isReported_andTheCoreWithIt() {
    int decided = find(entry -> entry instanceof Entry.Decided one && one.reason().isPresent());
    edit(
        decided,
        text ->
            text.replaceAll(
                "\"outcome\":\"\\w+\",\"reason\":\"\\w+\"", "\"outcome\":\"certified\""));
    expect(decided, "decision_differs");
  }

  @Test
  void aChangedCore_isReported() {
    Predicate<Entry> core = entry -> entry instanceof Entry.CoreIssued;
    expect(change(core, "\"certified\":", "\"certified\":1"), "core_differs");
    bytes = new ArrayList<>(sample.bytes());
    expect(change(core, "\"version\":1", "\"version\":2"), "core_version_differs");
    bytes = new ArrayList<>(sample.bytes());
    expect(change(core, "\"ledgerSize\":", "\"ledgerSize\":9"), "ledger_size_differs");
    bytes = new ArrayList<>(sample.bytes());
    int index = find(core);
    edit(index, text -> text.replaceAll("\"atMs\":\\d+", "\"atMs\":5"));
    expect(index, "core_differs");
  }

  @Test
  void anotherSeed_isReported() {
    int closed = find(entry -> entry instanceof Entry.Closed);
    edit(closed, text -> text.replaceAll("\"seed\":\"..", "\"seed\":\"00"));
    expect(closed, "seed_mismatch");
  }

  @Test
  void anotherCommitment_isReportedAtTheEnd() {
    int opened = find(entry -> entry instanceof Entry.Opened);
    edit(opened, text -> text.replaceAll("\"drawCommitment\":\"..", "\"drawCommitment\":\"00"));
    expect(next(opened, entry -> entry instanceof Entry.Closed), "seed_mismatch");
  }

  @Test
  void aTestOnAnEventThatWasNotDrawn_isReported() {
    int test = find(RecomputationTest::isAssent);
    Entry.Test original = (Entry.Test) sample.entries().get(test);
    String pool = original.event().substring(0, original.event().indexOf(':'));
    List<String> asked =
        sample.entries().stream()
            .filter(entry ->
                entry instanceof Entry.Test other && other.audit().equals(original.audit()))
            .map(entry -> ((Entry.Test) entry).event())
            .toList();
    String other =
        LedgerWriter.pool(pool, 900).stream()
            .map(Entry.PlanEvent::pei)
            .filter(pei -> !asked.contains(pei))
            .findFirst()
            .orElseThrow();
    edit(test, text -> text.replace(original.event(), other));
    expect(test, "not_drawn");
  }

  @Test
  void swappedEntries_areReported() {
    int opened = find(entry -> entry instanceof Entry.Opened);
    Collections.swap(bytes, opened, opened + 1);
    expect(opened, "audit_unknown");
    bytes = new ArrayList<>(sample.bytes());
    int decided = find(entry -> entry instanceof Entry.Decided);
    Collections.swap(bytes, decided, decided - 1);
    expect(decided, "too_late");
  }

  @Test
  void aFalseEntrenchment_isReported() {
    int offer = find(entry -> entry instanceof Entry.Renegotiated);
    edit(
        offer,
        text -> text.replaceAll("\"decidedEntrenched\":\\d+", "\"decidedEntrenched\":12345"));
    expect(offer, "entrenchment_differs");
  }

  @Test
  void aFailureThatIsNone_isReported() {
    int closed =
        find(entry ->
            entry instanceof Entry.Closed one
                && one.failure().filter("agent_unreachable"::equals).isPresent());
    edit(closed, text -> text.replace("agent_unreachable", "events_exhausted"));
    expect(closed, "events_exhausted");
  }

  @Test
  void aCompletedAuditCalledFailed_isReportedAtItsDecisionsAndItsCore() {
    int closed = find(entry -> entry instanceof Entry.Closed one && one.failure().isEmpty());
    edit(closed, text -> text.replace(",\"atMs\"", ",\"failure\":\"timeout\",\"atMs\""));
    expect(find(entry -> entry instanceof Entry.Decided), "decision_not_due");
    expect(find(entry -> entry instanceof Entry.CoreIssued), "core_not_due");
  }

  @Test
  void bytesThatAreNoEntry_areReported_withoutWhatAScreenWouldObey() {
    bytes.add(17, "\u001b[2Jno entry".getBytes(StandardCharsets.UTF_8));
    assertThat(found())
        .first()
        .satisfies(one -> {
          assertThat(one.index()).isEqualTo(17);
          assertThat(one.code()).isEqualTo("unreadable_entry");
          assertThat(one.stands()).isEqualTo("?[2Jno entry");
        });
  }

  @Test
  void anAuditUnderWay_isSaid_andNoDisagreement() {
    int closed = sample.entries().size() - 1;
    bytes.remove(closed);
    RecomputationReport report = recompute(bytes);
    assertThat(report.agrees()).isTrue();
    assertThat(report.unfinished()).hasSize(1);
  }

  @Test
  void moreDisagreementsThanAreListed_areCounted() {
    List<byte[]> noise = new ArrayList<>();
    for (int i = 0; i < Recomputation.MAX_LISTED + 7; i++) {
      noise.add(new byte[] {'x'});
    }
    RecomputationReport report = recompute(noise);
    assertThat(report.disagreements()).hasSize(Recomputation.MAX_LISTED);
    assertThat(report.disagreementCount()).isEqualTo(Recomputation.MAX_LISTED + 7);
    assertThat(report.format()).contains("and 7 more");
  }
}
