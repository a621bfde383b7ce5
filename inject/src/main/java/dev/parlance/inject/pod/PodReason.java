package dev.parlance.inject.pod;

/** Why a pod was left alone, was refused, or is to be looked at; stable codes. */
public enum PodReason {
  /** The pod or its namespace wants none. */
  DISABLED("disabled"),
  /** It has exactly the sidecar that it would get. */
  ALREADY_INJECTED("already_injected"),
  /** It has no sidecar that could be taken out. */
  NOT_INJECTED("not_injected"),
  /** Nothing is created here, so nothing can be added. */
  NOT_CREATED("not_created"),

  /** It is no pod that can be read. */
  MALFORMED_POD("malformed_pod"),
  /** It lives in the node's network: rules there would be the node's. */
  HOST_NETWORK("host_network"),
  /** It runs on Windows. */
  WINDOWS("windows"),
  /** A container has the sidecar's name and is not of the injector's making. */
  EXISTING_SIDECAR("existing_sidecar"),
  /** A container or volume has a name that the injector needs. */
  NAME_TAKEN("name_taken"),
  /** A container listens on a port that the sidecar needs. */
  PORT_TAKEN("port_taken"),
  /** A container runs as the sidecar's user, whose traffic is not intercepted. */
  AGENT_UID("agent_uid"),
  /** A container could change the rules of the interception. */
  AGENT_MAY_CHANGE_NETWORK("agent_may_change_network"),
  /** Another mesh redirects the same traffic. */
  OTHER_MESH("other_mesh"),
  /** An annotation under our prefix that there is not. */
  ANNOTATION_UNKNOWN("annotation_unknown"),
  /** An annotation with a value that it cannot have. */
  ANNOTATION_VALUE("annotation_value"),
  /** An annotation that the injector's file does not leave to pods. */
  OVERRIDE_FORBIDDEN("override_forbidden"),
  /** The agent's port is needed and nobody says which. */
  AGENT_PORT_UNKNOWN("agent_port_unknown"),
  /** Half of what attaching to the control plane takes. */
  ATTACH_INCOMPLETE("attach_incomplete"),
  /** A container has a proxy of its own. */
  PROXY_ENV_TAKEN("proxy_env_taken"),
  /** A probe names a port that its container does not. */
  PROBE_PORT_UNKNOWN("probe_port_unknown"),
  /** The sidecar's file would not be valid. */
  CONFIG_INVALID("config_invalid"),
  /** The annotations would be larger than Kubernetes takes. */
  CONFIG_TOO_LARGE("config_too_large"),

  /** A container may be, or become, the sidecar's user, because nothing says who it runs as. */
  AGENT_USER_UNKNOWN("agent_user_unknown"),
  /** A pod that names its own name servers chooses who says whose a name is. */
  OWN_NAME_SERVERS("own_name_servers"),
  /** A container may run as root: it could take the sidecar's uid, or send raw packets. */
  AGENT_MAY_BE_ROOT("agent_may_be_root"),
  /** Containers see each other's processes. */
  SHARED_PROCESSES("shared_processes"),
  /** A sidecar that is an ordinary container keeps a Job from ending. */
  CLASSIC_NEVER_ENDS("classic_never_ends"),
  /** Init containers run before an ordinary sidecar, and so without it. */
  INIT_NOT_INTERCEPTED("init_not_intercepted"),
  /** A lifecycle hook by HTTP passes the sidecar like any other caller. */
  HOOK_INTERCEPTED("hook_intercepted"),
  /** A probe goes to another host; it is left as it is. */
  PROBE_ELSEWHERE("probe_elsewhere"),
  /** There is a control plane, and the pod says nothing of it. */
  NOT_ATTACHED("not_attached"),
  /** The file comes from a ConfigMap that nobody has checked. */
  CONFIG_NOT_CHECKED("config_not_checked");

  private final String code;

  PodReason(String code) {
    this.code = code;
  }

  /** As written in answers, logs and metrics. */
  public String code() {
    return code;
  }
}
