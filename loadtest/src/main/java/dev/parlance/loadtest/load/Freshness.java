package dev.parlance.loadtest.load;

import dev.parlance.policy.text.Coded;

/** Whether the evidence of answers was there before. */
public enum Freshness implements Coded {
  /** Every chunk of every answer has a word that never was before, so none is like another. */
  NEW,
  /**
   * FakeUpstream.UpstreamAnswers come again, byte for byte but for their ids, when the rotation is
   * round.
   */
  SEEN;

  private static final String NEW_SUFFIX = "/new";

  /** Request target at which the upstream answers so from a corpus. */
  public String path(int corpus) {
    return "/a2a/" + corpus + (this == NEW ? NEW_SUFFIX : "");
  }

  /** What a request target asks for. */
  static Freshness ofPath(String path) {
    return path.endsWith(NEW_SUFFIX) ? NEW : SEEN;
  }
}
