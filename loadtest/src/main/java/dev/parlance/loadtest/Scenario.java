package dev.parlance.loadtest;

/**
 * One kind of load that targets are put under.
 *
 * @param corpus index of the corpus at the upstream
 * @param answerKb wanted size of its answers in units of 1,000 bytes
 * @param protocol the HTTP that is spoken on both sides of the target
 * @param connections keep-alive connections, each with one request at a time
 * @param pace how requests follow each other
 */
record Scenario(int corpus, double answerKb, Protocol protocol, int connections, Pace pace) {
  /** For people. */
  String label() {
    return pace.label()
        + ", "
        + connections
        + " connections, answers of "
        + answerKb
        + " KB, "
        + protocol.label();
  }
}
