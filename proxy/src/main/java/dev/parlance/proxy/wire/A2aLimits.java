package dev.parlance.proxy.wire;

/**
 * Bounds of what is read of A2A.
 *
 * @param json of one body or event
 * @param eventBytes largest event of a stream
 */
record A2aLimits(JsonLimits json, int eventBytes) {}
