package dev.parlance.inject.pod;

import dev.parlance.policy.text.Coded;

/** Why a pod was left alone, was refused, or is to be looked at; stable codes. */
public enum PodReason implements Coded {
  /** The pod or its namespace wants none. */
  DISABLED,
  /** It has exactly the sidecar that it would get. */
  ALREADY_INJECTED,
  /** It has no sidecar that could be taken out. */
  NOT_INJECTED,
  /** Nothing is created here, so nothing can be added. */
  NOT_CREATED,

  /** It is the template of a kind that the manifest injector does not know. */
  KIND_UNKNOWN,
  /** It is no pod that can be read. */
  MALFORMED_POD,
  /** It lives in the node's network: rules there would be the node's. */
  HOST_NETWORK,
  /** It runs on Windows. */
  WINDOWS,
  /** A container has the sidecar's name and is not of the injector's making. */
  EXISTING_SIDECAR,
  /** A container or volume has a name that the injector needs. */
  NAME_TAKEN,
  /** A container listens on a port that the sidecar needs. */
  PORT_TAKEN,
  /** A container runs as the sidecar's user, whose traffic is not intercepted. */
  AGENT_UID,
  /** A container could change the rules of the interception. */
  AGENT_MAY_CHANGE_NETWORK,
  /** Another mesh redirects the same traffic. */
  OTHER_MESH,
  /** An annotation under our prefix that there is not. */
  ANNOTATION_UNKNOWN,
  /** An annotation with a value that it cannot have. */
  ANNOTATION_VALUE,
  /** An annotation that the injector's file does not leave to pods. */
  OVERRIDE_FORBIDDEN,
  /** The agent's port is needed and nobody says which. */
  AGENT_PORT_UNKNOWN,
  /** Half of what attaching to the control plane takes. */
  ATTACH_INCOMPLETE,
  /** A container has a proxy of its own. */
  PROXY_ENV_TAKEN,
  /** A probe names a port that its container does not. */
  PROBE_PORT_UNKNOWN,
  /** The sidecar's file would not be valid. */
  CONFIG_INVALID,
  /** The annotations would be larger than Kubernetes takes. */
  CONFIG_TOO_LARGE,

  /** A container may be, or become, the sidecar's user, because nothing says who it runs as. */
  AGENT_USER_UNKNOWN,
  /** A pod that names its own name servers chooses who says whose a name is. */
  OWN_NAME_SERVERS,
  /** A container may run as root: it could take the sidecar's uid, or send raw packets. */
  AGENT_MAY_BE_ROOT,
  /** Containers see each other's processes. */
  SHARED_PROCESSES,
  /** A sidecar that is an ordinary container keeps a Job from ending. */
  CLASSIC_NEVER_ENDS,
  /** Init containers run before the sidecar, and so without it. */
  INIT_NOT_INTERCEPTED,
  /** Ports of probes or scrapes are not intercepted. */
  PORTS_EXCLUDED,
  /** A lifecycle hook by HTTP passes the sidecar like any other caller. */
  HOOK_INTERCEPTED,
  /** A probe goes to another host; it is left as it is. */
  PROBE_ELSEWHERE,
  /** There is a control plane, and the pod says nothing of it. */
  NOT_ATTACHED,
  /** The file comes from a ConfigMap that nobody has checked. */
  CONFIG_NOT_CHECKED
}
