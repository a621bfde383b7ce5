package dev.parlance.loadtest.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.loadtest.compare.ComparePlan.Contest;
import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.compare.ComparePlan.Subject;
import dev.parlance.loadtest.compare.ComparePlans.Name;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.process.MeasuredSidecar;
import dev.parlance.loadtest.process.TargetKind;
import dev.parlance.loadtest.process.TargetKind.Target;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ComparePlansTest {
  private static final CorpusPlan BODIES = new CorpusPlan(1, 8, 4.5, 4.5, 0);

  private static ComparePlan plan(List<Contest> contests, List<Goal> goals) {
    return new ComparePlan(
        contests,
        new ComparePlan.Times(2, 3, 4, 1_000),
        ComparePlans.corpora(BODIES),
        100,
        goals,
        new MeasuredSidecar.Commands("unused", Optional.empty(), Duration.ofSeconds(1)));
  }

  @Test
  void full_hasEverySize_count_rateAndProtocol_forEveryTarget() {
    List<Contest> contests = ComparePlans.contests(ComparePlans.axes(Name.FULL).orElseThrow());
    assertThat(contests).hasSize(2 * 3 * (3 + 3));
    assertThat(contests).extracting(contest -> contest.scenario().label()).doesNotHaveDuplicates();
    for (Contest contest : contests) {
      assertThat(contest.subjects())
          .extracting(Subject::kind)
          .contains(TargetKind.DIRECT, TargetKind.HAPROXY_LUA, TargetKind.PARLANCE_ENFORCE);
    }
    Set<Integer> closed =
        contests.stream()
            .filter(contest -> contest.scenario().pace() instanceof Pace.ClosedLoop)
            .map(contest -> contest.scenario().connections())
            .collect(Collectors.toSet());
    assertThat(closed).containsExactlyInAnyOrder(16, 64, 512);
  }

  @Test
  void mesh_holdsTwoSidecarsAgainstOne_underOneLoad() {
    assertThat(ComparePlans.contests(Name.MESH)).hasSize(1);
    assertThat(ComparePlans.contests(Name.MESH).getFirst().subjects())
        .extracting(Subject::label)
        .containsExactly(
            "haproxy",
            "haproxy-two",
            "parlance-one, seen",
            "parlance-two, seen",
            "parlance-trusted, seen");
    assertThat(ComparePlans.goals(Name.MESH)).hasSize(1);
  }

  @Test
  void bench_hasFiveFigures_ofOneLoad_inUnderFiveMinutes() {
    List<Contest> contests = ComparePlans.contests(Name.BENCH);
    assertThat(contests).hasSize(1);
    assertThat(ComparePlans.goals(Name.BENCH))
        .hasSize(5)
        .allMatch(goal -> contests.getFirst().subjects().contains(goal.subject()))
        .allMatch(goal -> contests.getFirst().subjects().contains(goal.against()));
    ComparePlan plan =
        new ComparePlan(
            contests,
            ComparePlans.times(Name.BENCH),
            List.of(BODIES),
            ComparePlan.DEFAULT_CORE_TERMS,
            ComparePlans.goals(Name.BENCH),
            plan(contests, List.of()).sidecars());
    assertThat(plan.estimate(plan.targets())).isLessThan(Duration.ofMinutes(4));
  }

  @Test
  void evidence_makesTwoSubjectsOfThoseThatReadIt_andOneOfAllOthers() {
    List<Subject> subjects =
        ComparePlans.contests(ComparePlans.axes(Name.FULL).orElseThrow()).getFirst().subjects();
    assertThat(subjects)
        .extracting(Subject::label)
        .containsExactly(
            "direct",
            "haproxy",
            "nginx",
            "haproxy-lua",
            "parlance-forward",
            "parlance-observe, new",
            "parlance-observe, seen",
            "parlance-enforce, new",
            "parlance-enforce, seen");
  }

  @Test
  void everyGoal_isAboutRowsThatItsPlanMeasures_andNoRowIsMeasuredForNothing() {
    List<Contest> contests = ComparePlans.contests(Name.GOALS);
    for (Goal goal : ComparePlans.goals(Name.GOALS)) {
      assertThat(contests)
          .filteredOn(contest -> contest.scenario().equals(goal.scenario()))
          .singleElement()
          .satisfies(
              contest -> assertThat(contest.subjects()).contains(goal.subject(), goal.against()));
    }
    assertThat(contests)
        .allMatch(contest ->
            ComparePlans.goals(Name.GOALS).stream()
                .anyMatch(goal -> goal.scenario().equals(contest.scenario())));
    List<CorpusPlan> corpora = ComparePlans.corpora(BODIES);
    assertThat(contests)
        .allMatch(contest ->
            corpora.get(contest.scenario().corpus()).answerKb() == contest.scenario().answerKb());
  }

  @Test
  void aBaseline_isBesideEverySidecar_andTheGoalIsThatOursTakeNoMore() {
    ComparePlan plan = plan(ComparePlans.contests(Name.GOALS), List.of()).besideBaseline();
    assertThat(plan.contests().get(1).subjects())
        .extracting(Subject::label)
        .containsExactly(
            "haproxy",
            "parlance-enforce, new",
            "parlance-enforce@baseline, new",
            "parlance-enforce, seen",
            "parlance-enforce@baseline, seen");
    assertThat(plan.targets())
        .extracting(Target::code)
        .contains("parlance-forward@baseline", "parlance-enforce@baseline-h2");
    assertThat(plan.goals())
        .hasSize(9)
        .allMatch(goal -> goal.bound().equals(new Goal.Bound(Goal.Side.AT_MOST, 1)))
        .allMatch(goal -> goal.against().label().contains("@baseline"));
  }

  @Test
  void targets_areStartedOncePerProtocol_andWarmedUpWithTheirFirstLoadAndBothEvidences() {
    ComparePlan plan = plan(ComparePlans.contests(Name.GOALS), ComparePlans.goals(Name.GOALS));
    assertThat(plan.targets()).doesNotHaveDuplicates();
    Target enforce = new Target(TargetKind.PARLANCE_ENFORCE, Protocol.H2);
    assertThat(plan.targets()).contains(enforce);
    List<LoadPlan> warmups = plan.warmups(enforce, 1);
    assertThat(warmups).extracting(LoadPlan::path).containsExactly("/a2a/0/new", "/a2a/0");
    assertThat(warmups).allMatch(load -> load.measureMs() == 2000);
    assertThat(warmups).allMatch(load -> load.protocol() == Protocol.H2);
  }

  @Test
  void aSidecar_isWarmedUpAgain_untilItHasHadItsRequests_orTooOften() {
    ComparePlan plan = plan(ComparePlans.contests(Name.GOALS), List.of());
    Target enforce = new Target(TargetKind.PARLANCE_ENFORCE, Protocol.HTTP1);
    assertThat(plan.isCold(enforce, 999, 1)).isTrue();
    assertThat(plan.isCold(enforce, 1_000, 1)).isFalse();
    assertThat(plan.isCold(enforce, 0, ComparePlan.Times.MOST_WARMUPS)).isFalse();
    assertThat(plan.isCold(new Target(TargetKind.HAPROXY, Protocol.HTTP1), 0, 1)).isFalse();
  }

  @Test
  void estimate_countsOnlyWhatIsThere() {
    ComparePlan plan = plan(ComparePlans.contests(Name.GOALS), List.of());
    Target direct = new Target(TargetKind.DIRECT, Protocol.HTTP1);
    // One subject in one contest: three rounds of 2 s, 0.4 s to settle and 0.1 s between;
    // two of warming up and one and a half for the start.
    assertThat(plan.estimate(List.of(direct))).isEqualTo(Duration.ofSeconds(11));
    assertThat(plan.estimate(plan.targets())).isGreaterThan(Duration.ofSeconds(75));
  }

  @Test
  void emptyAndDoubleThings_areRefused() {
    assertThatThrownBy(() -> plan(List.of(), List.of())).hasMessageContaining("at least one");
    Subject subject = new Subject(TargetKind.DIRECT, Freshness.SEEN);
    Scenario scenario = new Scenario(0, 1, Protocol.HTTP1, 1, new Pace.ClosedLoop());
    assertThatThrownBy(() -> new Contest(scenario, Arrays.asList(subject, subject)))
        .hasMessageContaining("each once");
  }
}
