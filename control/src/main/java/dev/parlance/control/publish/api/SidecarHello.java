package dev.parlance.control.publish.api;

import dev.parlance.control.publish.api.SidecarReport.ConfigState;
import dev.parlance.policy.core.CoreId;
import dev.parlance.proto.v1.Hello;
import java.util.List;

/**
 * What a sidecar says of itself when it attaches.
 *
 * @param held cores that it has in force
 * @param answersQuestions whether it has a local agent
 * @param takesReviews whether it is told what persons have decided elsewhere
 */
public record SidecarHello(
    String agent,
    String node,
    String version,
    List<HeldVersion> held,
    boolean answersQuestions,
    ConfigState config,
    PodName pod,
    boolean takesReviews) {
  /** A core in force. */
  public record HeldVersion(CoreId id, long version) {}

  /** The pod that it says it runs in, unchecked; all empty outside of Kubernetes. */
  public record PodName(String namespace, String name, String uid) {}

  /** Copies the list. */
  public SidecarHello {
    held = List.copyOf(held);
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
        hello.getTakesReviews());
  }
}
