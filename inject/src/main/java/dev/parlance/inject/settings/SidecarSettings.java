package dev.parlance.inject.settings;

import dev.parlance.policy.text.Coded;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a sidecar gets where its pod says nothing else.
 *
 * @param uid user and group it runs as, 1-65535; no agent may have it
 * @param nativeSidecar whether it is an init container with {@code restartPolicy: Always}
 * @param interception how the agent's traffic reaches it
 * @param onPrivileged what becomes of agents that could undo the interception
 * @param resources CPU, memory and disk
 * @param excludeInboundPorts ports of the pod that are not intercepted
 * @param excludeOutboundPorts ports elsewhere that are not intercepted
 * @param config the sidecar's file as far as it is the same for all pods
 * @param overrides what pods may change, see {@link AllowedOverrides}
 * @param control the control plane; without it sidecars hold no certified cores
 */
public record SidecarSettings(
    int uid,
    boolean nativeSidecar,
    Interception interception,
    OnPrivileged onPrivileged,
    Resources resources,
    List<Integer> excludeInboundPorts,
    List<Integer> excludeOutboundPorts,
    ObjectNode config,
    AllowedOverrides overrides,
    Optional<ControlPlane> control) {
  /** Refuses root as the sidecar's user. */
  public SidecarSettings {
    excludeInboundPorts = List.copyOf(excludeInboundPorts);
    excludeOutboundPorts = List.copyOf(excludeOutboundPorts);
    config = config.deepCopy();
    if (uid < 1 || uid > 65_535) {
      throw new IllegalArgumentException("expected a uid from 1 to 65535, got " + uid);
    }
  }

  /** A copy of its own, so that nobody changes these settings through it. */
  @Override
  public ObjectNode config() {
    return config.deepCopy();
  }

  /** How the agent's traffic reaches the sidecar. */
  public enum Interception implements Coded {
    /** Redirected by the kernel; an init step with NET_ADMIN sets the rules. */
    REDIRECT,
    /** By the agent itself, told by environment variables; no capability at all. */
    PROXY
  }

  /** What becomes of a pod whose containers could change the rules of the interception. */
  public enum OnPrivileged implements Coded {
    /** It is refused. */
    REFUSE,
    /** It is admitted with a warning. */
    WARN
  }

  /**
   * Resources of one sidecar, as Kubernetes quantities.
   *
   * @param cpuRequest requested CPU
   * @param cpuLimit largest CPU; none by default, because throttling is latency
   * @param memoryRequest requested memory
   * @param memoryLimit largest memory; the JVM's bounds follow from it
   * @param dataLimit largest size of the volume with queue and log
   */
  public record Resources(
      Quantity cpuRequest,
      Optional<Quantity> cpuLimit,
      Quantity memoryRequest,
      Quantity memoryLimit,
      Quantity dataLimit) {
    /** The least memory a sidecar starts in, 112 MiB: see docs/operations.md. */
    public static final long MIN_MEMORY_BYTES = 112L << 20;

    /** Refuses a memory limit below what the sidecar itself needs. */
    public Resources {
      if (memoryLimit.bytes() < MIN_MEMORY_BYTES) {
        throw new IllegalArgumentException(
            "expected a memory limit of at least 112Mi, got " + memoryLimit);
      }
      if (memoryRequest.bytes() > memoryLimit.bytes()) {
        throw new IllegalArgumentException(
            "expected a memory request of at most the limit "
                + memoryLimit
                + ", got "
                + memoryRequest);
      }
    }
  }

  /**
   * The control plane that sidecars attach to.
   *
   * @param target host:port of its gRPC port
   * @param keys public keys of which one must have signed a core; one or more
   * @param ca PEM of the authorities that may vouch for it; without it there is no TLS
   * @param clientCertificate whether the attach secret holds {@code tls.crt} and {@code tls.key} of
   *     the sidecar, because the control plane asks for them
   */
  public record ControlPlane(
      String target, List<String> keys, Optional<String> ca, boolean clientCertificate) {
    /** Refuses a control plane nobody could believe. */
    public ControlPlane {
      keys = List.copyOf(keys);
      if (keys.isEmpty() || (clientCertificate && ca.isEmpty())) {
        throw new IllegalArgumentException(
            "expected one key or more, and ca beside clientCertificate");
      }
    }
  }
}
