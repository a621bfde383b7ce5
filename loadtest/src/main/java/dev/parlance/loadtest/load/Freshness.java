package dev.parlance.loadtest.load;

/** Whether the evidence of answers was there before. */
public enum Freshness {
  /** Every chunk of every answer has a word that never was before, so none is like another. */
  NEW("new"),
  /**
   * FakeUpstream.UpstreamAnswers come again, byte for byte but for their ids, when the rotation is
   * round.
   */
  SEEN("seen");

  private static final String NEW_SUFFIX = "/new";

  private final String code;

  Freshness(String code) {
    this.code = code;
  }

  /** Name in options and reports. */
  public String code() {
    return code;
  }

  /** Request target at which the upstream answers so from a corpus. */
  public String path(int corpus) {
    return "/a2a/" + corpus + (this == NEW ? NEW_SUFFIX : "");
  }

  /** What a request target asks for. */
  static Freshness ofPath(String path) {
    return path.endsWith(NEW_SUFFIX) ? NEW : SEEN;
  }
}
