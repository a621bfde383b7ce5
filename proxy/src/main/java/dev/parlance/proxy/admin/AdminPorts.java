package dev.parlance.proxy.admin;

/**
 * Everything that the admin server shows or does.
 *
 * @param health whether the sidecar can take traffic
 * @param metrics the scrape
 * @param config what is configured
 * @param decisions the decision log
 * @param review the review queue
 * @param cores the certified cores
 * @param rounds rounds at the control plane
 */
public record AdminPorts(
    HealthPort health,
    MetricsPort metrics,
    ConfigPort config,
    DecisionPort decisions,
    ReviewPort review,
    CoresPort cores,
    RoundsPort rounds) {}
