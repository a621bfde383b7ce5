package dev.parlance.wire.metadata;

import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.json.JsonDocument;

/**
 * Blocks of content, and arguments and results of tools, as protocols of models and tools write
 * them, wherever in a document they stand.
 */
public final class ContentBlocks {
  private ContentBlocks() {}

  /** Tells all of them. */
  public static void names(JsonDocument json, AgentProtocol.Content into) {
    int node = json.root();
    while (node < json.nodes()) {
      int value = node + 1;
      if (json.isName(node)) {
        if (json.nameEquals(node, "arguments") || json.nameEquals(node, "structuredContent")) {
          into.arguments(value);
          node = json.skip(value);
          continue;
        }
        if (json.isObject(value) && isSchema(json, node)) {
          into.schema(value);
          node = json.skip(value);
          continue;
        }
        if (json.isString(value)
            && (json.nameEquals(node, "text") || json.nameEquals(node, "content"))) {
          into.text(value);
        } else if (json.nameEquals(node, "_meta")) {
          into.metadata(value);
        } else if (isOfFile(json, node)) {
          into.opaque();
        }
      }
      node++;
    }
  }

  private static boolean isSchema(JsonDocument json, int name) {
    return json.nameEquals(name, "inputSchema")
        || json.nameEquals(name, "outputSchema")
        || json.nameEquals(name, "parameters");
  }

  private static boolean isOfFile(JsonDocument json, int name) {
    return json.nameEquals(name, "blob")
        || json.nameEquals(name, "image_url")
        || json.nameEquals(name, "input_audio")
        || json.nameEquals(name, "file_data")
        || (json.nameEquals(name, "data") && json.isString(name + 1));
  }

  /** Tells the texts of an array of blocks, if it is one. */
  public static void texts(JsonDocument json, int array, AgentProtocol.Content into) {
    for (int block = json.firstElement(array);
        block != JsonDocument.NONE;
        block = json.nextElement(array, block)) {
      int text = json.member(block, "text");
      if (json.isString(text)) {
        into.text(text);
      }
    }
  }
}
