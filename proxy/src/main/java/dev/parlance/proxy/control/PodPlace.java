package dev.parlance.proxy.control;

import dev.parlance.policy.core.Names;
import java.util.Map;
import java.util.Optional;

/**
 * The pod that this sidecar runs in, by the environment that the injector gives it from the
 * downward API.
 *
 * @param namespace its namespace
 * @param name its name, unique there
 * @param uid its uid; empty if it is not told
 */
public record PodPlace(String namespace, String name, String uid) {
  private static final String NAMESPACE = "PARLANCE_POD_NAMESPACE";
  private static final String NAME = "PARLANCE_POD_NAME";
  private static final String UID = "PARLANCE_POD_UID";

  /** Empty outside of a pod, and in one that is not told its name and namespace. */
  public static Optional<PodPlace> of(Map<String, String> env) {
    String namespace = env.getOrDefault(NAMESPACE, "");
    String name = env.getOrDefault(NAME, "");
    return Names.isName(namespace) && Names.isName(name)
        ? Optional.of(new PodPlace(namespace, name, env.getOrDefault(UID, "")))
        : Optional.empty();
  }
}
