package dev.parlance.loadtest;

/**
 * What kind of exchanges to build. The same plan always gives the same bytes, so the load generator
 * and the fake upstream each build their own copy.
 *
 * @param seed of the recombination
 * @param exchanges how many different ones, 1-65536
 * @param requestKb wanted size of a request body in units of 1,000 bytes, 0.3-1000
 * @param answerKb wanted size of an answer body in units of 1,000 bytes, 0.8-1000
 * @param ungroundedShare share of answers that nothing in their context supports, in [0,1]
 */
record CorpusPlan(
    long seed, int exchanges, double requestKb, double answerKb, double ungroundedShare) {
  static final long DEFAULT_SEED = 20261121L;
  static final int DEFAULT_EXCHANGES = 64;

  CorpusPlan {
    if (exchanges < 1 || exchanges > 65_536) {
      throw new IllegalArgumentException("exchanges must lie in 1-65536, got " + exchanges);
    }
    if (!(requestKb >= 0.3 && requestKb <= 1000)) {
      throw new IllegalArgumentException("request size must lie in 0.3-1000 KB, got " + requestKb);
    }
    if (!(answerKb >= 0.8 && answerKb <= 1000)) {
      throw new IllegalArgumentException("answer size must lie in 0.8-1000 KB, got " + answerKb);
    }
    if (!(ungroundedShare >= 0 && ungroundedShare <= 1)) {
      throw new IllegalArgumentException(
          "ungrounded share must lie in [0,1], got " + ungroundedShare);
    }
  }

  /** The same with other sizes. */
  CorpusPlan withSizes(double newRequestKb, double newAnswerKb) {
    return new CorpusPlan(seed, exchanges, newRequestKb, newAnswerKb, ungroundedShare);
  }
}
