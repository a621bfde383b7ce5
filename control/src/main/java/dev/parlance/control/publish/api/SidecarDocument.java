package dev.parlance.control.publish.api;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.control.publish.api.SidecarHello.AnnouncedKey;
import dev.parlance.control.publish.api.SidecarReport.ConfigState;
import dev.parlance.policy.core.CoreId;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SidecarCore;
import java.util.Arrays;
import java.util.List;

/**
 * What a replica keeps of a sidecar in the store, for all replicas: one byte that says whether
 * questions can be put to its agent, then {@link Sidecar} as last reported. States of cores are not
 * in it, they depend on what the control plane has by the time somebody asks.
 *
 * @param sidecar as last reported
 * @param answersQuestions whether it has a local agent
 */
public record SidecarDocument(Sidecar sidecar, boolean answersQuestions) {
  /**
   * A core at the sidecar.
   *
   * @param refusal why a newer version was refused; empty if none was
   */
  public record CoreAt(CoreId id, long version, long ageMs, String state, String refusal) {}

  /**
   * What is known of a sidecar.
   *
   * @param config every text bounded and fit to be shown
   * @param pod {@code NAMESPACE/NAME}; empty outside of Kubernetes
   */
  public static SidecarDocument of(
      SidecarHello hello,
      SidecarReport report,
      String replica,
      long refusedPushes,
      ConfigState config,
      String pod,
      List<CoreAt> cores) {
    Sidecar.Builder sidecar =
        Sidecar.newBuilder()
            .setAgent(hello.agent())
            .setNode(hello.node())
            .setVersion(hello.version())
            .setReplica(replica)
            .setRefusedPushes(refusedPushes)
            .setGuardedMessages(report.guardedMessages())
            .setEnforcing(report.enforcing())
            .setConfigRevision(config.revision())
            .setConfigRefusedReason(config.refusedReason())
            .setConfigRefusedDetail(config.refusedDetail())
            .setPod(pod)
            .addAllVerdictKeys(hello.verdictKeys().stream().map(AnnouncedKey::message).toList());
    for (CoreAt core : cores) {
      sidecar.addCores(
          SidecarCore.newBuilder()
              .setId(
                  dev.parlance.proto.v1.CoreId.newBuilder()
                      .addAllAgents(core.id().agents())
                      .setDomain(core.id().domain()))
              .setVersion(core.version())
              .setAgeMs(core.ageMs())
              .setState(core.state())
              .setNackReason(core.refusal()));
    }
    return new SidecarDocument(sidecar.build(), hello.answersQuestions());
  }

  /** The keys of its verdicts. */
  public List<AnnouncedKey> verdictKeys() {
    return sidecar.getVerdictKeysList().stream().map(AnnouncedKey::of).toList();
  }

  /** The bytes for the store. */
  public byte[] encode() {
    byte[] message = sidecar.toByteArray();
    byte[] bytes = new byte[message.length + 1];
    bytes[0] = (byte) (answersQuestions ? 1 : 0);
    System.arraycopy(message, 0, bytes, 1, message.length);
    return bytes;
  }

  /** From the bytes of {@link #encode}. */
  public static SidecarDocument decode(byte[] bytes) {
    try {
      return new SidecarDocument(
          Sidecar.parseFrom(Arrays.copyOfRange(bytes, 1, bytes.length)), bytes[0] == 1);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("the store holds no sidecar here", e);
    }
  }
}
