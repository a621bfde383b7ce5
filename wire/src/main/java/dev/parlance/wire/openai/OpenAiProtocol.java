package dev.parlance.wire.openai;

import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.metadata.ContentBlocks;

/** OpenAI's protocol: a model calls tools as functions, and answers in the messages of choices. */
record OpenAiProtocol(String name) implements AgentProtocol {
  static final AgentProtocol INSTANCE = new OpenAiProtocol("openai");

  /** Calls of tools count wherever in the document they stand. */
  @Override
  public void names(JsonDocument json, Content into) {
    ContentBlocks.names(json, into);
    for (int node = json.root(); node < json.nodes(); node++) {
      if (json.isName(node)
          && json.nameEquals(node, "function")
          && json.member(node + 1, "arguments") != JsonDocument.NONE) {
        int name = json.member(node + 1, "name");
        if (!json.isString(name)) {
          into.namelessTool();
          return;
        }
        into.tool(name);
      }
    }
  }

  @Override
  public void answer(JsonDocument json, Content into) {
    int choices = json.member(json.root(), "choices");
    for (int choice = json.firstElement(choices);
        choice != JsonDocument.NONE;
        choice = json.nextElement(choices, choice)) {
      int content = json.member(json.member(choice, "message"), "content");
      if (json.isString(content)) {
        into.text(content);
      }
      ContentBlocks.texts(json, content, into);
    }
  }
}
