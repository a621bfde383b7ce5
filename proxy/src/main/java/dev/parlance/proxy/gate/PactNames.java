package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import java.util.Arrays;

/**
 * The names in a JSON body that a pact speaks of: fields of its data and tools that it calls, as
 * places in the document. Filled for a body and emptied after it; makes no garbage unless a name is
 * written with escapes.
 */
final class PactNames {
  private static final int FIRST_NAMES = 64;

  /** Most places of which the memory is kept. */
  private static final int MOST_KEPT = 4_096;

  private JsonDocument json = JsonDocument.EMPTY;
  private int[] fields = new int[FIRST_NAMES];
  private int fieldCount;
  private int filled;
  private boolean knowsFields;
  private int[] tools = new int[FIRST_NAMES];
  private int toolCount;
  private boolean knowsTools;

  /** Forgets the body. */
  void clear() {
    json = JsonDocument.EMPTY;
    fields = kept(fields);
    fieldCount = 0;
    filled = 0;
    knowsFields = false;
    tools = kept(tools);
    toolCount = 0;
    knowsTools = false;
  }

  private static int[] kept(int[] places) {
    return places.length > MOST_KEPT ? new int[FIRST_NAMES] : places;
  }

  /** Reads a body of a protocol; of one that is not known nothing is known. */
  void read(JsonDocument document, String protocol) {
    json = document;
    if (protocol.startsWith("a2a")) {
      inParts();
      knowsFields = true;
      knowsTools = true;
      return;
    }
    switch (protocol) {
      case "json" -> {
        fieldsOf(json.root());
        knowsFields = true;
        knowsTools = true;
      }
      case "mcp" -> knowsTools = mcp();
      case "openai" -> knowsTools = openAi();
      default -> {}
    }
  }

  /** True if a body was read. */
  boolean isRead() {
    return !json.isEmpty();
  }

  boolean knowsFields() {
    return knowsFields;
  }

  boolean knowsTools() {
    return knowsTools;
  }

  /** How many fields there are. */
  int fields() {
    return fieldCount;
  }

  /** How many of the fields hold something. */
  int filled() {
    return filled;
  }

  boolean areFieldsAmong(NameSet listed) {
    return count(fields, fieldCount, listed) == fieldCount;
  }

  boolean isFieldAmong(NameSet listed) {
    return count(fields, fieldCount, listed) > 0;
  }

  boolean areToolsAmong(NameSet listed) {
    return count(tools, toolCount, listed) == toolCount;
  }

  boolean isToolAmong(NameSet listed) {
    return count(tools, toolCount, listed) > 0;
  }

  private int count(int[] places, int count, NameSet listed) {
    byte[] bytes = json.body().array();
    int found = 0;
    for (int i = 0; i < count; i++) {
      int node = places[i];
      boolean has =
          json.isEscaped(node)
              ? listed.has(json.string(node))
              : listed.has(bytes, json.start(node) + 1, json.end(node) - 1);
      found += has ? 1 : 0;
    }
    return found;
  }

  // ---- fields ----

  /** Of every {@code data} in a list {@code parts}, wherever one stands. */
  private void inParts() {
    for (int node = json.root(); node < json.nodes(); node++) {
      if (json.isName(node) && json.is(node, MemberName.PARTS) && json.isArray(node + 1)) {
        int array = node + 1;
        for (int part = json.first(array);
            part != JsonDocument.NONE;
            part = json.nextElement(array, part)) {
          int data = json.member(part, MemberName.DATA);
          if (data != JsonDocument.NONE) {
            fieldsOf(data);
          }
        }
      }
    }
  }

  /** Of an object, and of the objects in a list. */
  private void fieldsOf(int value) {
    if (json.isObject(value)) {
      for (int name = json.first(value);
          name != JsonDocument.NONE;
          name = json.nextName(value, name)) {
        if (fieldCount == fields.length) {
          fields = Arrays.copyOf(fields, 2 * fieldCount);
        }
        fields[fieldCount++] = name;
        filled += isFilled(name + 1) ? 1 : 0;
      }
    } else if (json.isArray(value)) {
      for (int element = json.first(value);
          element != JsonDocument.NONE;
          element = json.nextElement(value, element)) {
        fieldsOf(element);
      }
    }
  }

  private boolean isFilled(int value) {
    if (json.isNull(value)) {
      return false;
    }
    if (json.isString(value)) {
      return json.end(value) - json.start(value) > 2;
    }
    return !(json.isObject(value) || json.isArray(value)) || json.first(value) != JsonDocument.NONE;
  }

  // ---- tools ----

  private void tool(int name) {
    if (toolCount == tools.length) {
      tools = Arrays.copyOf(tools, 2 * toolCount);
    }
    tools[toolCount++] = name;
  }

  /** The tool of a call; none if another method is called. False if it has no name. */
  private boolean mcp() {
    int root = json.root();
    if (!json.isObject(root)) {
      return false;
    }
    int method = json.member(root, "method");
    if (!json.isString(method) || !json.textEquals(method, "tools/call")) {
      return true;
    }
    int params = json.member(root, "params");
    int name = json.isObject(params) ? json.member(params, "name") : JsonDocument.NONE;
    if (!json.isString(name)) {
      return false;
    }
    tool(name);
    return true;
  }

  /**
   * The tools that a model asks for, wherever in the document calls stand. False if one has no
   * name.
   */
  private boolean openAi() {
    for (int node = 0; node < json.nodes(); node++) {
      if (json.isName(node)
          && json.nameEquals(node, "function")
          && json.member(node + 1, "arguments") != JsonDocument.NONE) {
        int name = json.member(node + 1, "name");
        if (!json.isString(name)) {
          return false;
        }
        tool(name);
      }
    }
    return true;
  }
}
