package dev.parlance.policy.route;

import dev.parlance.policy.route.Regime.RegimeLimits;
import dev.parlance.policy.signal.SignalWeights;
import java.util.Map;

/**
 * Every constant that a judgement depends on, under a name. {@link Profiles} has the built-in ones
 * and derives others from configuration.
 *
 * @param name the name in configuration and logs: {@code [a-z0-9][a-z0-9-]{0,63}}
 * @param weights constants of Eqs. 1-5
 * @param thresholds thresholds of Eq. 6
 * @param errorMax E_max: regenerations that a flow may have, 0..100
 * @param flowTtlMs how long a flow may last, in milliseconds, 1..86,400,000
 * @param yieldUnreadWhenSpent true: a draft that arrives with a spent budget is yielded whatever it
 *     says (Eq. 6 as written); false: it is judged, and yielded only if it would have to be asked
 *     for again
 * @param rules rules about content, beyond the paper
 * @param regimes where regimes of failing drafts begin
 * @param claims whether and how single claims are judged
 */
public record Profile(
    String name,
    SignalWeights weights,
    Thresholds thresholds,
    int errorMax,
    long flowTtlMs,
    boolean yieldUnreadWhenSpent,
    ContentRules rules,
    RegimeLimits regimes,
    ClaimRules claims) {

  static final int ERROR_MAX_LIMIT = 100;
  static final long FLOW_TTL_LIMIT_MS = 86_400_000L;

  /** Refuses a bad name and values outside their ranges. */
  public Profile {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "a profile's name must match [a-z0-9][a-z0-9-]{0,63}, got: " + name);
    }
    Ranges.within("errorMax", errorMax, 0, ERROR_MAX_LIMIT);
    Ranges.within("flowTtlMs", flowTtlMs, 1, FLOW_TTL_LIMIT_MS);
  }

  /** Every setting by name, in a fixed order; {@link Profiles#derive} takes them back. */
  public Map<String, Object> settings() {
    return ProfileSettings.read(this);
  }

  /** True if a flow with {@code errors} regenerations may have no more. */
  public boolean isSpent(int errors) {
    return errors >= errorMax;
  }

  private static boolean isName(String name) {
    if (name.isEmpty() || name.length() > 64 || name.charAt(0) == '-') {
      return false;
    }
    return name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
  }

  /**
   * The thresholds of Eq. 6 of the ASP paper. All lie in [0,1]; a value equal to its threshold
   * passes.
   *
   * @param groundingMin g_min: less grounding is Regenerate
   * @param stochasticityMax sigma_max: more stochasticity is Regenerate
   * @param driftWarnSqrtJsd tau_warn: more drift is Warn
   * @param driftCritSqrtJsd tau_crit: more drift is Regenerate; not below tau_warn
   */
  public record Thresholds(
      double groundingMin,
      double stochasticityMax,
      double driftWarnSqrtJsd,
      double driftCritSqrtJsd) {
    /** The paper's thresholds. */
    public static final Thresholds PAPER = new Thresholds(0.33, 0.67, 0.12, 0.22);

    /** Refuses thresholds outside their ranges or in the wrong order. */
    public Thresholds {
      Ranges.unit("groundingMin", groundingMin);
      Ranges.unit("stochasticityMax", stochasticityMax);
      Ranges.unit("driftWarnSqrtJsd", driftWarnSqrtJsd);
      Ranges.unit("driftCritSqrtJsd", driftCritSqrtJsd);
      if (driftWarnSqrtJsd > driftCritSqrtJsd) {
        throw new IllegalArgumentException(
            "driftWarnSqrtJsd must not exceed driftCritSqrtJsd, got "
                + driftWarnSqrtJsd
                + " and "
                + driftCritSqrtJsd);
      }
    }
  }
}
