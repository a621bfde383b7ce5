/** Codec of MCP over streamable HTTP. */
@NullMarked
package dev.parlance.wire.mcp;

import org.jspecify.annotations.NullMarked;
