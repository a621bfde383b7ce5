package dev.parlance.proxy.wire;

/**
 * A typed answer that the sidecar gives in place of an agent's, in the caller's own protocol.
 *
 * @param status HTTP status code
 * @param contentType media type of the body
 * @param body the body
 */
// A body is sent once, never compared; the array is not copied.
@SuppressWarnings("ArrayRecordComponent")
public record Refusal(int status, String contentType, byte[] body) {}
