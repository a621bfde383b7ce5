package dev.parlance.control.publish.api;

import dev.parlance.control.publish.api.SidecarReport.ConfigState;
import dev.parlance.policy.core.CoreId;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.VerdictKey;
import java.util.List;

/**
 * What a sidecar says of itself when it attaches.
 *
 * @param held cores that it has in force
 * @param answersQuestions whether it has a local agent
 * @param takesReviews whether it is told what persons have decided elsewhere
 * @param verdictKeys the keys of its verdicts
 * @param answersReviews whether people may see and decide from the console what it holds
 */
public record SidecarHello(
    String agent,
    String node,
    String version,
    List<HeldVersion> held,
    boolean answersQuestions,
    ConfigState config,
    PodName pod,
    boolean takesReviews,
    List<AnnouncedKey> verdictKeys,
    boolean answersReviews) {
  /** A core in force. */
  public record HeldVersion(CoreId id, long version) {}

  /**
   * A key with which a sidecar makes verdicts.
   *
   * @param believes whether it believes those of others
   * @param id its SPIFFE id, as the control plane knows it; may be empty
   */
  public record AnnouncedKey(String key, boolean believes, String id) {
    /** From the message. */
    static AnnouncedKey of(VerdictKey key) {
      return new AnnouncedKey(key.getKey(), key.getBelieves(), key.getId());
    }

    /** As a message. */
    public VerdictKey message() {
      return VerdictKey.newBuilder().setKey(key).setBelieves(believes).setId(id).build();
    }
  }

  /** The pod that it says it runs in, unchecked; all empty outside of Kubernetes. */
  public record PodName(String namespace, String name, String uid) {}

  /** Copies the list. */
  public SidecarHello {
    held = List.copyOf(held);
    verdictKeys = List.copyOf(verdictKeys);
  }

  /** From the message. */
  public static SidecarHello of(Hello hello) {
    return new SidecarHello(
        hello.getAgent(),
        hello.getNode(),
        hello.getVersion(),
        hello.getHeldList().stream()
            .map(core -> new HeldVersion(SidecarReport.id(core.getId()), core.getVersion()))
            .toList(),
        hello.getAnswersQuestions(),
        ConfigState.of(hello.getConfig()),
        new PodName(
            hello.getPod().getNamespace(), hello.getPod().getName(), hello.getPod().getUid()),
        hello.getTakesReviews(),
        hello.getVerdictKeysList().stream().map(AnnouncedKey::of).toList(),
        hello.getAnswersReviews());
  }
}
