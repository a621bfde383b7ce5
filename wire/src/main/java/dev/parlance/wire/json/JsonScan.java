package dev.parlance.wire.json;

import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;

/** What came of scanning bytes as JSON. */
public sealed interface JsonScan {
  /**
   * A well-formed document.
   *
   * @param document where everything lies
   */
  record Scanned(JsonDocument document) implements JsonScan {}

  /**
   * Not JSON as we accept it.
   *
   * @param fault the kind of fault
   * @param detail for the peer, with a byte offset and never with body text
   */
  record Refused(WireFault fault, String detail) implements JsonScan {
    /** The same as the outcome of reading a message. */
    public <V> Reading<V> asReading() {
      return new Reading.Malformed<>(fault, detail);
    }
  }
}
