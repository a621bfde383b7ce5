package dev.parlance.inject.pod;

import java.util.Set;

/** Names of what the injector puts into a pod, as {@code sidecar-parts.yaml} has them, too. */
public final class SidecarNames {
  /** The sidecar's container. */
  public static final String SIDECAR = "parlance-sidecar";

  /** The container of the init step. */
  public static final String INTERCEPT = "parlance-intercept";

  /** The sidecar's file. */
  static final String CONFIG = "parlance-config";

  /** Review queue and decision log. */
  static final String DATA = "parlance-data";

  /** Scratch space. */
  static final String TMP = "parlance-tmp";

  /** Token and certificate for the control plane. */
  static final String ATTACH = "parlance-attach";

  /** Certificate and key, or the socket of the Workload API. */
  static final String IDENTITY = "parlance-identity";

  static final Set<String> CONTAINERS = Set.of(SIDECAR, INTERCEPT);
  static final Set<String> VOLUMES = Set.of(CONFIG, DATA, TMP, ATTACH, IDENTITY);

  /** Folder of the sidecar's file. */
  static final String CONFIG_DIR = "/etc/parlance";

  /** Authorities of the control plane, in the same folder. */
  static final String CA_FILE = "control-ca.pem";

  /** Folder of token and certificate. */
  static final String ATTACH_DIR = "/run/parlance/attach";

  /** Folder of the identity. */
  static final String IDENTITY_DIR = "/run/parlance/identity";

  /** Folder of queue and log. */
  static final String DATA_DIR = "/var/lib/parlance";

  private SidecarNames() {}
}
