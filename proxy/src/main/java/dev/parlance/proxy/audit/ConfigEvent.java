package dev.parlance.proxy.audit;

/**
 * The configuration was loaded, changed or refused.
 *
 * @param tsMs when, in milliseconds since the epoch
 * @param node name of the sidecar
 * @param revision revision in force afterwards
 * @param what stable code: {@code loaded}, {@code reloaded}, {@code refused}
 * @param detail one sentence for the operator; may be empty
 */
public record ConfigEvent(long tsMs, String node, String revision, String what, String detail)
    implements AuditEvent {}
