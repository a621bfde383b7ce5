package dev.parlance.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.policy.core.Bound;
import dev.parlance.sim.SimulationOptions.Figure3Settings;
import dev.parlance.sim.SimulationResult.Figure3Point;
import dev.parlance.sim.SimulationResult.Panel;
import dev.parlance.sim.SimulationResult.Table1Row;
import dev.parlance.sim.SimulationResult.WatchSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CertificationSimulationTest {
  private static final long SEED = 5_101L;

  /** A course too short to take time, for tests that are not about figure 3. */
  private static final Figure3Settings SHORT = new Figure3Settings(4, 2, 3, 20, 20, 20, 20);

  private SimulationResult wilson =
      new SimulationResult(
          1, 0, SimulationOptions.of(1, 0).params(), List.of(), List.of(), noWatch(), none());

  @BeforeAll
  void simulate() throws IOException {
    wilson =
        CertificationSimulation.run(
            new SimulationOptions(200, SEED, Bound.WILSON, 2, Figure3Settings.DEFAULT, none()),
            SimulationProgress.SILENT);
  }

  @Test
  void table1_isThePapers() {
    assertThat(wilson.table1())
        .extracting(Table1Row::condition)
        .containsExactly(Condition.values());
    for (Table1Row row : wilson.table1()) {
      Condition paper = row.condition();
      assertThat(row.unguardedPercent())
          .as("unguarded, %s", paper)
          .isCloseTo(paper.paperUnguardedPercent(), within(1.0));
      assertThat(row.guardedPercent().orElseThrow())
          .as("guarded, %s", paper)
          .isCloseTo(paper.paperGuardedPercent(), within(0.5));
      assertThat(row.coreSize())
          .as("core size, %s", paper)
          .isCloseTo(paper.paperCoreSize(), within(0.4));
    }
  }

  @Test
  void highDivergence_leavesNearlyEveryCoreEmpty_asInThePaper() {
    assertThat(wilson.table1().get(2).emptyCorePercent()).isCloseTo(95.0, within(1.0));
    assertThat(wilson.table1().get(0).emptyCorePercent()).isLessThan(5.0);
  }

  @Test
  void baseline_staysAsItIs() {
    for (Figure3Point point : wilson.panel(Panel.BASELINE)) {
      assertThat(point.coreSize()).isCloseTo(4.4, within(0.3));
      assertThat(point.unguardedPercent()).isCloseTo(2.0, within(0.3));
      assertThat(point.guardedPercent().orElseThrow()).isCloseTo(2.0, within(0.3));
    }
  }

  @Test
  void frozenCore_disagreesAsMuchAsWithout_afterTheDrift() {
    for (Figure3Point point : wilson.panel(Panel.FROZEN)) {
      double level = point.epoch() < 10 ? 2.0 : 4.6;
      assertThat(point.guardedPercent().orElseThrow()).isCloseTo(level, within(0.4));
      assertThat(point.unguardedPercent()).isCloseTo(level, within(0.4));
      assertThat(point.coreSize()).isCloseTo(4.4, within(0.3));
    }
  }

  @Test
  void recertification_restoresTheGuarantee_andShrinksTheCore() {
    for (Figure3Point point : wilson.panel(Panel.RECERTIFIED)) {
      if (point.epoch() <= 10) {
        assertThat(point.coreSize()).isCloseTo(4.4, within(0.3));
      } else {
        assertThat(point.guardedPercent().orElseThrow()).isCloseTo(2.0, within(0.3));
        assertThat(point.unguardedPercent()).isCloseTo(4.6, within(0.3));
        assertThat(point.coreSize()).isCloseTo(3.5, within(0.35));
      }
    }
  }

  @Test
  void renegotiation_bringsTheTermBack() {
    for (Figure3Point point : wilson.panel(Panel.RENEGOTIATED)) {
      if (point.epoch() >= 20) {
        assertThat(point.unguardedPercent()).isCloseTo(2.0, within(0.3));
        assertThat(point.guardedPercent().orElseThrow()).isCloseTo(2.0, within(0.3));
        assertThat(point.coreSize()).isCloseTo(4.0, within(0.45));
      }
    }
  }

  @Test
  void watch_revokesSoon_neverFalsely_andKeepsMoreTermsWithFewerQuestions() {
    WatchSummary watch = wilson.watch();
    assertThat(watch.falseRevocations()).isZero();
    assertThat(watch.missed()).isZero();
    assertThat(watch.meanEpochsToRevoke().orElseThrow()).isBetween(0.5, 1.5);
    List<Figure3Point> watched = wilson.panel(Panel.WATCHED);
    List<Figure3Point> renegotiated = wilson.panel(Panel.RENEGOTIATED);
    assertThat(watched.getLast().coreSize()).isGreaterThan(renegotiated.getLast().coreSize() + 1.0);
    assertThat(watched.getLast().guardedPercent().orElseThrow()).isCloseTo(2.0, within(0.3));
    assertThat(watched.getLast().unguardedPercent()).isCloseTo(2.0, within(0.3));
  }

  @Test
  void exactBound_certifiesFewerTerms_anytimeFewerStill_atTheSameDisagreement() throws IOException {
    SimulationResult exact = table(Bound.EXACT, 2);
    SimulationResult anytime = table(Bound.ANYTIME, 2);
    double fromWilson = wilson.table1().getFirst().coreSize();
    double fromExact = exact.table1().getFirst().coreSize();
    double fromAnytime = anytime.table1().getFirst().coreSize();
    assertThat(fromExact).isLessThan(fromWilson - 0.5);
    assertThat(fromAnytime).isLessThan(fromExact - 0.5);
    // The same events and answers: only the bound differs.
    assertThat(exact.table1().getFirst().unguardedPercent())
        .isEqualTo(wilson.table1().getFirst().unguardedPercent());
    assertThat(exact.table1().getFirst().guardedPercent().orElseThrow())
        .isCloseTo(2.0, within(0.3));
  }

  @Test
  void numbers_dependOnTheSeedOnly_notOnThreads() throws IOException {
    SimulationResult alone = table(Bound.EXACT, 1);
    assertThat(table(Bound.EXACT, 3)).isEqualTo(alone);
    SimulationOptions other = new SimulationOptions(200, SEED + 1, Bound.EXACT, 2, SHORT, none());
    assertThat(CertificationSimulation.run(other, SimulationProgress.SILENT).table1())
        .isNotEqualTo(alone.table1());
  }

  @Test
  void progress_reachesTheEndOfEveryStage_inOrder() throws IOException {
    List<String> ends = new ArrayList<>();
    long[] last = {0};
    CertificationSimulation.run(
        new SimulationOptions(3, SEED, Bound.EXACT, 2, SHORT, none()),
        (stage, done, total) -> {
          assertThat(done).isEqualTo(last[0] + 1);
          last[0] = done == total ? 0 : done;
          if (done == total) {
            ends.add(stage);
          }
        });
    assertThat(ends)
        .containsExactly(
            "table 1, noise-only",
            "table 1, moderate-drift",
            "table 1, high-divergence",
            "figure 3");
  }

  @Test
  void ledger_holdsTheAudits_verifies_andChangesNoNumber(@TempDir Path directory)
      throws IOException {
    for (Bound bound : Bound.values()) {
      Path to = directory.resolve(bound.code());
      SimulationOptions options = new SimulationOptions(5, SEED, bound, 2, SHORT, none());
      SimulationResult without = CertificationSimulation.run(options, SimulationProgress.SILENT);
      SimulationResult with =
          CertificationSimulation.run(
              options.withLedger(new SimulationOptions.LedgerTarget(to, 2, 1_700_000_000_000L)),
              SimulationProgress.SILENT);
      assertThat(with.table1()).isEqualTo(without.table1());
      assertThat(with.figure3()).isEqualTo(without.figure3());

      SimulationResult.LedgerLeft left = with.ledger().orElseThrow();
      assertThat(left.audits()).isEqualTo(3 * 2);
      // Plan, opening, both agents' answers, decisions, core, closing.
      assertThat(left.entries()).isEqualTo(left.audits() * (1 + 1 + 2 * 6 * 170 + 6 + 1 + 1L));
      LedgerAudit.Report report = check(left);
      assertThat(report.sound()).as(report.format()).isTrue();
    }
  }

  @Test
  void ledger_ofSomebodyElse_isNotWrittenTo(@TempDir Path directory) throws IOException {
    SimulationOptions options =
        new SimulationOptions(1, SEED, Bound.EXACT, 1, SHORT, none())
            .withLedger(new SimulationOptions.LedgerTarget(directory, 1, 0));
    CertificationSimulation.run(options, SimulationProgress.SILENT);
    byte[] checkpoint = Files.readAllBytes(directory.resolve("checkpoint"));
    assertThatThrownBy(() -> CertificationSimulation.run(options, SimulationProgress.SILENT))
        .isInstanceOf(LedgerUnavailable.class);
    assertThat(Files.readAllBytes(directory.resolve("checkpoint"))).isEqualTo(checkpoint);
  }

  @Test
  void optionsThatCannotBeRun_areRefused() {
    assertThatThrownBy(() -> SimulationOptions.of(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SimulationOptions.of(1, 1).withThreads(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SimulationOptions.LedgerTarget(Path.of("x"), 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Figure3Settings(50, 10, 10, 1, 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static SimulationResult table(Bound bound, int threads) throws IOException {
    return CertificationSimulation.run(
        new SimulationOptions(200, SEED, bound, threads, SHORT, none()), SimulationProgress.SILENT);
  }

  private static LedgerAudit.Report check(SimulationResult.LedgerLeft left) throws IOException {
    VerifierKey key = VerifierKey.parse(left.verifierKey()).value().orElseThrow();
    return LedgerAudit.check(
        left.directory(), key, List.of(), Optional.empty(), System.currentTimeMillis());
  }

  private static <T> Optional<T> none() {
    return Optional.empty();
  }

  private static WatchSummary noWatch() {
    return new WatchSummary(0.0, OptionalDouble.empty(), 0, 0);
  }
}
