package dev.parlance.wire.api;

import dev.parlance.wire.bytes.WireFault;

/**
 * A framing error of a stream.
 *
 * @param fault what is wrong
 * @param detail for the log: the bad value and what was expected, at most 200 characters, no text
 */
public record StreamFault(WireFault fault, String detail) {}
