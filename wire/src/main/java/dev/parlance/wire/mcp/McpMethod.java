package dev.parlance.wire.mcp;

import java.util.Optional;

/** The methods of MCP, of all revisions, and what their parameters and results say. */
public enum McpMethod {
  /** Calls a tool. */
  TOOLS_CALL("tools/call", Shape.TOOL),
  /** The result of a call that ran as a task (2025-11-25). */
  TASKS_RESULT("tasks/result", Shape.TOOL),
  /** A task; once it has ended, with the result of its call (tasks extension). */
  TASKS_GET("tasks/get", Shape.TOOL),
  /** A prompt with its messages. */
  PROMPTS_GET("prompts/get", Shape.WORDS),
  /** What a resource holds. */
  RESOURCES_READ("resources/read", Shape.WORDS),
  /** Suggestions for an argument. */
  COMPLETE("completion/complete", Shape.WORDS),
  /** Tools and what they are for. */
  TOOLS_LIST("tools/list", Shape.WORDS),
  /** Prompts and what they are for. */
  PROMPTS_LIST("prompts/list", Shape.WORDS),
  /** Resources and templates and what they are. */
  RESOURCES_LIST("resources/*", Shape.WORDS),
  /** A server asks its client's model. */
  SAMPLING("sampling/*", Shape.WORDS),
  /** A server asks its client's user. */
  ELICITATION("elicitation/*", Shape.WORDS),
  /** Whatever either side tells the other. */
  NOTIFICATIONS("notifications/*", Shape.WORDS),
  /** Opens a session (up to 2025-11-25); the result holds instructions for the model. */
  INITIALIZE("initialize", Shape.CONTROL),
  /** What a server can do (2026-07-28). */
  DISCOVER("server/discover", Shape.CONTROL),
  /** Nothing. */
  PING("ping", Shape.CONTROL),
  /** How much a server logs. */
  LOGGING("logging/setLevel", Shape.CONTROL),
  /** Folders of a client. */
  ROOTS("roots/*", Shape.CONTROL),
  /** State of long calls. */
  TASKS("tasks/*", Shape.CONTROL),
  /** Streams of notifications (2026-07-28). */
  SUBSCRIPTIONS("subscriptions/*", Shape.CONTROL);

  /** What is read of parameters and results. */
  enum Shape {
    /** The arguments are what the caller says, the result is an answer to them. */
    TOOL,
    /** Every string is read; nothing of it answers a question. */
    WORDS,
    /** Names, ids and versions; only what looks like prose is read. */
    CONTROL
  }

  private static final String ANY = "/*";

  private final String wireName;
  private final Shape shape;

  McpMethod(String wireName, Shape shape) {
    this.wireName = wireName;
    this.shape = shape;
  }

  /** The name on the wire; one that ends in {@code /*} stands for all that begin so. */
  public String wireName() {
    return wireName;
  }

  Shape shape() {
    return shape;
  }

  /**
   * True if a refusal is a result with {@code isError}: a tool's result, which models see and act
   * on. All other methods get an error of the protocol.
   */
  boolean refusedAsResult() {
    return this == TOOLS_CALL || this == TASKS_RESULT;
  }

  /** True if a call of it changes nothing at the server. */
  boolean isSafe() {
    return switch (this) {
      case TOOLS_CALL, LOGGING, ELICITATION, TASKS -> false;
      case TASKS_RESULT,
          TASKS_GET,
          PROMPTS_GET,
          RESOURCES_READ,
          COMPLETE,
          TOOLS_LIST,
          PROMPTS_LIST,
          RESOURCES_LIST,
          SAMPLING,
          NOTIFICATIONS,
          INITIALIZE,
          DISCOVER,
          PING,
          ROOTS,
          SUBSCRIPTIONS ->
          true;
    };
  }

  /** The method of a name; the exact one before a family. */
  static Optional<McpMethod> of(String name) {
    Optional<McpMethod> family = Optional.empty();
    for (McpMethod method : values()) {
      if (method.wireName.equals(name)) {
        return Optional.of(method);
      }
      if (method.wireName.endsWith(ANY)
          && name.startsWith(method.wireName.substring(0, method.wireName.length() - 1))) {
        family = Optional.of(method);
      }
    }
    return family;
  }
}
