package dev.parlance.wire.api;

import java.util.List;

/**
 * A row of the coverage table: what becomes of one kind of call; the table in docs/coverage.md is
 * made of these.
 *
 * @param protocol name of the protocol
 * @param binding how it is carried; empty where there is one way only
 * @param calls methods or paths
 * @param judged which texts are read, in requests and answers
 * @param passed what goes on without a verdict
 * @param refused what a caller gets in place of what does not go on
 */
public record Coverage(
    String protocol,
    String binding,
    List<String> calls,
    String judged,
    String passed,
    String refused) {
  /** Takes a copy of the calls, of which there is at least one. */
  public Coverage {
    calls = List.copyOf(calls);
    if (calls.isEmpty()) {
      throw new IllegalArgumentException("no call of " + protocol + " " + binding);
    }
  }
}
