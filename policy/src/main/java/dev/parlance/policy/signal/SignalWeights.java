package dev.parlance.policy.signal;

/**
 * The constants of Eqs. 1-5 of the ASP paper, each named. All lie in [0,1].
 *
 * @param groundingOverlapWeight weight of o_c in grounding (Eq. 1)
 * @param groundingCitationWeight weight of s_cite in grounding (Eq. 1)
 * @param stochasticityNovelWeight weight of n in stochasticity (Eq. 2)
 * @param stochasticityCitationWeight weight of 1-s_cite in stochasticity (Eq. 2)
 * @param citationKnownScore s_cite if at least one retrieved chunk is cited
 * @param citationUnknownScore s_cite if only other things are cited
 * @param citationNoneScore s_cite if nothing is cited
 * @param idealContextOverlap o_c of the ideal vector v* (Eq. 5); the four sum to 1
 * @param idealCitation s_cite of the ideal vector
 * @param idealNovel n of the ideal vector
 * @param idealQuestionOverlap o_q of the ideal vector
 * @param driftFloor least value of a component before normalisation (Eq. 4), above 0
 * @param driftQuestionOverlapMin o_q below this counts as this in the drift vector (0 in the paper)
 * @param driftQuestionOverlapMax o_q above this counts as this in the drift vector (1 in the paper)
 */
public record SignalWeights(
    double groundingOverlapWeight,
    double groundingCitationWeight,
    double stochasticityNovelWeight,
    double stochasticityCitationWeight,
    double citationKnownScore,
    double citationUnknownScore,
    double citationNoneScore,
    double idealContextOverlap,
    double idealCitation,
    double idealNovel,
    double idealQuestionOverlap,
    double driftFloor,
    double driftQuestionOverlapMin,
    double driftQuestionOverlapMax) {

  /** The paper's constants. */
  public static final SignalWeights PAPER =
      new SignalWeights(
          0.60, 0.40, 0.70, 0.30, 1.0, 0.4, 0.0, 0.45, 0.35, 0.03, 0.17, 0.01, 0.0, 1.0);

  private static final double IDEAL_SUM_TOLERANCE = 1e-9;

  /** Refuses constants outside their ranges. */
  public SignalWeights {
    unit("groundingOverlapWeight", groundingOverlapWeight);
    unit("groundingCitationWeight", groundingCitationWeight);
    unit("stochasticityNovelWeight", stochasticityNovelWeight);
    unit("stochasticityCitationWeight", stochasticityCitationWeight);
    unit("citationKnownScore", citationKnownScore);
    unit("citationUnknownScore", citationUnknownScore);
    unit("citationNoneScore", citationNoneScore);
    unit("idealContextOverlap", idealContextOverlap);
    unit("idealCitation", idealCitation);
    unit("idealNovel", idealNovel);
    unit("idealQuestionOverlap", idealQuestionOverlap);
    unit("driftFloor", driftFloor);
    unit("driftQuestionOverlapMin", driftQuestionOverlapMin);
    unit("driftQuestionOverlapMax", driftQuestionOverlapMax);
    double idealSum = idealContextOverlap + idealCitation + idealNovel + idealQuestionOverlap;
    if (Math.abs(idealSum - 1.0) > IDEAL_SUM_TOLERANCE) {
      throw new IllegalArgumentException(
          "idealContextOverlap, idealCitation, idealNovel and idealQuestionOverlap must sum to 1,"
              + " got "
              + idealSum);
    }
    if (driftFloor < 1e-9) {
      throw new IllegalArgumentException("driftFloor must lie in [1e-9,1], got " + driftFloor);
    }
    ordered("citationNoneScore", citationNoneScore, "citationUnknownScore", citationUnknownScore);
    ordered("citationUnknownScore", citationUnknownScore, "citationKnownScore", citationKnownScore);
    ordered(
        "driftQuestionOverlapMin",
        driftQuestionOverlapMin,
        "driftQuestionOverlapMax",
        driftQuestionOverlapMax);
  }

  static void unit(String name, double value) {
    if (!(value >= 0.0 && value <= 1.0)) {
      throw new IllegalArgumentException(name + " must lie in [0,1], got " + value);
    }
  }

  private static void ordered(String lowName, double low, String highName, double high) {
    if (low > high) {
      throw new IllegalArgumentException(
          lowName + " must not exceed " + highName + ", got " + low + " and " + high);
    }
  }
}
