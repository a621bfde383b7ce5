package dev.parlance.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ReplayTest {
  private static final Profile DERIVED =
      Profiles.derive(
          "strict-1",
          Profiles.ASP_PAPER,
          Map.of("groundingMin", 0.9, "driftWarnSqrtJsd", 0.001, "errorMax", 1));

  private static Explanation explained(String line) {
    return switch (Replay.of(line)) {
      case Replay.Result.Explained(Explanation explanation) -> explanation;
      case Replay.Result.Unreadable(String code, String detail) ->
          throw new AssertionError(code + ": " + detail);
    };
  }

  static Stream<Arguments> judgements() {
    List<Arguments> all = new ArrayList<>();
    List<String> answers =
        List.of(
            Events.FAITHFUL,
            Events.INVENTED,
            "",
            "What is granted?",
            "A copyright license [Chunk 9].",
            "Reproduce and distribute the Work.");
    List<Evidence> evidences =
        List.of(
            Events.evidence(OptionalDouble.empty()),
            Events.evidence(OptionalDouble.of(0.123456789012345)),
            Evidence.NONE);
    for (String answer : answers) {
      for (Evidence evidence : evidences) {
        for (Profile profile : List.of(Profiles.OVERLAP, Profiles.ASP_PAPER, DERIVED)) {
          for (int errors = 0; errors < 3; errors++) {
            for (boolean ttlExpired : new boolean[] {false, true}) {
              for (Grounding grounding : Grounding.values()) {
                ReplayableVerdict judgement =
                    Events.judged(
                        new TokenOverlapEstimator(1L),
                        answer,
                        evidence,
                        profile,
                        errors,
                        grounding,
                        ttlExpired);
                all.add(Arguments.of(answer, judgement));
              }
            }
          }
        }
      }
    }
    return all.stream();
  }

  @Test
  void everyJudgement_reproduces() {
    judgements()
        .forEach(arguments -> {
          ReplayableVerdict judgement = (ReplayableVerdict) arguments.get()[1];
          Explanation explanation = explained(AuditJson.line(Events.decision("d-1", judgement)));
          assertThat(explanation.differences()).as("%s", judgement).isEmpty();
          assertThat(explanation.compared()).isGreaterThanOrEqualTo(4);
        });
  }

  @Test
  void anyMeasurement_reproducesToTheLastBit() {
    var random = new Random(42);
    for (int i = 0; i < 500; i++) {
      int tokens = 1 + random.nextInt(500);
      int inContext = random.nextInt(tokens + 1);
      int inQuestion = random.nextInt(tokens - inContext + 1);
      int novel = tokens - inContext - inQuestion;
      int known = random.nextInt(3);
      List<String> ids = List.of("1", "2", "3").subList(0, known);
      var counts =
          new Counts(
              tokens, inContext, novel, inQuestion, 0, known + random.nextInt(2), known, ids, ids);
      Estimator estimator = message -> Measurement.of(counts, Profiles.ASP_PAPER.weights());
      Evidence evidence =
          Events.evidence(
              random.nextBoolean()
                  ? OptionalDouble.of(random.nextDouble())
                  : OptionalDouble.empty());
      ReplayableVerdict judgement =
          Events.judged(
              estimator,
              "x",
              evidence,
              random.nextBoolean() ? Profiles.OVERLAP : Profiles.ASP_PAPER,
              random.nextInt(3),
              Grounding.OPTIONAL,
              false);
      assertThat(explained(AuditJson.line(Events.decision("d", judgement))).differences())
          .isEmpty();
    }
  }

  @Test
  void featureThatIsNotFinite_reproduces() {
    var counts = new Counts(1, 1, 0, 0, 0, 0, 0, List.of(), List.of());
    Estimator broken =
        message ->
            new Measurement(counts, new Features(Double.NaN, Double.POSITIVE_INFINITY, 0.0, -1.0));
    ReplayableVerdict judgement =
        Events.judged(
            broken,
            "x",
            Events.evidence(OptionalDouble.empty()),
            Profiles.OVERLAP,
            0,
            Grounding.OPTIONAL,
            false);
    Explanation explanation = explained(AuditJson.line(Events.decision("d", judgement)));
    assertThat(explanation.reproduces()).isTrue();
    assertThat(explanation.text(Explanation.Equations.TOLD))
        .contains("invalid_feature", "not finite");
  }

  static Stream<Arguments> tampering() {
    return Stream.of(
        row("drift", line -> line.put("drift", Math.nextUp(line.path("drift").asDouble()))),
        row("grounding", line -> at(line, "signals").put("grounding", 0.99)),
        row("certainty", line -> line.put("confidence", 0.5)),
        row(
            "contextOverlap",
            line -> {
              ObjectNode counts = at(line, "counts");
              counts.put("tokens", counts.path("tokens").asInt() + 1);
              counts.put("novel", counts.path("novel").asInt() + 1);
            }),
        row("drift", line -> at(line, "features").put("novelRatio", 0.25)),
        row("header", line -> line.put("header", "[@C:F; @G:E; @S:0; A:[]]")),
        row("regime", line -> line.put("regime", "ungrounded")),
        row("route", line -> at(line, "judged").put("route", "warn")),
        row("final reasons", line -> line.putArray("reasons").add("released")),
        row("route", line -> at(at(line, "profile"), "settings").put("driftWarnSqrtJsd", 0.0)));
  }

  private static ObjectNode at(ObjectNode node, String name) {
    return (ObjectNode) node.path(name);
  }

  private static Arguments row(String what, Tamper tamper) {
    return Arguments.of(what, tamper);
  }

  interface Tamper {
    void apply(ObjectNode line);
  }

  @ParameterizedTest(name = "{0} #{index}")
  @MethodSource("tampering")
  void tamperedLine_isNoticed(String what, Tamper tamper) {
    ObjectNode line = (ObjectNode) Replay.JSON.readTree(AuditJson.line(Events.decision("d-1")));
    assertThat(explained(line.toString()).reproduces()).as("before").isTrue();
    tamper.apply(line);
    Explanation explanation = explained(line.toString());
    assertThat(explanation.reproduces()).isFalse();
    assertThat(explanation.differences()).extracting(Explanation.Difference::what).contains(what);
    assertThat(explanation.text()).contains("DOES NOT REPRODUCE");
  }

  @Test
  void explanation_tellsEquationsThresholdsAndRoute() {
    ReplayableVerdict judgement = Events.judged(Events.INVENTED);
    assertThat(judgement.verdict().decision().route()).isEqualTo(Route.REGENERATE);
    Explanation explanation = explained(AuditJson.line(Events.decision("d-1", judgement)));
    String text = explanation.text(Explanation.Equations.TOLD);
    assertThat(text)
        .startsWith("Decision d-1: regenerate")
        .contains("Eq. 1", "at least 0.33 is asked  [FAILS]")
        .contains("Eq. 2", "at most 0.67 is allowed  [FAILS]")
        .contains("Eqs. 4, 5", "warns above 0.12, fails above 0.22  [FAILS]")
        .contains("a number that is neither in the given material nor in the question  [FAILS]")
        .contains("E = 0 of 2")
        .contains("regime ungrounded")
        .contains("values come out as logged");
    assertThat(text)
        .contains(Double.toString(judgement.verdict().signals().orElseThrow().driftSqrtJsd()));
    assertThat(explanation.text())
        .contains("Why        it states a number that is neither in the given material")
        .doesNotContain("Eq. 1", "Features");
    JsonNode json = Replay.JSON.readTree(explanation.json());
    assertThat(json.path("reproduces").asBoolean()).isTrue();
    assertThat(json.path("findings").valueStream().map(f -> f.path("bearing").asString()))
        .contains("fail", "note");
  }

  @Test
  void numbersForPeople_areRounded() {
    String line = AuditJson.line(Events.decision("d-1", Events.judged(Events.INVENTED)));
    assertThat(Replay.of(line, Replay.Numbers.ROUNDED))
        .isInstanceOfSatisfying(
            Replay.Result.Explained.class,
            rounded -> {
              assertThat(rounded.explanation().reproduces()).isTrue();
              assertThat(rounded.explanation().text(Explanation.Equations.TOLD))
                  .contains("at least 0.33 is asked", "(grounding 0")
                  .doesNotContainPattern("0\\.[0-9]{4}");
            });
    assertThat(Replay.Numbers.ROUNDED.shown(0.0004)).isEqualTo("0");
    assertThat(Replay.Numbers.ROUNDED.shown(1.0)).isEqualTo("1");
    assertThat(Replay.Numbers.ROUNDED.shown(Double.NaN)).isEqualTo("NaN");
  }

  @Test
  void decisionOfTheGateAlone_isExplainedWithoutNumbers() {
    Explanation unjudged =
        explained(
            AuditJson.line(
                Events.decision("d-1", Optional.empty(), Route.YIELD, List.of(Reason.UNJUDGED))));
    assertThat(unjudged.text()).contains("nobody judged", "yield [unjudged]", "nothing to compute");
    Explanation overruled =
        explained(
            AuditJson.line(
                Events.decision(
                    "d-2",
                    Optional.of(Events.judged(Events.INVENTED)),
                    Route.EXECUTE,
                    List.of(Reason.RELEASED))));
    assertThat(overruled.reproduces()).isTrue();
    assertThat(overruled.text())
        .contains("the judge said regenerate; the gate made it execute [released]");
  }

  @Test
  void linesThatAreNoDecision_areSaidSo() {
    assertThat(Replay.of("{\"type\":\"dec")).isInstanceOf(Replay.Result.Unreadable.class);
    assertThat(Replay.of("{\"type\":\"config\"}"))
        .isEqualTo(new Replay.Result.Unreadable("not_a_decision", "type is 'config'"));
    assertThat(Replay.of("[1]")).isInstanceOf(Replay.Result.Unreadable.class);
    ObjectNode line = (ObjectNode) Replay.JSON.readTree(AuditJson.line(Events.decision("d-1")));
    ((ObjectNode) line.path("profile").path("settings")).put("groundingMin", 7.0);
    assertThat(Replay.of(line.toString()))
        .isInstanceOfSatisfying(
            Replay.Result.Unreadable.class,
            bad -> {
              assertThat(bad.code()).isEqualTo("bad_line");
              assertThat(bad.detail()).contains("groundingMin");
            });
  }

  @Test
  void Q5_hostileId_isInertInTheExplanation() {
    Explanation explanation = explained(AuditJson.line(Events.decision("d-\u001b[2J\u202e")));
    assertThat(explanation.text().chars()).allMatch(c -> c == '\n' || (c >= ' ' && c < 0x7f));
    assertThat(explanation.json().chars()).allMatch(c -> c >= ' ' && c < 0x80);
  }
}
