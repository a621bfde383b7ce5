package dev.parlance.relay.http1;

import java.util.Locale;

/** What a relay has to know of a field by its name. */
public enum FieldKind {
  /** Goes from end to end. */
  OTHER(false),
  CONTENT_LENGTH(false),
  DATE(false),
  EXPECT(false),
  HOST(false),
  CONNECTION(true),
  KEEP_ALIVE(true),
  TE(true),
  TRANSFER_ENCODING(true),
  UPGRADE(true),
  /** Belongs to one connection, and nothing here asks for its value. */
  OF_CONNECTION(true);

  private final boolean ofConnection;

  FieldKind(boolean ofConnection) {
    this.ofConnection = ofConnection;
  }

  /** True if the field goes on: it neither belongs to one connection nor says a length. */
  public boolean passesOn() {
    return !ofConnection && this != CONTENT_LENGTH;
  }

  /**
   * The kind of a name.
   *
   * @param name in any case
   */
  static FieldKind of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "content-length" -> CONTENT_LENGTH;
      case "date" -> DATE;
      case "expect" -> EXPECT;
      case "host" -> HOST;
      case "connection" -> CONNECTION;
      case "keep-alive" -> KEEP_ALIVE;
      case "te" -> TE;
      case "transfer-encoding" -> TRANSFER_ENCODING;
      case "upgrade" -> UPGRADE;
      default -> FieldRules.isOfConnection(name.toLowerCase(Locale.ROOT)) ? OF_CONNECTION : OTHER;
    };
  }
}
