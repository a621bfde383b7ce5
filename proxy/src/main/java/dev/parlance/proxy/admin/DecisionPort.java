package dev.parlance.proxy.admin;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The decision log, for reading. May block. */
public interface DecisionPort {
  /** Why a message went where it went, for a program and for a person. */
  record Explanation(JsonNode json, String text) {}

  /**
   * The latest decisions, newest first.
   *
   * @param limit most of them, 1 or more
   * @param route only those of this route: the code of a decision's route or a configured name
   */
  List<JsonNode> recent(int limit, Optional<String> route);

  /** The decision with this id. */
  Optional<JsonNode> find(String id);

  /** Why the decision with this id was taken. */
  Optional<Explanation> explain(String id);
}
