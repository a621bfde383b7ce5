package dev.parlance.wire.api;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.wire.json.JsonDocument;
import java.util.List;

/**
 * A protocol of agents in one of its versions: its names, and where in the JSON of its messages
 * fields, texts and tools stand. Who holds a message to a pact asks here, so that only a codec
 * knows the members of its protocol.
 */
public interface AgentProtocol {
  /** That of what no codec has read: nothing in it is known. */
  AgentProtocol NONE = () -> "none";

  /** No names. */
  NameSet NO_MEMBERS = NameSet.of(List.of());

  /** Name in logs: {@code a2a-1.0}, {@code mcp-2025-06-18}, {@code none}. */
  String name();

  /** Label of metrics: the name, unless there are too many versions for a label each. */
  default String label() {
    return name();
  }

  /** Tells what a message names: the fields of its data, and the tools that it calls. */
  default void names(JsonDocument json, Content into) {
    into.unread();
  }

  /** Tells the data and the texts that an answer delivers; what it repeats of the past is none. */
  default void answer(JsonDocument json, Content into) {
    into.unread();
  }

  /** The names of members, and of query parameters, that the protocol itself has. */
  default NameSet members() {
    return NO_MEMBERS;
  }

  /** Is told, by the nodes of a document, what stands in a message. */
  interface Content {
    /** A value whose names are fields, at every depth. */
    void data(int value);

    /** A string of words, which may hold JSON. */
    void text(int string);

    /** All of it, in a form in which nobody looks for anything. */
    void unread();

    /** Data, or a string that is JSON, perhaps the first piece of it. */
    default void arguments(int value) {}

    /** Something beside the data, often an object. */
    default void metadata(int value) {}

    /** A JSON Schema: its names are those of data that are not there. */
    default void schema(int value) {}

    /** Something whose fields nobody can read: a file, a link, fields outside of the schema. */
    default void opaque() {}

    /** The name of a tool that is called. */
    default void tool(int name) {}

    /** A tool is called that has no name. */
    default void namelessTool() {}
  }
}
