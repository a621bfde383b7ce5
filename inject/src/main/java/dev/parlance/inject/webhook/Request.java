package dev.parlance.inject.webhook;

/**
 * A whole HTTP request.
 *
 * @param method its method
 * @param path its path, without query
 * @param contentType media type of the body, empty if unsaid
 * @param body its bytes; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
record Request(String method, String path, String contentType, byte[] body) {}
