package dev.parlance.loadtest;

/**
 * One kind of load that every target is put under.
 *
 * @param corpus index of the corpus at the upstream
 * @param answerKb wanted size of its answers in units of 1,000 bytes
 * @param connections keep-alive connections
 * @param pace how requests follow each other
 */
record Scenario(int corpus, double answerKb, int connections, Pace pace) {
  /** Request target that picks the corpus. */
  String path() {
    return "/a2a/" + corpus;
  }

  /** For people. */
  String label() {
    return pace.label() + ", " + connections + " connections, answers of " + answerKb + " KB";
  }
}
