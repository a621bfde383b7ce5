package dev.parlance.wire.mcp;

import dev.parlance.wire.bytes.HeaderLookup;
import java.util.Optional;
import java.util.Set;

/**
 * What the header of an MCP request says.
 *
 * @param version revision in {@code MCP-Protocol-Version}, if it is one that we know
 * @param session {@code Mcp-Session-Id}; a revision without sessions has none
 */
record McpHead(Optional<String> version, Optional<String> session) {
  /** The revision without sessions, whose header fields mirror the body. */
  private static final String STATELESS = "2026-07-28";

  /** Revisions of streamable HTTP. */
  private static final Set<String> VERSIONS =
      Set.of("2025-03-26", "2025-06-18", "2025-11-25", STATELESS);

  static McpHead of(HeaderLookup fields) {
    return new McpHead(
        fields.first("mcp-protocol-version").map(String::strip).filter(VERSIONS::contains),
        fields.first("mcp-session-id"));
  }

  /** True if a request says in its header that it is one of MCP. */
  static boolean isIn(HeaderLookup fields) {
    return fields.first("mcp-protocol-version").isPresent()
        || fields.first("mcp-session-id").isPresent()
        || fields.first("mcp-method").isPresent();
  }

  /** Name for logs and metric labels. */
  String protocol() {
    return version.map(known -> "mcp-" + known).orElse("mcp");
  }

  boolean isStateless() {
    return version.equals(Optional.of(STATELESS));
  }
}
