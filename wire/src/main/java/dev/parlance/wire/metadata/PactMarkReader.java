package dev.parlance.wire.metadata;

import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.PactMark;
import dev.parlance.wire.json.JsonDocument;

/**
 * Finds the negotiation message in the statement of a message on pacts: {@code {"message": {...}}},
 * with no other member, of at most {@value PactMessages#MAX_BYTES} bytes. What stands in it is read
 * by whoever runs the machine.
 */
public final class PactMarkReader {
  private static final String MESSAGE = "message";

  /** Most bytes of an id, a name or a state; longer strings could be words. */
  private static final int MAX_QUIET_BYTES = 128;

  private PactMarkReader() {}

  /**
   * Reads a statement.
   *
   * @param silent true if nothing was said in the places where A2A has text
   */
  public static PactMark read(JsonDocument json, int node, boolean silent) {
    int name = json.first(node);
    if (!json.isObject(node)
        || name == JsonDocument.NONE
        || !json.nameEquals(name, MESSAGE)
        || json.nextName(node, name) != JsonDocument.NONE
        || !json.isObject(name + 1)) {
      return new PactMark.Unreadable("expected an object with the member message alone");
    }
    Utf8Span message = json.bytes(name + 1);
    if (message.length() > PactMessages.MAX_BYTES) {
      return new PactMark.Unreadable(
          "expected at most %d bytes, got %d".formatted(PactMessages.MAX_BYTES, message.length()));
    }
    return new PactMark.Statement(message.toByteArray(), silent && isWordless(json, node));
  }

  /** True if outside of the statement no string could be words: none has a blank, or is long. */
  private static boolean isWordless(JsonDocument json, int statement) {
    int end = json.skip(statement);
    for (int node = 0; node < json.nodes(); node = node + 1 == statement ? end : node + 1) {
      boolean words =
          (json.isString(node) || json.isName(node))
              && (json.end(node) - json.start(node) > MAX_QUIET_BYTES || !isWord(json.text(node)));
      if (words) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWord(Utf8Span text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.byteAt(i) <= ' ') { // white space, and whatever is not ASCII
        return false;
      }
    }
    return true;
  }
}
