package dev.parlance.relay.http1;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The name of a field as it was sent, and what it means.
 *
 * @param text a token, in any case
 * @param kind what the relay makes of it
 */
public record FieldName(String text, FieldKind kind) {
  /** Names that are set in nearly every message, so that they are looked up once. */
  private static final Map<String, FieldName> COMMON = new HashMap<>();

  static {
    String names =
        """
        host date connection content-length content-type content-encoding
        transfer-encoding accept accept-encoding authorization cache-control expect server
        traceparent tracestate user-agent vary
        """;
    for (String name : names.strip().split("\\s+", -1)) {
      COMMON.put(name, fresh(name));
    }
  }

  /** The name with its kind. */
  static FieldName of(String text) {
    FieldName common = COMMON.get(text);
    return common == null ? fresh(text) : common;
  }

  private static FieldName fresh(String text) {
    return new FieldName(text, FieldKind.of(text));
  }

  /** True if this is the same name, whatever the case. */
  boolean is(String other) {
    return text.length() == other.length() && (text.equals(other) || text.equalsIgnoreCase(other));
  }

  /** The kind of a field, as far as a relay treats kinds differently. */
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
    TRAILER(true),
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
        case "trailer" -> TRAILER;
        case "transfer-encoding" -> TRANSFER_ENCODING;
        case "upgrade" -> UPGRADE;
        default -> FieldRules.isOfConnection(name.toLowerCase(Locale.ROOT)) ? OF_CONNECTION : OTHER;
      };
    }
  }
}
