package dev.parlance.cli;

import tools.jackson.databind.JsonNode;

/** What came of asking the admin API. */
public sealed interface AdminReply {
  /**
   * It answered.
   *
   * @param body the JSON it sent
   */
  record Answered(JsonNode body) implements AdminReply {}

  /**
   * It refused, or could not be reached.
   *
   * @param status HTTP status, 0 if there was no answer
   * @param message what happened and what to do, one line
   */
  record Failed(int status, String message) implements AdminReply {}
}
