package dev.parlance.control.publish.api;

import dev.parlance.policy.core.CoreId;
import dev.parlance.proto.v1.ConfigStatus;
import dev.parlance.proto.v1.Report;
import java.util.List;

/**
 * How a sidecar is doing.
 *
 * @param refusedPushes pushes that it has refused, for whatever reason
 * @param guardedMessages messages that a core was applied to
 * @param enforcing whether it blocks
 */
public record SidecarReport(
    List<CoreInForce> cores,
    long refusedPushes,
    long guardedMessages,
    boolean enforcing,
    ConfigState config) {
  /** Before the first one came. */
  public static final SidecarReport NONE =
      new SidecarReport(List.of(), 0, 0, false, ConfigState.UNSAID);

  /** A core in force. */
  public record CoreInForce(CoreId id, long version, long ageMs, String state) {}

  /** Copies the list. */
  public SidecarReport {
    cores = List.copyOf(cores);
  }

  /** From the message. */
  public static SidecarReport of(Report report) {
    return new SidecarReport(
        report.getCoresList().stream()
            .map(core ->
                new CoreInForce(
                    id(core.getId()), core.getVersion(), core.getAgeMs(), core.getState()))
            .toList(),
        report.getRefusedPushesMap().values().stream().mapToLong(Long::longValue).sum(),
        report.getGuardedMessages(),
        report.getEnforcing(),
        ConfigState.of(report.getConfig()));
  }

  /** From the message. */
  public static CoreId id(dev.parlance.proto.v1.CoreId id) {
    return new CoreId(id.getAgentsList(), id.getDomain());
  }

  /**
   * What a sidecar says of its configuration file.
   *
   * @param revision of the one in force
   * @param refusedReason stable code; empty if the newest file is in force
   * @param refusedDetail line, column and what is wrong
   */
  public record ConfigState(String revision, String refusedReason, String refusedDetail) {
    /** Before anything was said. */
    public static final ConfigState UNSAID = new ConfigState("", "", "");

    static ConfigState of(ConfigStatus status) {
      return new ConfigState(
          status.getRevision(), status.getRefusedReason(), status.getRefusedDetail());
    }

    /** True if the newest file is not in force. */
    public boolean isRefused() {
      return !refusedReason.isEmpty();
    }
  }
}
