package dev.parlance.policy.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Signals;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilesTest {
  @Test
  void paperProfile_hasThePapersConstants() {
    Map<String, Object> settings = Profiles.ASP_PAPER.settings();
    assertThat(settings)
        .containsEntry("groundingOverlapWeight", 0.60)
        .containsEntry("groundingCitationWeight", 0.40)
        .containsEntry("stochasticityNovelWeight", 0.70)
        .containsEntry("stochasticityCitationWeight", 0.30)
        .containsEntry("citationUnknownScore", 0.4)
        .containsEntry("idealContextOverlap", 0.45)
        .containsEntry("idealCitation", 0.35)
        .containsEntry("idealNovel", 0.03)
        .containsEntry("idealQuestionOverlap", 0.17)
        .containsEntry("driftFloor", 0.01)
        .containsEntry("driftQuestionOverlapMin", 0.0)
        .containsEntry("driftQuestionOverlapMax", 1.0)
        .containsEntry("groundingMin", 0.33)
        .containsEntry("stochasticityMax", 0.67)
        .containsEntry("driftWarnSqrtJsd", 0.12)
        .containsEntry("driftCritSqrtJsd", 0.22)
        .containsEntry("errorMax", 2L)
        .containsEntry("yieldUnreadWhenSpent", true)
        .containsEntry("minAnswerTokens", 0L)
        .containsEntry("regenerateUnknownCitation", false);
    assertThat(Profiles.byName("asp-paper")).contains(Profiles.ASP_PAPER);
    assertThat(Profiles.byName("parlance")).contains(Profiles.DEFAULT);
    assertThat(Profiles.byName("other")).isEmpty();
  }

  @Test
  void settings_makeTheSameProfileAgain_whateverTheBase() {
    for (Profile profile : Profiles.builtIn()) {
      for (Profile base : Profiles.builtIn()) {
        assertThat(Profiles.derive(profile.name(), base, profile.settings())).isEqualTo(profile);
      }
    }
  }

  @Test
  void eachSetting_changesItselfAndNothingElse() {
    Profile base = Profiles.OVERLAP;
    base.settings()
        .forEach((name, value) -> {
          Map<String, Object> changes = new LinkedHashMap<>();
          changes.put(name, changed(name, value));
          if (name.equals("idealCitation")) {
            // The four must keep their sum.
            changes.put("idealContextOverlap", base.weights().idealContextOverlap() - 0.001);
          } else if (name.startsWith("ideal")) {
            changes.put("idealCitation", base.weights().idealCitation() - 0.001);
          }
          Map<String, Object> expected = new LinkedHashMap<>(base.settings());
          expected.putAll(changes);
          Profile derived = Profiles.derive("derived", base, changes);
          assertThat(derived.settings()).as(name).isEqualTo(expected);
          assertThat(derived.name()).isEqualTo("derived");
        });
  }

  private static Object changed(String name, Object value) {
    return switch (value) {
      case Boolean on -> !on;
      case String choice -> choice.equals("ignored") ? "required" : "ignored";
      case Long number -> number + 1;
      case Double number ->
          switch (name) {
            case "citationNoneScore" -> 0.0;
            case "citationKnownScore" -> 0.99;
            default -> number + 0.001;
          };
      default -> throw new AssertionError(name + " has a value of type " + value.getClass());
    };
  }

  @ParameterizedTest
  @CsvSource({
    "groundingMin, 1.0001, '[0,1]'",
    "groundingMin, -0.1, '[0,1]'",
    "groundingMin, NaN, '[0,1]'",
    "driftFloor, 0, '[1.0E-9,1]'",
    "errorMax, 101, '[0,100]'",
    "errorMax, 1.5, '[0,100]'",
    "errorMax, -1, '[0,100]'",
    "flowTtlMs, 0, '[1,86400000]'",
    "flowTtlMs, 1e300, '[1,86400000]'",
    "minAnswerTokens, 1001, '[0,1000]'",
    "yieldUnreadWhenSpent, 1, 'true or false'"
  })
  void badValues_areRefusedWithNameValueAndRange(String name, double value, String range) {
    assertThatThrownBy(() -> Profiles.derive("mine", Profiles.OVERLAP, Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mine")
        .hasMessageContaining(name + " must be ")
        .hasMessageContaining(range)
        .hasMessageContaining("got " + value);
  }

  @Test
  void valuesOfAnotherType_areRefused_andNumbersOfAnyTypeTaken() {
    assertThatThrownBy(
            () -> Profiles.derive("mine", Profiles.OVERLAP, Map.of("groundingMin", "0.4")))
        .hasMessageContaining("groundingMin must be a number in [0,1], got '0.4'");
    assertThatThrownBy(
            () -> Profiles.derive("mine", Profiles.OVERLAP, Map.of("groundingMin", true)))
        .isInstanceOf(IllegalArgumentException.class);
    Map<String, Object> settings =
        Map.of(
            "groundingMin",
            1,
            "stochasticityMax",
            new BigDecimal("0.5"),
            "flowTtlMs",
            BigInteger.TEN,
            "errorMax",
            3.0);
    assertThat(Profiles.derive("mine", Profiles.OVERLAP, settings).settings())
        .containsEntry("groundingMin", 1.0)
        .containsEntry("stochasticityMax", 0.5)
        .containsEntry("flowTtlMs", 10L)
        .containsEntry("errorMax", 3L);
  }

  @Test
  void settingsThatContradictEachOther_areRefused() {
    assertThatThrownBy(
            () -> Profiles.derive("mine", Profiles.OVERLAP, Map.of("driftWarnSqrtJsd", 0.3)))
        .hasMessageContaining("driftWarnSqrtJsd must not exceed driftCritSqrtJsd");
    assertThatThrownBy(() -> Profiles.derive("mine", Profiles.OVERLAP, Map.of("idealNovel", 0.3)))
        .hasMessageContaining("must sum to 1");
    assertThatThrownBy(
            () -> Profiles.derive("mine", Profiles.OVERLAP, Map.of("citationNoneScore", 0.5)))
        .hasMessageContaining("citationNoneScore must not exceed citationUnknownScore");
    assertThatThrownBy(
            () -> Profiles.derive("mine", Profiles.OVERLAP, Map.of("driftQuestionOverlapMin", 0.5)))
        .hasMessageContaining("driftQuestionOverlapMin must not exceed driftQuestionOverlapMax");
  }

  @ParameterizedTest
  @CsvSource({
    "grounding_min, groundingMin",
    "groundingMinn, groundingMin",
    "errorsMax, errorMax",
    "drift-warn-sqrt-jsd, driftWarnSqrtJsd",
    "regenerateQuestionEco, regenerateQuestionEcho",
    "flowTtl, flowTtlMs"
  })
  void unknownSettings_areRefusedWithWhatWasMeant(String wrong, String meant) {
    assertThatThrownBy(() -> Profiles.derive("mine", Profiles.OVERLAP, Map.of(wrong, 1)))
        .hasMessageContaining("unknown setting '" + wrong + "', did you mean " + meant + "?");
  }

  @Test
  void settingsLikeNoOther_areRefusedWithAllThatExist_andAllFaultsAreNamed() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("colour", "blue");
    settings.put("errorMax", 7000);
    settings.put("x".repeat(10_000), 1);
    assertThatThrownBy(() -> Profiles.derive("mine", Profiles.OVERLAP, settings))
        .hasMessageContaining("unknown setting 'colour', known are groundingOverlapWeight, ")
        .hasMessageContaining("errorMax must be a whole number in [0,100], got 7000")
        .message()
        .hasSizeLessThan(2_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "Mine", "a b", "a_b", "\u00e4"})
  void badNames_areRefused(String name) {
    assertThatThrownBy(() -> Profiles.derive(name, Profiles.OVERLAP, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[a-z0-9][a-z0-9-]{0,63}");
  }

  @Test
  void everyPerfectCitedAnswer_executesByDefault_andNotAlwaysInThePaper() {
    for (int i = 0; i <= 1_000; i++) {
      Features perfect = new Features(1, 1, 0, i / 1_000.0);
      assertThat(route(perfect, Profiles.OVERLAP)).isEqualTo(Route.EXECUTE);
    }
    assertThat(route(new Features(1, 1, 0, 0), Profiles.ASP_PAPER)).isEqualTo(Route.REGENERATE);
  }

  @Test
  void oneNovelTokenInTwenty_executes_oneInSixWarns_oneInThreeRegenerates() {
    for (int i = 0; i <= 100; i++) {
      double oq = i / 100.0;
      assertThat(route(new Features(0.95, 1, 0.05, oq), Profiles.OVERLAP)).isEqualTo(Route.EXECUTE);
      assertThat(route(new Features(5 / 6.0, 1, 1 / 6.0, oq), Profiles.OVERLAP))
          .isEqualTo(Route.WARN);
      assertThat(route(new Features(2 / 3.0, 1, 1 / 3.0, oq), Profiles.OVERLAP))
          .isEqualTo(Route.REGENERATE);
    }
  }

  @Test
  void answersWithoutAKnownCitation_neverPass() {
    double unknown = Profiles.OVERLAP.weights().citationUnknownScore();
    for (int oc = 0; oc <= 20; oc++) {
      for (int n = 0; n <= 20; n++) {
        for (int oq = 0; oq <= 20; oq++) {
          Features features = new Features(oc / 20.0, unknown, n / 20.0, oq / 20.0);
          assertThat(route(features, Profiles.OVERLAP)).isEqualTo(Route.REGENERATE);
        }
      }
    }
  }

  private static Route route(Features features, Profile profile) {
    Signals signals = Signals.of(features, OptionalDouble.empty(), profile.weights());
    return Judge.route(signals, 0, profile).route();
  }
}
