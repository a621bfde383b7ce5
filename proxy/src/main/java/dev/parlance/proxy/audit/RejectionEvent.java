package dev.parlance.proxy.audit;

/**
 * Bytes were refused before anybody judged them.
 *
 * @param tsMs when, in milliseconds since the epoch
 * @param node name of the sidecar
 * @param direction inbound or outbound
 * @param layer where, e.g. {@code http1}, {@code size}, {@code json}
 * @param code stable reason code
 * @param peer who sent them, as far as known
 */
public record RejectionEvent(
    long tsMs, String node, String direction, String layer, String code, String peer)
    implements AuditEvent {}
