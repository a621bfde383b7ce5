package dev.parlance.inject.pod;

import java.util.List;

/** What a pod may say about its sidecar, by annotations {@code parlance.dev/NAME}. */
public enum PodAnnotation {
  /** Whether there is to be a sidecar; a label of this name counts as well. */
  INJECT("inject", "enabled or disabled"),
  /** Where the agent listens; needed in mode proxy, unless its containers name one port only. */
  AGENT_PORT("agent-port", "a port, 1-65535"),
  /** The agent's id at the control plane. */
  AGENT("agent", "an id like billing"),
  /** How traffic reaches the sidecar. */
  INTERCEPTION("interception", "redirect or proxy"),
  /** Ports of the pod that are not intercepted, beside those of the injector's file. */
  EXCLUDE_INBOUND_PORTS("exclude-inbound-ports", "ports, like 9090,9091, or none"),
  /** Ports elsewhere that are not intercepted, beside those of the injector's file. */
  EXCLUDE_OUTBOUND_PORTS("exclude-outbound-ports", "ports, like 5432,6379, or none"),
  /** Users of the pod whose connections are not intercepted. */
  EXCLUDE_UIDS("exclude-uids", "user ids, like 1000, or none"),
  /** Whether the sidecar is an init container with restartPolicy Always. */
  NATIVE_SIDECAR("native-sidecar", "true or false"),
  /** How the sidecar writes its own log. */
  LOG_FORMAT("log-format", "text or json"),
  /** A ConfigMap of the namespace whose key sidecar.yaml is the sidecar's whole file. */
  CONFIG_MAP("config-map", "the name of a ConfigMap"),
  /** A Secret of the namespace whose key token is the agent's attach token. */
  ATTACH_SECRET("attach-secret", "the name of a Secret"),
  /** The sidecar's memory. */
  MEMORY_LIMIT("memory-limit", "a quantity of at least 112Mi"),
  /** What of it is requested. */
  MEMORY_REQUEST("memory-request", "a quantity of at most the limit"),
  /** Requested CPU. */
  CPU_REQUEST("cpu-request", "a quantity like 50m"),
  /** Largest CPU. */
  CPU_LIMIT("cpu-limit", "a quantity like 1"),
  /** The image of sidecar and init step. */
  IMAGE("image", "an image reference");

  /** Prefix of the names, and of what the injector writes. */
  public static final String PREFIX = "parlance.dev/";

  /** Prefix of annotations that set one key of the sidecar's file, by its path. */
  public static final String CONFIG_PREFIX = "config.parlance.dev/";

  /** Written: the version that injected; as a label, {@code "true"}. */
  public static final String INJECTED = PREFIX + "injected";

  /** Written: the sidecar's file. */
  public static final String SIDECAR_CONFIG = PREFIX + "sidecar-config";

  /** Written: PEM of the control plane's authorities. */
  public static final String CONTROL_CA = PREFIX + "control-ca";

  /** Written: how the pod was before, as far as it cannot be seen any more. */
  public static final String UNDO = PREFIX + "undo";

  /** What the injector writes; anybody may leave it there, nobody has to. */
  static final List<String> WRITTEN = List.of(INJECTED, SIDECAR_CONFIG, CONTROL_CA, UNDO);

  private final String shortName;
  private final String expected;

  PodAnnotation(String shortName, String expected) {
    this.shortName = shortName;
    this.expected = expected;
  }

  /** The name without prefix, as {@code overrides} has it. */
  public String shortName() {
    return shortName;
  }

  /** The name on the pod. */
  public String key() {
    return PREFIX + shortName;
  }

  /** Its values in words. */
  public String expected() {
    return expected;
  }

  /** True if it says what the pod is; the others say what its sidecar should be like. */
  boolean isFact() {
    return this == INJECT || this == AGENT_PORT || this == AGENT || this == ATTACH_SECRET;
  }
}
