package dev.parlance.demo.license;

import java.util.List;

/**
 * The certification plan of the demonstration: the words of the license domain, between A and B.
 */
public final class LicensePlan {
  /** Name of the plan. */
  public static final String NAME = "license-words";

  /** Id of agent A. */
  public static final String SCHOLAR = "license-scholar";

  /** Id of agent B. */
  public static final String OFFICER = "license-officer";

  /** The pair, in order. */
  public static final List<String> AGENTS = List.of(OFFICER, SCHOLAR);

  /** Largest tolerable contradiction rate. */
  public static final double TAU = 0.05;

  /** Probability at most which a term worse than that is certified. */
  public static final double DELTA = 0.05;

  /** Least share of events on which both agents decide. */
  public static final double RHO_MIN = 0.5;

  /** 59 comparisons without contradiction would do; the 124 and more that stay of 150 bear two. */
  public static final int EVENTS_PER_TERM = 150;

  private LicensePlan() {}
}
