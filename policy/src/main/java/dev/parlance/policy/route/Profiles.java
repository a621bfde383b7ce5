package dev.parlance.policy.route;

import dev.parlance.policy.route.ClaimRules.CitationRule;
import dev.parlance.policy.route.Profile.Thresholds;
import dev.parlance.policy.route.Regime.RegimeLimits;
import dev.parlance.policy.signal.SignalWeights;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The built-in profiles, and profiles derived from them. */
public final class Profiles {
  /** The paper gives no TTL: time for three drafts of an ordinary model. */
  private static final long FLOW_TTL_MS = 120_000;

  /** The ASP paper's constants and Eq. 6 as written, weaknesses included. */
  public static final Profile ASP_PAPER =
      new Profile(
          "asp-paper",
          SignalWeights.PAPER,
          Thresholds.PAPER,
          2,
          FLOW_TTL_MS,
          true,
          ContentRules.OFF,
          RegimeLimits.PAPER,
          ClaimRules.OFF);

  /**
   * The default: each claim of an answer is held against the evidence by itself ({@code
   * ClaimsEstimator}). @G is the support of the weakest claim, @S the share of new words; drift is
   * told and decides nothing. The draft goes back if support is below a threshold that was
   * calibrated on texts labelled by people (docs/accuracy.md), if a claim departs from what it
   * otherwise repeats, has a value that the evidence does not have, or cites what was not
   * retrieved. An answer that claims nothing passes.
   */
  public static final Profile DEFAULT =
      new Profile(
          "parlance",
          new SignalWeights(
              1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.45, 0.442, 0.004, 0.104, 0.01, 0.10, 0.40),
          new Thresholds(0.35, 1.0, 1.0, 1.0),
          2,
          FLOW_TTL_MS,
          false,
          new ContentRules(0, Set.of(Reason.EMPTY_ANSWER, Reason.CITATION_UNKNOWN)),
          RegimeLimits.PAPER,
          new ClaimRules(true, 0.50, true, CitationRule.PREFERRED));

  /**
   * What was the default before claims were judged: words are counted as in the paper. It differs
   * from the paper in these points:
   *
   * <ul>
   *   <li>A citation of something that was not retrieved scores 0 instead of 0.4 and sends the
   *       draft back by itself: with 0.4 a made-up citation is a better answer than an honest one
   *       without, and can reach Execute.
   *   <li>The ideal vector is one that answers can reach. The paper's wants o_q at 17 % of the sum,
   *       so that a perfect cited answer in other words than the question's regenerates (d = .297).
   *       Here o_q counts as at least .10 and at most .40 in the drift vector, and the ideal is
   *       (.45, .442, .004, .104): a perfect cited answer has d from .005 to .092 whatever its o_q,
   *       which is Execute. With o_c = 1-n a cited answer executes up to 5 % new words at every
   *       o_q, is at least a Warn at 15 % and regenerates from 25 % on; an uncited one has d of at
   *       least .459.
   *   <li>The ideal share of novel tokens lies below what the floor gives an answer without any
   *       (.01/2.41). In the paper it is .03, so that inventing a little lowers the drift.
   *   <li>A number that neither the evidence nor the question holds sends the draft back; so do
   *       answers that are empty, have fewer than 3 distinct tokens, or hold no token that was not
   *       in the question.
   *   <li>Every draft is judged; a spent budget matters only to one that would have to be asked for
   *       again. Eq. 6 yields the third draft unread, which makes the second repair pointless.
   * </ul>
   */
  public static final Profile OVERLAP =
      new Profile(
          "overlap",
          new SignalWeights(
              0.60, 0.40, 0.70, 0.30, 1.0, 0.0, 0.0, 0.45, 0.442, 0.004, 0.104, 0.01, 0.10, 0.40),
          Thresholds.PAPER,
          2,
          FLOW_TTL_MS,
          false,
          new ContentRules(3, ContentRules.CHOICE),
          RegimeLimits.PAPER,
          ClaimRules.OFF);

  private Profiles() {}

  /** The built-in profiles, the default first. */
  public static List<Profile> builtIn() {
    return List.of(DEFAULT, OVERLAP, ASP_PAPER);
  }

  /** The built-in profile of that name. */
  public static Optional<Profile> byName(String name) {
    return builtIn().stream().filter(profile -> profile.name().equals(name)).findFirst();
  }

  /**
   * {@code base} with some settings changed, under a new name.
   *
   * @param settings values by the names of {@link Profile#settings()}: numbers and booleans
   * @throws IllegalArgumentException naming every unknown setting (with the nearest known one) and
   *     every bad value with its allowed range
   */
  public static Profile derive(String newName, Profile base, Map<String, Object> settings) {
    return ProfileSettings.derive(newName, base, settings);
  }
}
