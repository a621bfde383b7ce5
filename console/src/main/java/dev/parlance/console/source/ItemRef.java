package dev.parlance.console.source;

/**
 * A held message in the mesh.
 *
 * @param sidecar id of the sidecar that holds it
 * @param id id in its queue
 */
public record ItemRef(String sidecar, String id) {}
