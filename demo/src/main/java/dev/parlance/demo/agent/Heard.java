package dev.parlance.demo.agent;

import java.util.Optional;

/**
 * What came back for a message, and how.
 *
 * @param reply what came back
 * @param stream how it was streamed; empty if it came whole, or not at all
 */
public record Heard(Reply reply, Optional<Streamed> stream) {}
