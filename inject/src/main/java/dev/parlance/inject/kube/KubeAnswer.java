package dev.parlance.inject.kube;

import tools.jackson.databind.JsonNode;

/** What the API server said. */
public sealed interface KubeAnswer {
  /**
   * It did as asked.
   *
   * @param object the object as it is now
   */
  record Done(JsonNode object) implements KubeAnswer {}

  /** There is no such object (404). */
  record NotFound() implements KubeAnswer {}

  /** Somebody else was faster: the object changed meanwhile, or exists already (409). */
  record Conflict() implements KubeAnswer {}

  /**
   * It refused.
   *
   * @param status HTTP status, never 404, 409 or a good one
   * @param message what it said
   */
  record Refused(int status, String message) implements KubeAnswer {}

  /**
   * Nobody answered, or nothing that could be read.
   *
   * @param message what went wrong
   */
  record Unreachable(String message) implements KubeAnswer {}
}
