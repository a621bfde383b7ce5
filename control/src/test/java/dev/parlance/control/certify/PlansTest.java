package dev.parlance.control.certify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.certify.api.Plans;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.store.Stores;
import dev.parlance.control.testing.Kit;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.Schedule;
import dev.parlance.proto.v1.VocabularyTerm;
import dev.parlance.service.Result;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlansTest {
  @TempDir Path data;
  private Store store;
  private Plans plans;

  @BeforeEach
  void open() {
    store = Stores.open(new StoreConfig.Embedded(data.resolve("store.db")));
    plans = new Plans(store, "test");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Plan.Builder plan() {
    return Kit.plan("p", List.of("alice", "bob"), List.of("notice", "patent claim"));
  }

  private String refused(Plan.Builder plan) {
    Result<Plan> attempt = plans.put(plan.build());
    assertThat(attempt).isInstanceOf(Result.Refused.class);
    Result.Refused<Plan> refused = (Result.Refused<Plan>) attempt;
    return refused.reason() + ": " + refused.message();
  }

  @Test
  void plan_isStored_andChangedOnlyFromItsPresentRevision() {
    assertThat(plans.put(plan().build())).isEqualTo(Result.done(plan().setRevision(1).build()));
    assertThat(refused(plan())).startsWith("revision_conflict: got revision 0, the present one");
    Plan changed = plan().setRevision(1).setPauseMs(5).build();
    assertThat(plans.put(changed))
        .isEqualTo(Result.done(changed.toBuilder().setRevision(2).build()));
    assertThat(plans.get("p")).isEqualTo(Result.done(changed.toBuilder().setRevision(2).build()));
    assertThat(plans.list()).singleElement().matches(each -> each.getEventsCount() == 0);
  }

  @Test
  void everyProblemOfAPlan_isNamed() {
    Plan.Builder plan =
        plan()
            .setName("no name")
            .setCore(CoreId.newBuilder().addAgents("bob").addAgents("alice").setDomain(""))
            .addTerms(VocabularyTerm.newBuilder().setText("Patent-Claim"))
            .addTerms(VocabularyTerm.newBuilder().setText("?!"))
            .addTerms(VocabularyTerm.newBuilder().setText("notices").setAlternative("unknown"))
            .addTerms(VocabularyTerm.newBuilder().setText("own").setAlternative("own"))
            .addEvents(AuditEvent.newBuilder().setPei("e/1").setText("again"))
            .addEvents(AuditEvent.newBuilder().setPei("long").setText("x".repeat(8_193)))
            .setMultiplicity("some")
            .setSchedule(Schedule.newBuilder().setIntervalMs(5).setJitter(2))
            .setPauseMs(10_000_000);
    plan.getParamsBuilder().setTau(Double.NaN).setDelta(0.6).setRhoMin(-1).setBound("guess");
    assertThat(refused(plan))
        .startsWith("plan_invalid")
        .contains(
            "name: got \"no name\"",
            "expected them sorted",
            "core.domain",
            "\"Patent-Claim\" is the same term as \"patent claim\"",
            "\"?!\" is no term",
            "the alternative \"unknown\" of \"notices\" is not in the vocabulary",
            "\"own\" is its own alternative",
            "pei \"e/1\" comes twice",
            "\"long\" has 8193 bytes",
            "multiplicity",
            "schedule.interval_ms",
            "schedule.jitter",
            "pause_ms",
            "params.tau: got NaN",
            "params.delta",
            "params.rho_min",
            "params.bound");
  }

  @Test
  void poolThatIsSmallerThanOneDraw_isRefused() {
    Plan.Builder plan = plan().clearParams().setEventsPerTerm(0);
    // 59 clean comparisons certify at tau = delta = 0.05; half as many again are drawn.
    assertThat(plans.put(plan.build())).isInstanceOf(Result.Done.class);
    plan.setRevision(1).getParamsBuilder().setTau(0.01);
    assertThat(refused(plan)).contains("events: got 100, expected at least the");
  }

  @Test
  void oneCore_hasOnePlan_forGood() {
    plans.put(plan().build());
    assertThat(refused(plan().setName("q"))).startsWith("core_taken");
    assertThat(
            refused(
                plan()
                    .setRevision(1)
                    .setCore(
                        CoreId.newBuilder()
                            .addAgents("alice")
                            .addAgents("carol")
                            .setDomain("license"))))
        .startsWith("core_changed");
  }

  @Test
  void manyProblems_areCutOff() {
    Plan.Builder plan = plan();
    for (int i = 0; i < 500; i++) {
      plan.addEvents(AuditEvent.newBuilder().setPei("no name " + i).setText("x"));
    }
    assertThat(refused(plan)).contains("and 450 more");
  }
}
