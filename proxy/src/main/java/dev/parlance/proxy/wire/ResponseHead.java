package dev.parlance.proxy.wire;

/**
 * What stands before a response's body.
 *
 * @param status HTTP status code
 * @param fields header fields
 */
public record ResponseHead(int status, Fields fields) {}
