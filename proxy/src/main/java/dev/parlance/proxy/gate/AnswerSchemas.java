package dev.parlance.proxy.gate;

import java.util.Optional;

/**
 * The JSON Schemas that pacts name, each by the SHA-256 of its bytes. Asked on event loops: nothing
 * is read from disk, and nothing is fetched.
 */
@FunctionalInterface
public interface AnswerSchemas {
  /** There are none. */
  AnswerSchemas NONE = _ -> Optional.empty();

  /** Stands for a fault of the check itself, which measures nothing and is nobody's. */
  String UNHELD = "it cannot be held against the schema";

  /**
   * A schema.
   *
   * @param name {@code sha256:} and 64 lower-case hex digits, as a clause has it
   * @return empty if it is not known here
   */
  Optional<AnswerSchema> named(String name);

  /** A schema that JSON is held against. */
  @FunctionalInterface
  interface AnswerSchema {
    /**
     * Holds JSON against it.
     *
     * @return the first thing that does not meet it, for the author; empty if all does; {@link
     *     #UNHELD}
     */
    Optional<String> fault(byte[] json);
  }
}
