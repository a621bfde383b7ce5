package dev.parlance.cli.api;

import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SidecarCore;
import java.util.List;

/** A sidecar as JSON, members as in the message {@code Sidecar}. */
public record SidecarInfo(
    String agent,
    String node,
    String version,
    boolean attached,
    String replica,
    long lastSeenMs,
    long refusedPushes,
    long guardedMessages,
    boolean enforcing,
    String configRevision,
    String configRefusedReason,
    String configRefusedDetail,
    String pod,
    List<Core> cores) {
  /** A core in force there. */
  public record Core(
      List<String> agents,
      String domain,
      long version,
      long latestVersion,
      long ageMs,
      String state,
      String nackReason) {
    static Core of(SidecarCore core) {
      return new Core(
          List.copyOf(core.getId().getAgentsList()),
          core.getId().getDomain(),
          core.getVersion(),
          core.getLatestVersion(),
          core.getAgeMs(),
          core.getState(),
          core.getNackReason());
    }
  }

  static SidecarInfo of(Sidecar sidecar) {
    return new SidecarInfo(
        sidecar.getAgent(),
        sidecar.getNode(),
        sidecar.getVersion(),
        sidecar.getAttached(),
        sidecar.getReplica(),
        sidecar.getLastSeenMs(),
        sidecar.getRefusedPushes(),
        sidecar.getGuardedMessages(),
        sidecar.getEnforcing(),
        sidecar.getConfigRevision(),
        sidecar.getConfigRefusedReason(),
        sidecar.getConfigRefusedDetail(),
        sidecar.getPod(),
        sidecar.getCoresList().stream().map(Core::of).toList());
  }
}
