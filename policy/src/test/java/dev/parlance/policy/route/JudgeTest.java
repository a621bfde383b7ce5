package dev.parlance.policy.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final Profile PAPER = Profiles.ASP_PAPER;
  private static final Profile OURS = Profiles.OVERLAP;
  private static final String SOURCE =
      "The limit is ten units per day and refunds are paid within five days of the order.";
  private static final String QUESTION = "What is the daily limit?";

  private static final String GOOD = "The limit is ten units per day [Chunk c1].";
  private static final String UNCITED = "The limit is ten units per day.";
  private static final String INVENTED =
      "Customers enjoy unlimited purchases through our generous loyalty programme [Chunk c1].";

  private final Judge judge = new Judge(new TokenOverlapEstimator(1));

  @Test
  void groundedCitedAnswer_executes_withEveryPart() {
    Verdict verdict = judge(GOOD, OURS, 0);
    assertThat(verdict.decision()).isEqualTo(new Decision.Execute(List.of(Reason.OK)));
    assertThat(verdict.decision().primaryReason()).isEqualTo(Reason.OK);
    assertThat(verdict.regime()).isEqualTo(Regime.NONE);
    assertThat(verdict.header()).hasToString("Optional[[@C:F; @G:F; @S:0; A:[]]]");
    assertThat(verdict.measurement().orElseThrow().counts().validIds()).containsExactly("c1");
  }

  @Test
  void uncitedAnswer_andInventedOne_areAskedForAgain() {
    Verdict uncited = judge(UNCITED, OURS, 0);
    assertThat(uncited.decision()).isEqualTo(regenerate(Reason.D_CRIT));
    assertThat(uncited.regime()).isEqualTo(Regime.CITATION_GAP);

    Verdict invented = judge(INVENTED, OURS, 0);
    assertThat(invented.decision().route()).isEqualTo(Route.REGENERATE);
    assertThat(invented.decision().reasons()).contains(Reason.D_CRIT);
    assertThat(invented.regime()).isEqualTo(Regime.UNGROUNDED);
  }

  @Test
  void citedAnswerWithTooManyNewWords_isGroundedPartial() {
    Verdict verdict =
        judge("The limit is ten units per day plus seasonal bonus credits [Chunk c1]", OURS, 0);
    assertThat(verdict.decision()).isEqualTo(regenerate(Reason.D_CRIT));
    assertThat(verdict.regime()).isEqualTo(Regime.GROUNDED_PARTIAL);
  }

  @Test
  void citationOfSomethingNotRetrieved_isAReasonOfItsOwn_alsoBesideAKnownOne() {
    assertThat(judge("The limit is ten units per day [Chunk c9].", OURS, 0).decision())
        .isEqualTo(regenerate(Reason.CITATION_UNKNOWN, Reason.D_CRIT));
    assertThat(judge(GOOD + " [Chunk c9]", OURS, 0).decision())
        .isEqualTo(regenerate(Reason.CITATION_UNKNOWN));
    assertThat(judge(GOOD + " [Chunk c9]", PAPER, 0).decision().route()).isEqualTo(Route.EXECUTE);
    assertThat(
            judge("The limit is ten units per day [Chunk c9].", OURS, 0)
                .measurement()
                .orElseThrow()
                .features()
                .citationScore())
        .isZero();
  }

  @Test
  void S4_aNumberThatNothingSupports_isNotExecuted() {
    String wrong = "The limit is ten units per day and refunds are paid within 14 days [Chunk c1].";
    assertThat(judge(wrong, OURS, 0).decision()).isEqualTo(regenerate(Reason.NUMBER_UNSUPPORTED));
    assertThat(judge(wrong, PAPER, 0).decision().route()).isNotEqualTo(Route.REGENERATE);
  }

  @Test
  void S5_anEchoOfTheQuestion_isNotExecuted() {
    Verdict verdict = judge("the limit is what [Chunk c1]", OURS, 0);
    assertThat(verdict.decision().primaryReason()).isEqualTo(Reason.QUESTION_ECHO);
    assertThat(verdict.decision().route()).isEqualTo(Route.REGENERATE);
  }

  @Test
  void S6_shortAndEmptyAnswers_areAskedForAgain() {
    assertThat(judge("Ten units [Chunk c1].", OURS, 0).decision())
        .isEqualTo(regenerate(Reason.SHORT_ANSWER));
    for (String empty : List.of("", " \n", "...", "\ud83d\udc4d", "\u200b", "[Chunk c1]")) {
      assertThat(judge(empty, OURS, 0).decision()).isEqualTo(regenerate(Reason.EMPTY_ANSWER));
      assertThat(judge(empty, PAPER, 0).decision().route()).isEqualTo(Route.REGENERATE);
    }
  }

  @Test
  void withoutEvidence_groundingDecides_andNothingIsMeasured() {
    AgentMessage message = bare(UNCITED);
    for (Profile profile : Profiles.builtIn()) {
      Verdict required = judge.judge(message, profile, 0, Grounding.REQUIRED, false);
      assertThat(required.decision()).isEqualTo(regenerate(Reason.NO_EVIDENCE));
      assertThat(required.header()).isEmpty();
      assertThat(required.signals()).isEmpty();
      assertThat(required.measurement()).isEmpty();
      assertThat(judge.judge(message, profile, 0, Grounding.OPTIONAL, false).decision())
          .isEqualTo(new Decision.Warn(List.of(Reason.NO_EVIDENCE)));
    }
    assertThat(judge.judge(message, OURS, 2, Grounding.REQUIRED, false).decision())
        .isEqualTo(new Decision.Yield(List.of(Reason.NO_EVIDENCE, Reason.BUDGET)));
    assertThat(judge.judge(message, OURS, 2, Grounding.OPTIONAL, true).decision())
        .isEqualTo(new Decision.Warn(List.of(Reason.NO_EVIDENCE)));
    assertThat(judge.judge(message, PAPER, 2, Grounding.OPTIONAL, false).decision())
        .isEqualTo(new Decision.Yield(List.of(Reason.BUDGET)));
  }

  @Test
  void withoutEvidence_anEmptyAnswer_isEmptyFirst() {
    for (Profile profile : Profiles.builtIn()) {
      for (Grounding grounding : Grounding.values()) {
        assertThat(judge.judge(bare("..."), profile, 0, grounding, false).decision())
            .isEqualTo(regenerate(Reason.EMPTY_ANSWER));
      }
    }
  }

  @Test
  void spentBudgetOrTime_yieldsOnlyWhatWouldBeAskedForAgain_byDefault() {
    assertThat(judge(GOOD, OURS, 2).decision().route()).isEqualTo(Route.EXECUTE);
    Decision spent = judge(UNCITED, OURS, 2).decision();
    assertThat(spent).isEqualTo(new Decision.Yield(List.of(Reason.D_CRIT, Reason.BUDGET)));
    assertThat(spent.primaryReason()).isEqualTo(Reason.D_CRIT);
    assertThat(judge.judge(cited(GOOD), OURS, 0, Grounding.REQUIRED, true).decision().route())
        .isEqualTo(Route.EXECUTE);
    assertThat(judge.judge(cited(UNCITED), OURS, 2, Grounding.REQUIRED, true).decision())
        .isEqualTo(new Decision.Yield(List.of(Reason.D_CRIT, Reason.BUDGET, Reason.TTL_EXPIRED)));
  }

  @Test
  void spentBudgetOrTime_yieldsUnread_inThePaper() {
    assertThat(judge(GOOD, PAPER, 2).decision())
        .isEqualTo(new Decision.Yield(List.of(Reason.BUDGET)));
    assertThat(judge.judge(cited(GOOD), PAPER, 0, Grounding.REQUIRED, true).decision())
        .isEqualTo(new Decision.Yield(List.of(Reason.TTL_EXPIRED)));
  }

  @Test
  void featuresThatAreNoNumbers_areNeverPassed() {
    Counts counts = new Counts(5, 5, 0, 0, 0, 1, 1, List.of("c1"), List.of("c1"));
    double[] bad = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (Profile profile : Profiles.builtIn()) {
      for (double value : bad) {
        for (int place = 0; place < 4; place++) {
          double[] f = {1, 1, 0, 0.2};
          f[place] = value;
          Measurement faulty = new Measurement(counts, new Features(f[0], f[1], f[2], f[3]));
          Verdict verdict =
              new Judge(message -> faulty)
                  .judge(cited(GOOD), profile, 0, Grounding.REQUIRED, false);
          assertThat(verdict.decision()).isEqualTo(regenerate(Reason.INVALID_FEATURE));
          assertThat(verdict.signals()).contains(Signals.INVALID);
          assertThat(verdict.header()).hasToString("Optional[[@C:0; @G:0; @S:F; A:[]]]");
        }
      }
    }
  }

  @Test
  void onlyThePositiveConditionOfEquation6_executes() {
    double[] values = {
      Double.NaN,
      Double.NEGATIVE_INFINITY,
      -1,
      -0.0,
      0,
      0.12,
      Math.nextUp(0.12),
      0.22,
      Math.nextUp(0.22),
      Math.nextDown(0.33),
      0.33,
      0.67,
      Math.nextUp(0.67),
      1,
      2,
      Double.POSITIVE_INFINITY
    };
    for (Profile profile : List.of(Profiles.OVERLAP, Profiles.ASP_PAPER)) {
      for (double g : values) {
        for (double s : values) {
          for (double d : values) {
            for (int errors = 0; errors <= 3; errors++) {
              Route route = Judge.route(g, s, d, errors, profile).route();
              boolean spent = errors >= 2;
              boolean passes = g >= 0.33 && s <= 0.67 && d <= 0.22;
              Route expected;
              if (spent && profile.yieldUnreadWhenSpent()) {
                expected = Route.YIELD;
              } else if (passes) {
                expected = d <= 0.12 ? Route.EXECUTE : Route.WARN;
              } else {
                expected = spent ? Route.YIELD : Route.REGENERATE;
              }
              assertThat(route).as("g %s s %s d %s E %s", g, s, d, errors).isEqualTo(expected);
            }
          }
        }
      }
    }
  }

  @Test
  void confidenceAndAssumptionsOfTheAgent_areReported_andChangeNoRoute() {
    List<Assumption> assumptions = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      assumptions.add(new Assumption(Assumption.Basis.K, "k" + i));
    }
    assumptions.add(new Assumption(Assumption.Basis.H, "guess"));
    AgentMessage message = message(GOOD, OptionalDouble.of(0.2), assumptions);
    Verdict verdict = judge.judge(message, OURS, 0, Grounding.REQUIRED, false);
    assertThat(verdict.decision().route()).isEqualTo(Route.EXECUTE);
    assertThat(verdict.signals().orElseThrow().certainty()).isEqualTo(0.2);
    assertThat(verdict.header().orElseThrow().assumptions()).hasSize(Judge.MAX_ASSUMPTIONS);
    assertThat(verdict.header().orElseThrow().text()).endsWith(", H:guess]]");
  }

  @Test
  void decisionsWithoutAFittingReason_areRefused() {
    assertThatThrownBy(() -> new Decision.Execute(List.of(Reason.G_LOW)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Decision.Execute(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Decision.Warn(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Decision.Yield(List.of(Reason.OK)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new Decision.Execute(List.of(Reason.RELEASED)).route()).isEqualTo(Route.EXECUTE);
  }

  private Verdict judge(String answer, Profile profile, int errors) {
    return judge.judge(cited(answer), profile, errors, Grounding.REQUIRED, false);
  }

  private static Decision regenerate(Reason... reasons) {
    return new Decision.Regenerate(List.of(reasons));
  }

  private static AgentMessage cited(String answer) {
    return message(answer, OptionalDouble.empty(), List.of());
  }

  private static AgentMessage bare(String answer) {
    return new AgentMessage(Utf8Span.of(answer), Utf8Span.of(QUESTION), Evidence.NONE);
  }

  private static AgentMessage message(
      String answer, OptionalDouble confidence, List<Assumption> assumptions) {
    return new AgentMessage(
        Utf8Span.of(answer),
        Utf8Span.of(QUESTION),
        new Evidence(
            EvidenceSource.DECLARED,
            List.of(new Chunk("C1", Utf8Span.of(SOURCE))),
            List.of(),
            confidence,
            assumptions));
  }
}
